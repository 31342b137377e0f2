import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCron } from '../../src/entrypoints/cron/scheduled.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { failedDependency } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openBackground } from '../../src/runtime/wiring.ts';
import { startService } from '../support/service.ts';

vi.useFakeTimers({ toFake: ['Date'] });
/** Noon of a day. */
const NOON = Date.UTC(2026, 9, 20, 12);
vi.setSystemTime(NOON);

const service = await startService();
service.faults.delayMs = 0;
const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];

/** Runs the five-minute cron. Returns the organisations it sends nights for. */
async function sweep(): Promise<string[]> {
  try {
    await runCron(
      '*/5 * * * *',
      openBackground(service.env as never, () => undefined),
    );
  } finally {
    await service.deliverSteps();
  }
  return (service.nights as { organisationId: string }[]).map(({ organisationId }) => organisationId);
}
/** When each cron step last ran, with its report. */
async function steps() {
  const { rows } = await service.database.query('select step, started_at, report from cron_step', []);
  return new Map(
    rows.map(([step, at, report]) => [String(step), { at: Number(at), report: JSON.parse(String(report)) }]),
  );
}
/** For each step of an organisation, the start of the run it last belonged to. */
async function nightOf(id: string) {
  const { rows } = await service.database.query(
    'select step, run_at, ok from nightly_step where organisation_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map(([step, at, ok]) => [step, { at: Number(at), ok: ok === 't' }]));
}

const at = (day: number, time: number): void => void vi.setSystemTime(NOON - 12 * HOUR_MS + day * DAY_MS + time);
const NIGHT = 3 * HOUR_MS + 17 * MINUTE_MS;
const ONCE_A_NIGHT = ['nightly', 'partitions', 'old_rows', 'bulk_files', 'disposable_lists', 'suspected_back_ends'];

describe('a missed night', () => {
  it('is not reported of a service that is younger than that night', async () => {
    expect(await sweep()).toEqual([]);
    expect([...(await steps()).keys()]).toEqual(['wake']);
  });

  it('is taken up by the next sweep once its time is over, every step and every organisation', async () => {
    at(1, NIGHT);
    service.faults.down = true;
    await expect(service.runNight()).rejects.toThrow('steps failed');
    await expect(sweep()).rejects.toThrow('Failed query');
    service.faults.down = false;
    at(1, NIGHT + 10 * MINUTE_MS);
    expect(await sweep()).toEqual([]);
    at(1, NIGHT + 20 * MINUTE_MS);
    const sent = await sweep();
    expect(sent).toEqual(expect.arrayContaining([mine.id, other.id]));
    for (const name of ONCE_A_NIGHT) expect((await steps()).get(name)).toMatchObject({ at: Date.now() });
    expect(await service.deliverNights()).toEqual([]);
    expect(await nightOf(mine.id)).toEqual({
      retention: { at: Date.now(), ok: true },
      rollups: { at: Date.now(), ok: true },
      back_ends: { at: Date.now(), ok: true },
      calibration: { at: Date.now(), ok: true },
      history: { at: Date.now(), ok: true },
      usage: { at: Date.now(), ok: true },
    });
  });

  it('is not repeated when it was complete', async () => {
    const before = await steps();
    at(1, NIGHT + 8 * HOUR_MS);
    expect(await sweep()).toEqual([]);
    const after = await steps();
    for (const name of ONCE_A_NIGHT) expect(after.get(name)).toEqual(before.get(name));
    expect(after.get('nightly_again')?.report).toEqual({ organisations: 0 });
  });

  it('is made whole by the steps that failed alone', async () => {
    at(2, NIGHT);
    await service.runNight();
    const before = await steps();
    await service.database.query(`update cron_step set report = '{"failed":"Error"}' where step = 'old_rows'`, []);
    at(2, NIGHT + 30 * MINUTE_MS);
    expect(await sweep()).toEqual([]);
    const after = await steps();
    for (const name of ONCE_A_NIGHT)
      expect([name, after.get(name)?.at]).toEqual([name, name === 'old_rows' ? Date.now() : before.get(name)?.at]);
  });

  it('is sent again three hours later to an organisation whose message was lost, without the steps it has had', async () => {
    at(3, NIGHT);
    await service.runNight(other.id);
    const runAt = Date.now();
    await service.database.query(`update nightly_step set ok = false where organisation_id = $1 and step = 'rollups'`, [
      other.id,
    ]);
    at(3, NIGHT + HOUR_MS);
    expect(await sweep()).toEqual([]);
    at(3, NIGHT + 3 * HOUR_MS);
    const sent = await sweep();
    expect(sent).toEqual(expect.arrayContaining([mine.id, other.id]));
    expect(await service.deliverNights()).toEqual([]);
    expect(await nightOf(other.id)).toEqual({
      retention: { at: runAt, ok: true },
      rollups: { at: Date.now(), ok: true },
      back_ends: { at: runAt, ok: true },
      calibration: { at: runAt, ok: true },
      history: { at: runAt, ok: true },
      usage: { at: runAt, ok: true },
    });
    at(3, NIGHT + 7 * HOUR_MS);
    expect(await sweep()).toEqual([]);
  });
});

describe('a step that fails', () => {
  const { list } = service.env.BULK_FILES;
  /** Makes listing files fail unless told otherwise, and counts the tries. */
  function breakFiles(work: () => Promise<unknown> = () => Promise.reject(new Error('R2 is away'))): () => number {
    let tries = 0;
    service.env.BULK_FILES.list = async () => {
      tries += 1;
      return (await work()) as never;
    };
    return () => tries;
  }
  const mendFiles = (): void => void (service.env.BULK_FILES.list = list);
  const stepOf = async (name: string) => (await steps()).get(name);

  it('is tried again after ever longer pauses, in place of every five minutes', async () => {
    at(4, NIGHT);
    const tries = breakFiles();
    await expect(service.runNight()).rejects.toThrow('bulk_files');
    expect(await stepOf('bulk_files')).toMatchObject({ report: { failed: 'DependencyError', tries: 2 } });
    const triedAt: number[] = [];
    for (let minute = 20; minute < 8 * 60; minute += 5) {
      at(4, NIGHT + minute * MINUTE_MS);
      const before = tries();
      await sweep().catch(() => undefined);
      if (tries() > before) triedAt.push(minute);
    }
    expect(triedAt).toEqual([30, 90, 210, 450]);
    mendFiles();
    at(4, NIGHT + 8 * HOUR_MS + 10 * MINUTE_MS);
    await sweep();
    expect(await stepOf('bulk_files')).toMatchObject({ report: { failed: 'DependencyError' } });
    at(4, NIGHT + 12 * HOUR_MS);
    await sweep();
    expect(await stepOf('bulk_files')).toMatchObject({ at: Date.now(), report: { deleted: 0 } });
  });

  it('is known to have begun when its invocation ends, and is taken up when its time is over', async () => {
    at(5, NIGHT);
    await service.runNight();
    const begun = { failed: 'unfinished', tries: 1 };
    await service.database.query(`update cron_step set report = $1 where step = 'bulk_files'`, [JSON.stringify(begun)]);
    await service.database.query(`update cron_step set started_at = $1 where step = 'bulk_files'`, [
      String(Date.now() + 10 * MINUTE_MS),
    ]);
    at(5, NIGHT + 20 * MINUTE_MS);
    await sweep();
    expect(await stepOf('bulk_files')).toMatchObject({ report: begun });
    at(5, NIGHT + 25 * MINUTE_MS);
    await sweep();
    expect(await stepOf('bulk_files')).toMatchObject({ at: Date.now(), report: { deleted: 0 } });
  });

  it('runs once, however many runs of the cron find it undone', async () => {
    at(6, NIGHT + 30 * MINUTE_MS);
    const [hasBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const tries = breakFiles(async () => {
      hasBegun.resolve();
      await mayEnd.promise;
      return list({ prefix: '' });
    });
    const first = sweep();
    await hasBegun.promise;
    at(6, NIGHT + 35 * MINUTE_MS);
    await sweep();
    expect(await stepOf('bulk_files')).toMatchObject({ report: { failed: 'unfinished', tries: 1 } });
    mayEnd.resolve();
    await first;
    mendFiles();
    expect(tries()).toBe(1);
    expect(await stepOf('bulk_files')).toMatchObject({ report: { deleted: 0 } });
    await service.deliverNights();
  });

  it('fails the run as an outage when an outage alone is the cause', async () => {
    at(7, NIGHT + 30 * MINUTE_MS);
    breakFiles();
    expect(failedDependency(await sweep().catch((error: unknown) => error))).toBe('r2');
    mendFiles();
    await service.deliverNights();
  });
});

describe('a page of messages that the queue does not take', () => {
  const { sendBatch } = service.env.NIGHTLY_QUEUE;
  /** Creates this many more organisations, newest first. */
  async function enterOrganisations(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, place) => newId('org', Date.now() + place));
    const limits = 'verification_quota, screening_allowance, enrichment_budget_micros, rate_per_minute';
    for (const id of ids)
      await service.database.query(
        `insert into organisation (id, account_id, name, ${limits}, created_at, version) values ($1, $1, 'x', 0, 0, 0, 1, 0, 1)`,
        [id],
      );
    return ids.reverse();
  }
  afterEach(async () => {
    service.env.NIGHTLY_QUEUE.sendBatch = sendBatch;
    service.nights.length = 0;
    await service.database.query(`delete from organisation where name = 'x'`, []);
  });

  it('is named, and sent again alone', async () => {
    at(8, 0);
    const newest = (await enterOrganisations(120)).slice(0, 100);
    service.env.NIGHTLY_QUEUE.sendBatch = async (batch) => {
      if (JSON.stringify(batch).includes(newest[0] ?? '')) throw new Error('the queue is away');
      return sendBatch(batch);
    };
    at(8, NIGHT + 20 * MINUTE_MS);
    const failed: unknown = await sweep().catch((error: unknown) => error);
    expect(failedDependency(failed)).toBe('queue');
    expect((await steps()).get('nightly')?.report).toEqual({ failed: 'Unsent', unsent: newest, tries: 1 });
    service.env.NIGHTLY_QUEUE.sendBatch = sendBatch;
    service.nights.length = 0;
    at(8, NIGHT + 30 * MINUTE_MS);
    expect(await sweep()).toEqual([]);
    at(8, NIGHT + 35 * MINUTE_MS);
    expect(await sweep()).toEqual(newest);
    expect((await steps()).get('nightly')?.report).toEqual({ organisations: 100 });
  });

  it('is the second in a row: the queue is offered no further page, and every organisation is named', async () => {
    at(9, 0);
    const entered = await enterOrganisations(420);
    let batches = 0;
    service.env.NIGHTLY_QUEUE.sendBatch = async (batch) => {
      if (JSON.stringify(batch).includes('"night"')) batches += 1;
      throw new Error('the queue is away');
    };
    at(9, NIGHT + 20 * MINUTE_MS);
    await sweep().catch(() => undefined);
    expect(batches).toBe(4);
    const { failed, unsent } = (await steps()).get('nightly')?.report ?? {};
    expect(failed).toBe('Unsent');
    expect(unsent).toEqual(expect.arrayContaining([...entered, mine.id, other.id]));
  });
});

it('the wake-up of every organisation cuts nothing off when it fails', async () => {
  const { sendBatch } = service.env.WAKE_QUEUE;
  service.env.WAKE_QUEUE.sendBatch = () => Promise.reject(new Error('the queue is away'));
  at(10, NIGHT + 20 * MINUTE_MS);
  await expect(sweep()).rejects.toThrow('sendBatch failed');
  service.env.WAKE_QUEUE.sendBatch = sendBatch;
  for (const name of ONCE_A_NIGHT) expect((await steps()).get(name)).toMatchObject({ at: Date.now() });
  await service.deliverNights();
});
