import { describe, expect, it } from 'vitest';
import { bringUpToDate } from '../../../src/organisation/schema.ts';
import { listTimers, setTimer } from '../../../src/organisation/sql/organisation.ts';
import { type TimerName, Timers, type TimerWork } from '../../../src/organisation/timers.ts';
import { createObjectStorage, type ObjectStorage } from '../../support/object-storage.ts';

const NOW = 1_800_000_000_000;
const never = (): null => null;
const NEVER: TimerWork = async () => never;

function createMigratedStorage(): ObjectStorage {
  const storage = createObjectStorage();
  bringUpToDate(storage.sql, (work) => storage.transactionSync(work));
  return storage;
}

/** Timers with storage and a clock of their own, which record alarms, runs and failures. */
function createTimers(work: Partial<Record<TimerName, TimerWork>> = {}, storage = createMigratedStorage()) {
  const { sql } = storage;
  const alarms: number[] = [];
  const failed: string[] = [];
  const ran: string[] = [];
  const time = { now: NOW };
  const heard =
    (name: TimerName): TimerWork =>
    (now) => {
      ran.push(name);
      return (work[name] ?? NEVER)(now);
    };
  const timers = new Timers(
    sql,
    () => time.now,
    {
      outbox: heard('outbox'),
      expiry: heard('expiry'),
      recompute: heard('recompute'),
      bulk: heard('bulk'),
      erasure: heard('erasure'),
      bulk_files: heard('bulk_files'),
      bulk_mails: heard('bulk_mails'),
      people_mails: heard('people_mails'),
      invitations: heard('invitations'),
      alert_mails: heard('alert_mails'),
    },
    (dueAt) => alarms.push(dueAt),
    (name, error) => failed.push(`${name}: ${(error as Error).message}`),
  );
  const rows = () => Object.fromEntries(listTimers(sql).map(({ name, due_at }) => [name, due_at]));
  const runAt = (now: number): Promise<void> => {
    time.now = now;
    return timers.run();
  };
  return { sql, timers, alarms, failed, ran, rows, runAt, time };
}

/** Work that ends when `end` is called. */
function createSlow(nextAt: () => number | null = never) {
  const end = Promise.withResolvers<void>();
  return { work: (async () => (await end.promise, nextAt)) satisfies TimerWork, end: end.resolve };
}

describe('arming', () => {
  it('writes a row and sets the alarm once, however often it is asked for', () => {
    const { timers, alarms, rows } = createTimers();
    for (let i = 0; i < 5; i += 1) timers.arm('erasure', NOW + i);
    expect(rows()).toEqual({ erasure: NOW });
    expect(alarms).toEqual([NOW]);
  });

  it('leaves a set timer alone, also for an earlier time', () => {
    const { timers, alarms, rows } = createTimers();
    timers.arm('erasure', NOW + 60_000);
    timers.arm('erasure', NOW);
    expect(rows()).toEqual({ erasure: NOW + 60_000 });
    expect(alarms).toEqual([NOW + 60_000]);
  });

  it('sets the one alarm to the earliest of all', () => {
    const { timers, alarms } = createTimers();
    timers.arm('erasure', NOW + 1_000);
    timers.arm('expiry', NOW + 3_600_000);
    expect(alarms.at(-1)).toBe(NOW + 1_000);
  });

  it('is remembered after a restart', () => {
    const storage = createMigratedStorage();
    createTimers({}, storage).timers.arm('erasure', NOW);
    const again = createTimers({}, storage);
    again.timers.arm('erasure', NOW + 1_000);
    expect(again.rows()).toEqual({ erasure: NOW });
    expect(again.alarms).toEqual([]);
  });

  it('leaves every timer as it was when its transaction is rolled back, to be set again', () => {
    const storage = createMigratedStorage();
    const { timers, rows } = createTimers({}, storage);
    timers.arm('expiry', NOW + 5_000);
    const work = () => {
      timers.arm('erasure', NOW);
      timers.advance('expiry', NOW + 1_000);
      throw new Error('rolled back');
    };
    expect(() => timers.transact((all) => storage.transactionSync(all), work)).toThrow('rolled back');
    timers.arm('erasure', NOW + 1);
    expect(rows()).toEqual({ erasure: NOW + 1, expiry: NOW + 5_000 });
  });
});

describe('the outbox’s timer', () => {
  it('has no row: what waits is found when the object starts', async () => {
    const { timers, alarms, ran, rows, runAt } = createTimers();
    timers.arm('outbox', NOW);
    expect({ rows: rows(), alarms }).toEqual({ rows: {}, alarms: [NOW] });
    await runAt(NOW);
    expect(ran).toEqual(['outbox']);
  });
});

describe('the alarm', () => {
  it('is left when it is set too early, and corrected when it fires in vain', async () => {
    const { timers, alarms, runAt, time } = createTimers();
    timers.arm('expiry', NOW + 3_600_000);
    timers.arm('outbox', NOW);
    await runAt(NOW);
    // The last alarm covers work that may be lost with its object.
    expect(alarms).toEqual([NOW + 3_600_000, NOW, NOW + 30_000]);
    time.now = NOW + 30_000;
    await timers.ring();
    expect(alarms.at(-1)).toBe(NOW + 3_600_000);
  });

  it('is set again for what is left after it fired', async () => {
    const { timers, alarms, time } = createTimers();
    timers.arm('outbox', NOW);
    timers.arm('erasure', NOW + 1_000);
    time.now = NOW;
    await timers.ring();
    expect(alarms.at(-1)).toBe(NOW + 1_000);
  });
});

describe('running', () => {
  it('does what is due and leaves the rest, with the alarm set for it', async () => {
    const { timers, alarms, ran, rows, runAt } = createTimers();
    timers.arm('erasure', NOW);
    timers.arm('expiry', NOW + 1);
    await runAt(NOW);
    expect(ran).toEqual(['erasure']);
    expect(rows()).toEqual({ expiry: NOW + 1 });
    expect(alarms.at(-1)).toBe(NOW + 1);
  });

  it('sets the timer again when its work says so', async () => {
    const { timers, alarms, rows, runAt } = createTimers({ erasure: async (now) => () => now + 5_000 });
    timers.arm('erasure', NOW);
    await runAt(NOW);
    expect(rows()).toEqual({ erasure: NOW + 5_000 });
    expect(alarms.at(-1)).toBe(NOW + 5_000);
  });

  it('before anything is due, as an early alarm does, only sets the alarm again', async () => {
    const { timers, alarms, ran, runAt } = createTimers();
    timers.arm('erasure', NOW);
    await runAt(NOW - 1);
    expect(ran).toEqual([]);
    expect(alarms).toEqual([NOW, NOW]);
  });

  it('sets no alarm without a timer', async () => {
    const { alarms, runAt } = createTimers();
    await runAt(NOW);
    expect(alarms).toEqual([]);
  });

  it.each(['erasure', 'expiry'] as const)(
    'tries a failing %s timer again, and never lets it stop the other',
    async (failing) => {
      const { timers, alarms, ran, failed, rows, runAt } = createTimers({
        [failing]: async () => {
          throw new Error('broken');
        },
      });
      timers.arm('erasure', NOW);
      timers.arm('expiry', NOW);
      await runAt(NOW);
      expect(ran.toSorted()).toEqual(['erasure', 'expiry']);
      expect(failed).toEqual([`${failing}: broken`]);
      expect(rows()).toEqual({ [failing]: NOW + 30_000 });
      expect(alarms.at(-1)).toBe(NOW + 30_000);
      await runAt(NOW + 30_000);
      expect(failed).toHaveLength(2);
    },
  );

  it('finds a timer whose alarm was lost', async () => {
    const storage = createMigratedStorage();
    setTimer(storage.sql, 'expiry', NOW - 3_600_000);
    const { ran, runAt } = createTimers({}, storage);
    await runAt(NOW);
    expect(ran).toEqual(['expiry']);
  });

  it('lets a timer that is armed by another’s work run at once', async () => {
    const late: { timers?: Timers } = {};
    const { timers, alarms, rows, runAt } = createTimers({
      expiry: async (now) => {
        late.timers?.arm('erasure', now);
        return () => now + 1_000;
      },
    });
    late.timers = timers;
    timers.arm('expiry', NOW);
    await runAt(NOW);
    expect(rows()).toEqual({ erasure: NOW, expiry: NOW + 1_000 });
    expect(alarms.at(-1)).toBe(NOW);
  });

  it('keeps no timer waiting for another’s work', async () => {
    const slow = createSlow();
    const { timers, ran, rows, runAt } = createTimers({ erasure: slow.work });
    timers.arm('erasure', NOW);
    const running = runAt(NOW);
    for (const name of ['expiry', 'bulk_mails'] as const) timers.arm(name, NOW + 1);
    const later = runAt(NOW + 1);
    await Promise.resolve();
    expect(ran).toEqual(['erasure', 'expiry', 'bulk_mails']);
    slow.end();
    await Promise.all([running, later]);
    expect(rows()).toEqual({});
  });

  it('does not begin a timer that is at work, and waits for it', async () => {
    const slow = createSlow();
    const { timers, ran, runAt } = createTimers({ erasure: slow.work });
    timers.arm('erasure', NOW);
    const runs = [runAt(NOW), runAt(NOW), runAt(NOW + 60_000)];
    const ended: number[] = [];
    for (const [i, run] of runs.entries()) void run.then(() => ended.push(i));
    await new Promise((resolve) => setTimeout(resolve));
    expect([ran, ended]).toEqual([['erasure'], []]);
    slow.end();
    await Promise.all(runs);
    expect(ran).toEqual(['erasure']);
  });

  it('keeps an alarm set for work that may end with its object, and a new object takes the work up', async () => {
    const storage = createMigratedStorage();
    const { timers, alarms, rows, runAt } = createTimers({ erasure: createSlow().work }, storage);
    timers.arm('erasure', NOW);
    timers.arm('expiry', NOW + 3_600_000);
    void runAt(NOW);
    expect(alarms.at(-1)).toBe(NOW + 30_000);
    expect(rows()).toMatchObject({ erasure: NOW });
    const again = createTimers({}, storage);
    await again.runAt(NOW + 30_000);
    expect(again.ran).toEqual(['erasure']);
  });

  it('asks when a timer is due again once its work has ended, so that what came meanwhile counts', async () => {
    let dueAt: number | null = null;
    const slow = createSlow(() => dueAt);
    const { timers, alarms, rows, runAt } = createTimers({ bulk: slow.work });
    timers.arm('bulk', NOW);
    const running = runAt(NOW);
    timers.advance('bulk', NOW + 1);
    dueAt = NOW + 1;
    slow.end();
    await running;
    expect(rows()).toEqual({ bulk: NOW + 1 });
    expect(alarms.at(-1)).toBe(NOW + 1);
  });

  it('begins a timer that is advanced to now without an alarm', async () => {
    const { timers, ran, rows } = createTimers();
    timers.advance('bulk', NOW);
    expect(ran).toEqual([]);
    await Promise.resolve();
    expect(ran).toEqual(['bulk']);
    await timers.run();
    expect(rows()).toEqual({});
  });

  it('keeps the timers of bulk jobs in one row, which says when the first of them is due', async () => {
    const storage = createMigratedStorage();
    const { timers, rows } = createTimers({}, storage);
    timers.advance('bulk_files', NOW + 3);
    timers.advance('bulk', NOW + 2);
    expect(rows()).toEqual({ bulk: NOW + 2 });
    const { ran, runAt } = createTimers({}, storage);
    await runAt(NOW + 2);
    expect(ran).toEqual(['bulk', 'bulk_files', 'bulk_mails']);
  });

  // The organisation is deleted while the outbox timer waits for Postgres.
  it('never brings back a timer that was cleared while it was at work', async () => {
    const slow = createSlow(() => NOW + 1);
    const { sql, timers, alarms, rows, runAt } = createTimers({ erasure: slow.work });
    timers.arm('erasure', NOW);
    const running = runAt(NOW);
    sql.exec('delete from timer');
    timers.clear();
    const before = alarms.length;
    slow.end();
    await running;
    expect(rows()).toEqual({});
    expect(alarms.length).toBe(before);
  });
});
