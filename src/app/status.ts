import type { StatusResponse } from '../contract/operator.ts';
import { vendorSpendUsd } from '../domain/metering/index.ts';
import { callObject, type ObjectDeps } from '../domain/organisation/client.ts';
import { epochSeconds, SECOND_MS } from '../kernel/clock.ts';
import { isolateTotals } from '../platform/counters.ts';
import type { Database } from '../platform/db/client.ts';
import { listCronSteps } from '../platform/db/cron-steps.ts';
import { summariseNightlySteps } from '../platform/db/nightly-steps.ts';
import { allOrganisations } from './pages.ts';
import type { SettingFault } from './settings.ts';

/** How the service stands: what each object holds back, what the crons did, what this isolate counted. */
export async function readStatus(deps: {
  db: Database;
  objects: ObjectDeps;
  startedAt: number;
  faults: readonly SettingFault[];
}): Promise<StatusResponse> {
  const { db, objects, startedAt, faults } = deps;
  const now = objects.now();
  const organisations: StatusResponse['organisations'] = [];
  const unreachable: string[] = [];
  for await (const page of allOrganisations(db)) {
    const answers = await Promise.all(page.map(({ id }) => callObject(objects, id, 'status', (stub) => stub.status())));
    for (const [index, answer] of answers.entries()) {
      const id = page[index]?.id ?? '';
      if (!answer.ok || answer.value === null) {
        unreachable.push(id);
        continue;
      }
      const { outboxRows, outboxOldestAt, outboxDead, usage } = answer.value;
      organisations.push({
        id,
        outbox_rows: outboxRows,
        outbox_age_s: outboxOldestAt === null ? null : Math.round((now - outboxOldestAt) / SECOND_MS),
        outbox_dead: outboxDead,
        provider_spend_usd: vendorSpendUsd(usage),
      });
    }
  }
  const [steps, nightly] = await Promise.all([listCronSteps(db), summariseNightlySteps(db)]);
  const ageS = (finishedAt: number): number => Math.round((now - finishedAt) / SECOND_MS);
  return {
    organisations,
    unreachable,
    cron: [
      ...steps.map(({ step, finishedAt, report }) => ({ step, age_s: ageS(finishedAt), report })),
      ...nightly.map(({ step, finishedAt, ...report }) => ({
        step: `nightly ${step}`,
        age_s: ageS(finishedAt),
        report,
      })),
    ],
    settings: faults.map(({ setting, problem, off }) => ({ setting, problem, off })),
    isolate: { since: epochSeconds(startedAt), counters: isolateTotals() },
  };
}
