import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob } from '../../src/contract/bulk.ts';
import type { Organisation, World } from './world.ts';

const ENDED: readonly BulkJob['state'][] = ['done', 'failed', 'cancelled', 'expired', 'paused_quota'];
const POLL_MS = 200;
const ENDS_WITHIN_MS = 180_000;

/** A job with these addresses, ready to be started. */
export async function stageFile({ must }: World, { member }: Organisation, emails: readonly string[]): Promise<string> {
  const { job } = await must({ method: 'POST', path: '/v1/bulk/jobs', key: member, body: {} });
  const id = job.id as string;
  await must({ method: 'POST', path: `/v1/bulk/jobs/${id}/paste`, key: member, body: { emails } });
  return id;
}

export const readJob = async ({ must }: World, { member }: Organisation, id: string): Promise<BulkJob> =>
  (await must({ method: 'GET', path: `/v1/bulk/jobs/${id}`, key: member })).job;

/** Waits until these jobs have ended or wait for quota. Returns the most that ran at once. */
export async function untilEnded(world: World, { member }: Organisation, ids: readonly string[]): Promise<number> {
  const until = Date.now() + ENDS_WITHIN_MS;
  let mostAtOnce = 0;
  for (;;) {
    const { jobs } = await world.must({ method: 'GET', path: '/v1/bulk/jobs?limit=100', key: member });
    const own = (jobs as BulkJob[]).filter(({ id }) => ids.includes(id));
    mostAtOnce = Math.max(mostAtOnce, own.filter(({ state }) => state === 'running').length);
    if (own.length === ids.length && own.every(({ state }) => ENDED.includes(state))) return mostAtOnce;
    if (Date.now() > until) throw new Error(`jobs do not end: ${own.map(({ state }) => state).join(', ')}`);
    await sleep(POLL_MS);
  }
}
