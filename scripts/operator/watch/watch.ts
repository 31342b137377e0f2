import type { Command } from 'commander';
import type { Health } from '../../../src/contract/account.ts';
import { type Connection, callService } from '../api.ts';
import { readOrganisations } from '../organisations.ts';
import { readStatus } from '../status.ts';
import { runChecks, type ServiceState } from './checks.ts';
import { metricsOf } from './metrics.ts';

async function readState(connection: Connection): Promise<ServiceState> {
  const health = (await callService(connection, 'GET', '/health')) as Health;
  const status = await readStatus(connection);
  // Without Postgres the limits can't be listed; the age of the outboxes says so of it.
  const organisations = await readOrganisations(connection).catch(() => []);
  return { health, status, organisations };
}

/** `watch`: what is wrong, for a timer and an alert. */
export function addWatchCommand(program: Command, connect: () => Connection): void {
  program
    .command('watch')
    .description('what is wrong now: prints it and ends with 1')
    .addHelpText(
      'after',
      '\nWith OTEL_EXPORTER_OTLP_ENDPOINT it also sends its figures there as metrics (OTLP over HTTP).\nWhat it looks at: docs/guides/watch-it.md',
    )
    .action(async () => {
      const state = await readState(connect());
      const wrong = runChecks(state).filter(({ found }) => found.length > 0);
      if (program.opts<{ json: boolean }>().json)
        console.log(
          JSON.stringify(
            wrong.map(({ check: { name, means }, found }) => ({ name, means, found })),
            null,
            2,
          ),
        );
      else if (wrong.length === 0) console.log('All is well.');
      else for (const { check, found } of wrong) console.log(`${check.name}: ${check.means} ${found.join(', ')}`);
      if (wrong.length > 0) process.exitCode = 1;
      // Loaded where it is used alone: it takes longer than the checks.
      const { exportMetrics, exportsMetrics } = await import('./export.ts');
      if (exportsMetrics(process.env)) await exportMetrics(metricsOf(state), state.health.version);
    });
}
