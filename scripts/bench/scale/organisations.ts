import { newId } from '../../../src/kernel/ids.ts';
import type { BackgroundDeps } from '../../../src/services/deps.ts';
import { wakeOrganisations } from '../../../src/services/timers/wake-organisations.ts';
import type { Curve } from './curve.ts';
import { onSchema } from './postgres.ts';

/** Of so many organisations one is at work. */
export const organisations: Curve = {
  by: 'organisations, of which one is at work',
  sizes: [1, 10, 100, 1_000, 10_000],
  quick: [1, 100, 10_000],
  needsPostgres: true,
  costs: [
    {
      name: 'object calls, statements and messages of a sweep, every five minutes',
      why: 'an idle organisation is to cost its storage alone',
      unit: 'operations',
      atMost: 0,
    },
  ],
  measure: async ({ postgresUrl }, size) => [
    await onSchema(postgresUrl, async (db, counted, pool) => {
      await pool.query(
        `insert into organisation (id, account_id, name, verification_quota, screening_allowance,
           enrichment_budget_micros, rate_per_minute, created_at, version)
         select 'org_' || i, 'acct_' || i, 'x', 0, 0, 0, 0, 0, 1 from generate_series(1, $1::int) as i`,
        [size],
      );
      let operations = 0;
      const called = async (): Promise<unknown> => {
        operations += 1;
        return [newId('org', 0)];
      };
      const deps = {
        db,
        objects: {
          stub: () => ({ listAtWork: called, noteOrganisations: called }),
          now: Date.now,
          counters: { add: () => undefined },
        },
        queues: {
          timers: {
            sendBatch: async (messages: readonly unknown[]) => {
              operations += messages.length;
            },
          },
        },
        counters: { add: () => undefined },
      };
      await wakeOrganisations(deps as unknown as BackgroundDeps);
      return operations + counted.statements;
    }),
  ],
};
