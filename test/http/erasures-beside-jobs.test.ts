import { describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { hasher } from '../../src/runtime/hasher.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { onPort } from '../support/on-port.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';

/** Kickbox on this machine, and the addresses that it was sent. */
const asked: string[] = [];
const vendor = await onPort(async (path) => {
  asked.push(new URL(path, 'http://vendor').searchParams.get('email') ?? '');
  return Response.json({ success: true, result: 'undeliverable', reason: 'rejected_email', accept_all: false });
});
const service = await startService({
  KICKBOX_API_KEY: 'key',
  KICKBOX_BASE_URL: vendor,
  KICKBOX_COST_USD: '0.0001',
});
service.faults.delayMs = 0;
// Every byte of every store is looked at.
vi.setConfig({ testTimeout: 120_000 });
const hash = hasher(() => Buffer.from(service.env.HASH_SECRET, 'base64'), 'address');

/** Two chunks: one in progress when the erasures come, one not yet claimed. */
const FILE = Array.from({ length: 102 }, (_, place) => `person${place}@erased.bulk.test`);
const [IN_WORK, AHEAD] = ['person5@erased.bulk.test', 'person101@erased.bulk.test'];

async function erasedMidway() {
  const organisation = await service.createOrganisation();
  const jobs = bulkCalls(service, organisation);
  const id = await jobs.ready(`email\n${FILE.join('\n')}\n`);
  const { object } = service.objectOf(organisation.id);
  const { finishChunk } = object;
  const receipts: unknown[] = [];
  object.finishChunk = async (call) => {
    object.finishChunk = finishChunk;
    for (const email of [IN_WORK, AHEAD])
      receipts.push((await service.call('POST', '/v1/addresses/forget', organisation.keys.admin, { email })).body);
    return finishChunk.call(object, call);
  };
  asked.length = 0;
  await jobs.start(id);
  // The second of two wake-ups is lost, so that the second chunk begins when the first has ended.
  let wakes = 0;
  await service.runJobs(organisation.id, () => {
    wakes += 1;
    return wakes === 2;
  });
  await object.flush(null);
  const hashes = [IN_WORK, AHEAD].map((email) => hash(organisation.id as never, email));
  const found = async () => {
    const lines = await findInStores(service, [...hashes, ...hashes.map((each) => each.slice(0, 32))]);
    return [...new Set(lines.map((line) => line.replace(/ org_\w+|: .*$/g, '')))];
  };
  return { organisation, jobs, id, receipts, found };
}

const midway = await erasedMidway();

describe('an erasure beside a running job', () => {
  it('reaches what the job writes afterwards: no store gets anything under the address’s hash', async () => {
    const { jobs, id, receipts, found } = midway;
    expect(receipts).toMatchObject([{ status: 'done' }, { status: 'done' }]);
    expect(await jobs.job(id)).toMatchObject({ state: 'done', unique: FILE.length });
    expect(await found()).toEqual([]);
  });

  it('no longer sends the address to vendors; earlier decisions stay as numbers that identify no one', async () => {
    const { organisation, jobs, id } = midway;
    expect(asked).toContain(IN_WORK);
    expect(asked).not.toContain(AHEAD);
    const rows = (await (await jobs.download(id)).text()).trimEnd().split('\n');
    expect(rows.filter((row) => row.startsWith(`${AHEAD},error,`))).toHaveLength(1);
    expect(rows.filter((row) => row.includes(',ok,'))).toHaveLength(FILE.length - 1);
    const { body } = await service.call('GET', '/v1/usage', organisation.keys.viewer);
    expect(body.quota.used).toBe(FILE.length - 1);
    const query = 'select display, domain, address_hash from trace where bulk_job_id = $1 and address_hash is null';
    expect((await service.database.query(query, [id])).rows).toEqual([['•••', '', null]]);
  });

  it('keeps the job from putting the address on a list, too', async () => {
    const { organisation, jobs, id } = midway;
    const [erased, other] = ['person7@erased.bulk.test', 'person8@erased.bulk.test'];
    await service.call('POST', '/v1/addresses/forget', organisation.keys.admin, { email: erased });
    for (const segment of ['undeliverable', 'review'])
      expect((await jobs.call('POST', `/${id}/block`, { segment })).status).toBe(200);
    const rule = async (email: string) =>
      (await service.call('POST', '/v1/addresses/check', organisation.keys.viewer, { email })).body.org_rule;
    expect([await rule(erased), await rule(other)]).toEqual([null, 'block']);
  });

  it('lets a later file contain it again', async () => {
    const { jobs } = midway;
    const later = await jobs.ready(`email\n${AHEAD}\n`);
    await jobs.start(later);
    await jobs.run();
    expect(await jobs.job(later)).toMatchObject({ state: 'done', providers_asked: 1 });
    expect(asked).toContain(AHEAD);
    await jobs.call('DELETE', `/${later}`);
  });

  it('leaves a mark that matches nothing, until the job’s file is gone', async () => {
    const { organisation, jobs, id } = midway;
    const { sql } = service.objectOf(organisation.id).storage;
    const marks = () => sql.exec('select * from erased_mark').toArray().length;
    expect(marks()).toBe(3);
    await jobs.call('DELETE', `/${id}`);
    // Until then a worker that had read the file may still write.
    vi.useFakeTimers({ now: Date.now() + 3 * MINUTE_MS, toFake: ['Date'] });
    await jobs.run();
    expect(marks()).toBe(0);
  });
});
