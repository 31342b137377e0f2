import { type Boundary, post, someone, usageOf, usd } from './boundary.ts';
import { readJob, stageFile, untilEnded } from './files.ts';
import { CLIENTS } from './world.ts';

export const JOBS: readonly Boundary[] = [
  {
    what: 'lease: one job started by all',
    boundary: 'each chunk is done once, 300 addresses',
    requests: CLIENTS,
    authorized: 1,
    refused: ['409 invalid_request'],
    async stage(world) {
      const org = await world.organisation();
      const emails = Array.from({ length: 300 }, (_, at) => someone('lease', at));
      const id = await stageFile(world, org, emails);
      return {
        send: () => post(`bulk/jobs/${id}/start`, org.member, {}),
        async after() {
          await untilEnded(world, org, [id]);
          const { calls, provider_spend_usd: spent } = await usageOf(world, org);
          const asked = world.providerCalls('lease-');
          const { progress } = await readJob(world, org, id);
          return {
            charged: [calls.bulk, 300],
            rows: [progress?.rows_done, 300],
            'addresses asked about twice': [asked.length - new Set(asked).size, 0],
            spent: [spent, usd(asked.length, world.priceUsd)],
          };
        },
      };
    },
  },
  {
    what: 'lease: a job of each client',
    boundary: 'two jobs at a time, 3 addresses each',
    requests: CLIENTS,
    authorized: CLIENTS,
    refused: [],
    async stage(world) {
      const org = await world.organisation({ provider_budget_usd: 0 });
      const ids = await Promise.all(
        Array.from({ length: CLIENTS }, (_, job) =>
          stageFile(
            world,
            org,
            [0, 1, 2].map((at) => someone(`job${job}`, at)),
          ),
        ),
      );
      return {
        send: (at) => post(`bulk/jobs/${ids[at]}/start`, org.member, {}),
        async after() {
          const mostAtOnce = await untilEnded(world, org, ids);
          const { calls } = await usageOf(world, org);
          return { charged: [calls.bulk, 3 * CLIENTS], 'more than two at a time': [mostAtOnce > 2, false] };
        },
      };
    },
  },
];
