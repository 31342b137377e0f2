import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RETENTION_MS } from '../../../src/domain/bulk/job.ts';
import { LEASE_MS, NO_COUNTS } from '../../../src/domain/bulk/chunks.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { type Id, newId } from '../../../src/kernel/ids.ts';
import { type SweepDeps, sweepBulkFiles } from '../../../src/services/bulk/run-job.ts';
import { createBulk } from '../../support/bulk-object.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { START_MS } from '../../support/records.ts';
import { file } from '../bulk/jobs.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

const START = { kind: 'start', allowPartial: true, notify: false } as const;

describe('a chunk', () => {
  it('is charged when it is claimed, once, and kept with its traces when it is finished, once', async () => {
    const { organisation, ready, move, claim, finish, results, find } = await createBulk(1_000);
    const id = await ready(150);
    await move(id, START);
    const given = await claim(id, 'one');
    expect(await claim(id, 'one')).toEqual(given);
    expect((await organisation.usage()).calls.bulk).toBe(100);
    expect(await finish(id, 0, 'two', 100)).toBe('lost');
    expect(await finish(id, 0, 'one', 98, 2, 400)).toBe('kept');
    const once = organisation.dump();
    expect(await finish(id, 0, 'one', 98, 2, 400)).toBe('kept');
    expect(organisation.dump()).toEqual(once);
    expect(await organisation.usage()).toMatchObject({ calls: { bulk: 98 }, bulkJobs: 1, spendMicros: 400 });
    expect(await results(id)).toEqual([{ from: 0, to: 100, lease: 'one' }]);
    expect((await find(id))?.job).toMatchObject({ counts: { valid: 98 }, rowsDone: 103, chunksDone: 1, charged: 98 });
    expect(once.operation?.filter((row) => (row as { kind: string }).kind === 'trace').length).toBe(1);
  });

  it('settles what its addresses had reserved of the enrichment budget, once', async () => {
    const { organisation, ready, move, claim } = await createBulk(1_000);
    const id = await ready(2);
    await move(id, START);
    await claim(id, 'one');
    for (const requestId of ['vr_1', 'vr_2']) {
      await organisation.object.reserve({ budget: 'enrichment', requestId, totalMicros: 10_000 });
    }
    const finish = (lease: string) =>
      organisation.object.finishChunk({
        id,
        chunk: 0,
        lease,
        outcome: { ...NO_COUNTS, counts: { valid: 2 }, errors: 0 },
        spendMicros: 0,
        providers: [],
        providerMicros: 0,
        observations: [],
        enrichment: [{ requestId: 'vr_1', spentMicros: 4_000 }],
        traces: [],
      });
    expect([await finish('stale'), (await organisation.usage()).enrichmentMicros]).toEqual(['lost', 20_000]);
    for (let times = 0; times < 2; times += 1) {
      expect([await finish('one'), (await organisation.usage()).enrichmentMicros]).toEqual(['last', 14_000]);
    }
  });
});

describe('the timer', () => {
  it('sends a wake-up for each chunk that can be begun, at the start by itself and again every 30 s', async () => {
    const { organisation, ready, move, wakes, claim } = await createBulk(10_000);
    const id = await ready(1_000);
    await move(id, START);
    expect(wakes).toEqual([id, id, id, id]);
    await organisation.object.tick();
    expect(wakes.length).toBe(4);
    await claim(id, 'one');
    pass(30 * SECOND_MS);
    await organisation.object.tick();
    expect(wakes.length).toBe(7);
    organisation.evict();
    pass(30 * SECOND_MS);
    await organisation.object.tick();
    expect(wakes.length).toBe(11);
  });

  it('lets a paused job go on when the month turns', async () => {
    stubNeon().answer = () => 'down';
    const { organisation, ready, move, claim, finish, find } = await createBulk(50);
    vi.setSystemTime(Date.UTC(2026, 10, 28));
    const id = await ready(80);
    await move(id, START);
    await claim(id, 'one');
    await finish(id, 0, 'one', 50);
    expect(await claim(id, 'two')).toBeNull();
    expect((await find(id))?.job.state).toBe('paused_quota');
    expect(await move(id, { kind: 'resume' })).toEqual({ ok: false, why: 'quota' });
    // The first wake-ups have been sent.
    await organisation.object.tick();
    pass(LEASE_MS);
    await organisation.object.tick();
    // The alarm may go off earlier for the outbox, as Postgres is away.
    expect(organisation.dump().timer).toContainEqual({ name: 'bulk', due_at: Date.UTC(2026, 11, 1) });
    vi.setSystemTime(Date.UTC(2026, 11, 1));
    await organisation.object.tick();
    expect((await find(id))?.job.state).toBe('running');
    expect((await claim(id, 'three'))?.claim).toMatchObject({ from: 50, to: 80 });
    expect((await organisation.usage()).calls.bulk).toBe(30);
  });

  it('ends a job after 7 days and deletes its files, those a late holder writes included', async () => {
    const { organisation, ready, find, files } = await createBulk(50);
    const id = await ready(10);
    const key = `orgs/${organisation.settings.id}/jobs/${id}/uploads/rq_1`;
    await files.bucket.put(key, 'email');
    pass(RETENTION_MS - 1);
    await organisation.object.tick();
    expect(files.keys()).toEqual([key]);
    pass(1);
    await organisation.object.tick();
    expect((await find(id))?.job).toMatchObject({ state: 'expired', error: 'expired_unfinished' });
    expect(files.keys()).toEqual([]);
    await files.bucket.put(key, 'late');
    pass(2 * MINUTE_MS);
    await organisation.object.tick();
    expect(files.keys()).toEqual([]);
    pass(DAY_MS);
    const before = organisation.dump();
    await organisation.object.tick();
    expect(organisation.dump().bulk_job).toEqual(before.bulk_job);
  });
});

describe('a job whose 7 days are over is over before the timer says so', () => {
  it('when it is asked for, and its files go then', async () => {
    const { organisation, ready, find, files } = await createBulk(50);
    const id = await ready(10);
    await files.bucket.put(`orgs/${organisation.settings.id}/jobs/${id}/uploads/rq_1`, 'email');
    pass(RETENTION_MS - 1);
    expect((await find(id))?.job.state).toBe('ready');
    pass(1);
    const over = { state: 'expired', error: 'expired_unfinished', filesDeletedAt: Date.now() };
    expect((await find(id))?.job).toMatchObject(over);
    await organisation.object.tick();
    expect(files.keys()).toEqual([]);
    expect((await find(id))?.job).toMatchObject(over);
  });

  it('when it is moved, to which nothing is charged', async () => {
    const { organisation, ready, move, find } = await createBulk(50);
    const [id, other] = [await ready(10), await ready(10)];
    pass(RETENTION_MS);
    expect(await move(id, START)).toEqual({ ok: false, why: 'state' });
    expect(await move(other, { kind: 'remove' })).toMatchObject({ ok: true, record: { job: { state: 'expired' } } });
    expect((await find(id))?.job.state).toBe('expired');
    expect(await organisation.usage()).toMatchObject({ calls: { bulk: 0 }, bulkJobs: 0 });
  });

  it('when a chunk is claimed, renewed or finished; what was charged for it is given back', async () => {
    const { organisation, ready, move, claim, finish, find } = await createBulk(1_000);
    const ids = [await ready(300), await ready(300)] as const;
    pass(RETENTION_MS - SECOND_MS);
    for (const id of ids) {
      await move(id, START);
      await claim(id, `${id} one`);
    }
    expect((await organisation.usage()).calls.bulk).toBe(200);
    pass(SECOND_MS);
    expect(await claim(ids[0], 'two')).toBeNull();
    const held = { id: ids[0], chunk: 0, lease: `${ids[0]} one` };
    expect(await organisation.object.renewChunk({ ...held })).toBe(false);
    expect(await finish(ids[1], 0, `${ids[1]} one`, 100)).toBe('lost');
    for (const id of ids) expect((await find(id))?.job.state).toBe('expired');
    expect((await organisation.usage()).calls.bulk).toBe(0);
  });
});

describe('beside a network that hangs', () => {
  const goOn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('Postgres’ own, a job is begun, woken again, finished, and its files go', async () => {
    const neon = stubNeon();
    neon.answer = () => 'hanging';
    const { organisation, ready, move, wakes, claim, finish, files } = await createBulk(10_000);
    await organisation.object.alarm();
    await goOn();
    expect(neon.statements.length).toBeGreaterThan(0);
    const id = await ready(150);
    await files.bucket.put(`orgs/${organisation.settings.id}/jobs/${id}/uploads/rq_1`, 'email');
    await move(id, START);
    expect(wakes).toEqual([id, id]);
    await goOn();
    pass(30 * SECOND_MS);
    await organisation.object.alarm();
    await goOn();
    expect(wakes).toEqual([id, id, id, id]);
    for (const chunk of [0, 1]) {
      await claim(id, `lease ${chunk}`);
      await finish(id, chunk, `lease ${chunk}`, chunk === 0 ? 100 : 50);
    }
    await move(id, { kind: 'remove' });
    await goOn();
    expect(files.keys()).toEqual([]);
  });

  it('that of a mail, traces are written and other jobs woken', async () => {
    const neon = stubNeon();
    neon.answer = ({ table }) => (table.includes('select') ? 'hanging' : 'written');
    const { organisation, create, move, wakes, claim, finish } = await createBulk(10_000);
    const begin = async (): Promise<Id<'bj'>> => {
      const id = await create({ userId: newId('u', START_MS) });
      await move(id, { kind: 'read', upload: { attempt: 'rq_1', reading: 'rq_1' }, file: file(1) });
      await move(id, { ...START, notify: true });
      await claim(id, id);
      return id;
    };
    const id = await begin();
    await finish(id, 0, id, 1);
    await goOn();
    expect(neon.statements.filter(({ table }) => table.includes('select')).length).toBe(1);
    pass(SECOND_MS);
    await organisation.object.alarm();
    await goOn();
    expect(neon.statements.some(({ table }) => table === 'trace')).toBe(true);
    wakes.length = 0;
    const next = await begin();
    expect(wakes).toEqual([next]);
  });
});

describe('files', () => {
  const keyOf = (bulk: Awaited<ReturnType<typeof createBulk>>, id: string) =>
    `orgs/${bulk.organisation.settings.id}/jobs/${id}/uploads/rq_1`;

  it('stop nothing else when they can’t be deleted now, and are retried', async () => {
    const bulk = await createBulk(50);
    const stuck = await bulk.ready(1);
    pass(1);
    const other = await bulk.ready(1);
    for (const id of [stuck, other]) await bulk.files.bucket.put(keyOf(bulk, id), 'email');
    const list = vi.spyOn(bulk.files.bucket, 'list');
    list.mockImplementationOnce(() => Promise.reject(new Error('R2')));
    pass(RETENTION_MS);
    await bulk.organisation.object.tick();
    expect(bulk.files.keys()).toEqual([keyOf(bulk, stuck)]);
    pass(MINUTE_MS);
    await bulk.organisation.object.tick();
    expect(bulk.files.keys()).toEqual([]);
  });

  it('are swept a day later when the timers missed them, and no others', async () => {
    const bulk = await createBulk(50);
    const { organisation, files } = bulk;
    const old = await bulk.ready(1);
    pass(2 * DAY_MS);
    const young = await bulk.ready(1);
    for (const id of [old, young]) await files.bucket.put(keyOf(bulk, id), 'email');
    const objects = {
      stub: () => organisation.object,
      now: Date.now,
      counters: { add: () => undefined },
    } as unknown as SweepDeps['objects'];
    const sweep = () => sweepBulkFiles({ objects, blobs: files.bucket as unknown as SweepDeps['blobs'] });
    pass(6 * DAY_MS - 1);
    expect(await sweep()).toEqual({ deleted: 0, unreached: 0 });
    pass(1);
    expect(await sweep()).toEqual({ deleted: 1, unreached: 0 });
    expect(files.keys()).toEqual([keyOf(bulk, young)]);
    expect((await bulk.find(old))?.job).toMatchObject({ state: 'expired', filesDeletedAt: Date.now() });
    expect((await bulk.find(young))?.job.state).toBe('ready');
    pass(3 * DAY_MS);
    await organisation.object.destroy();
    expect(await sweep()).toEqual({ deleted: 1, unreached: 0 });
    expect(files.keys()).toEqual([]);
  });

  it('wait for the next night when their object does not answer', async () => {
    const bulk = await createBulk(50);
    const id = await bulk.ready(1);
    await bulk.files.bucket.put(keyOf(bulk, id), 'email');
    pass(8 * DAY_MS);
    const objects = {
      stub: () => ({ bulk: () => Promise.reject(new Error('away')) }),
      now: Date.now,
      counters: { add: () => undefined },
    } as unknown as SweepDeps['objects'];
    const blobs = bulk.files.bucket as unknown as SweepDeps['blobs'];
    expect(await sweepBulkFiles({ objects, blobs })).toEqual({ deleted: 0, unreached: 1 });
    expect(bulk.files.keys()).toEqual([keyOf(bulk, id)]);
  });
});

it('nothing of a deleted organisation is claimed or taken', async () => {
  const { organisation, ready, move, claim, finish } = await createBulk(50);
  const id = await ready(10);
  await move(id, START);
  await claim(id, 'one');
  await organisation.object.destroy();
  expect([await claim(id, 'two'), await finish(id, 0, 'one', 10)]).toEqual([null, 'lost']);
  expect(organisation.dump().outbox).toEqual([]);
});

it('a step that our own transport sends twice is taken once and answered alike', async () => {
  const { ready, move } = await createBulk(50);
  const id = await ready(10);
  const first = await move(id, START, 'rq_a');
  expect(first).toMatchObject({ ok: true });
  expect(await move(id, START, 'rq_a')).toEqual(first);
  expect(await move(id, START, 'rq_b')).toEqual({ ok: false, why: 'state' });
});

it('a rebuilt object has the record of every job, ended', async () => {
  const { organisation, ready, move, find } = await createBulk(50);
  const id = await ready(10);
  await move(id, START);
  const record = await find(id);
  const other = await createBulk(50);
  if (record === null) throw new Error('no job');
  await other.organisation.object.restoreJobs({ jobs: [{ version: 3, record }] });
  expect((await other.find(id))?.job).toMatchObject({ state: 'failed', error: 'internal_error' });
  expect((await other.find(id))?.job.file?.columns).toEqual([]);
  expect(organisation.dump().outbox?.filter((row) => (row as { kind: string }).kind === 'bulk_job').length).toBe(3);
});

it('status counts the jobs that failed on our side, and none whose file can’t be read', async () => {
  const { organisation, create, ready, move, find } = await createBulk(50);
  const failed = async () => (await organisation.object.status())?.jobsFailed;
  for (const error of ['empty_file', 'not_text', 'no_rows', 'too_many_rows', 'too_wide', 'unclosed_quote'] as const) {
    const id = await create();
    expect(await move(id, { kind: 'unreadable', error })).toMatchObject({ ok: true });
    expect((await find(id))?.job).toMatchObject({ state: 'failed', error });
  }
  expect(await failed()).toBe(0);
  const record = await find(await ready(10));
  if (record === null) throw new Error('no job');
  const lost = { ...record, job: { ...record.job, id: newId('bj', Date.now()) } };
  await organisation.object.restoreJobs({ jobs: [{ version: 3, record: lost }] });
  expect(await failed()).toBe(1);
});

type Act = 'start' | 'claim' | 'finish' | 'fail' | 'cancel' | 'remove' | 'resume' | 'quota' | 'pass' | 'tick' | 'evict';
const ACTS: Act[] = [
  'start',
  'claim',
  'finish',
  'fail',
  'cancel',
  'remove',
  'resume',
  'quota',
  'pass',
  'tick',
  'evict',
];

it('whatever happens in whatever order: no address is charged or settled twice, no quota passed, no slot left empty', async () => {
  const act = fc.tuple(
    fc.constantFrom(...ACTS, 'claim' as const, 'finish' as const),
    fc.nat({ max: 3 }),
    fc.nat({ max: 90 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 20, maxLength: 60 }),
      fc.integer({ min: 1, max: 900 }),
      async (acts, start) => {
        vi.setSystemTime(START_MS);
        let quota = start;
        const bulk = await createBulk(quota);
        const ids: Id<'bj'>[] = [];
        for (const unique of [250, 130, 100, 7]) ids.push(await bulk.ready(unique));
        const leases: { id: Id<'bj'>; chunk: number; lease: string; from: number; to: number }[] = [];
        const settled = new Map(ids.map((id) => [id, new Set<number>()]));
        for (const [name, which, amount] of acts) {
          const id = ids[which] as Id<'bj'>;
          const held = leases[amount % Math.max(1, leases.length)];
          const lease = newId('rq', Date.now());
          if (name === 'start') await bulk.move(id, START);
          if (name === 'cancel' || name === 'remove' || name === 'resume') await bulk.move(id, { kind: name });
          if (name === 'pass') pass(amount * SECOND_MS);
          if (name === 'tick') await bulk.organisation.object.tick();
          if (name === 'evict') bulk.organisation.evict();
          if (name === 'quota') {
            quota += amount;
            await bulk.organisation.object.configure({ limits: { verificationQuota: quota } });
          }
          if (name === 'claim') {
            const given = await bulk.claim(id, lease);
            if (given !== null) leases.push({ ...given.claim, id });
          }
          if (name === 'fail' && held !== undefined) {
            const call = { id: held.id, chunk: held.chunk, lease: held.lease, retryAt: Date.now() + 1_000 };
            await bulk.organisation.object.failChunk({ ...call, spendMicros: 0, providers: [], providerMicros: 0 });
          }
          if (name === 'finish' && held !== undefined) {
            const size = held.to - held.from;
            const errors = amount % (size + 1);
            const known = (await bulk.results(held.id)).some((part) => part.lease === held.lease);
            const finished = await bulk.finish(held.id, held.chunk, held.lease, size - errors, errors);
            if (finished !== 'lost' && !known) {
              for (let number = held.from; number < held.to; number += 1) {
                expect(settled.get(held.id)?.has(number)).toBe(false);
                settled.get(held.id)?.add(number);
              }
            }
          }
          const jobs = await bulk.list();
          const { calls } = await bulk.organisation.usage();
          const running = jobs.filter(({ job }) => job.state === 'running').length;
          expect(calls.bulk).toBe(jobs.reduce((sum, { job }) => sum + job.charged, 0));
          expect(calls.bulk).toBeLessThanOrEqual(quota);
          expect(running).toBeLessThanOrEqual(2);
          if (jobs.some(({ job }) => job.state === 'queued')) expect(running).toBe(2);
        }
      },
    ),
    { numRuns: 20 },
  );
});
