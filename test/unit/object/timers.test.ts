import { describe, expect, it } from 'vitest';
import { listTimers, setTimer } from '../../../src/domain/organisation/object-store.ts';
import { OBJECT_MIGRATIONS } from '../../../src/entrypoints/object/migrations.ts';
import { type TimerName, Timers, type TimerWork } from '../../../src/entrypoints/object/timers.ts';
import { migrateObject } from '../../../src/platform/migrate-object.ts';
import { createObjectStorage, type ObjectStorage } from '../../support/object-storage.ts';

const NOW = 1_800_000_000_000;
const NEVER: TimerWork = async () => null;

function createMigratedStorage(): ObjectStorage {
  const storage = createObjectStorage();
  migrateObject(storage.sql, (work) => storage.transactionSync(work), OBJECT_MIGRATIONS);
  return storage;
}

/** Timers over a storage of their own, with everything they were heard to do. */
function createTimers(work: Partial<Record<TimerName, TimerWork>> = {}, { sql } = createMigratedStorage()) {
  const alarms: number[] = [];
  const failed: string[] = [];
  const ran: string[] = [];
  const heard = (name: TimerName, now: number): Promise<number | null> => {
    ran.push(name);
    return (work[name] ?? NEVER)(now);
  };
  const timers = new Timers(
    sql,
    { outbox: (now) => heard('outbox', now), ledger: (now) => heard('ledger', now), bulk: (now) => heard('bulk', now) },
    (dueAt) => alarms.push(dueAt),
    (name, error) => failed.push(`${name}: ${(error as Error).message}`),
  );
  const rows = () => Object.fromEntries(listTimers(sql).map(({ name, due_at }) => [name, due_at]));
  return { sql, timers, alarms, failed, ran, rows };
}

describe('arming', () => {
  it('writes a row and sets the alarm once, however often it is asked for', () => {
    const { timers, alarms, rows } = createTimers();
    for (let i = 0; i < 5; i += 1) timers.arm('outbox', NOW + i);
    expect(rows()).toEqual({ outbox: NOW });
    expect(alarms).toEqual([NOW]);
  });

  it('leaves a set timer alone, also for an earlier time', () => {
    const { timers, alarms, rows } = createTimers();
    timers.arm('outbox', NOW + 60_000);
    timers.arm('outbox', NOW);
    expect(rows()).toEqual({ outbox: NOW + 60_000 });
    expect(alarms).toEqual([NOW + 60_000]);
  });

  it('sets the one alarm to the earliest of all', () => {
    const { timers, alarms } = createTimers();
    timers.arm('outbox', NOW + 1_000);
    timers.arm('ledger', NOW + 3_600_000);
    expect(alarms.at(-1)).toBe(NOW + 1_000);
  });

  it('is remembered after a restart', () => {
    const storage = createMigratedStorage();
    createTimers({}, storage).timers.arm('outbox', NOW);
    const again = createTimers({}, storage);
    again.timers.arm('outbox', NOW + 1_000);
    expect(again.rows()).toEqual({ outbox: NOW });
    expect(again.alarms).toEqual([]);
  });
});

describe('running', () => {
  it('does what is due and leaves the rest, with the alarm set for it', async () => {
    const { timers, alarms, ran, rows } = createTimers();
    timers.arm('outbox', NOW);
    timers.arm('ledger', NOW + 1);
    await timers.run(NOW);
    expect(ran).toEqual(['outbox']);
    expect(rows()).toEqual({ ledger: NOW + 1 });
    expect(alarms.at(-1)).toBe(NOW + 1);
  });

  it('sets the timer again when its work says so', async () => {
    const { timers, alarms, rows } = createTimers({ outbox: async (now) => now + 5_000 });
    timers.arm('outbox', NOW);
    await timers.run(NOW);
    expect(rows()).toEqual({ outbox: NOW + 5_000 });
    expect(alarms.at(-1)).toBe(NOW + 5_000);
  });

  it('before anything is due, as an early alarm does, only sets the alarm again', async () => {
    const { timers, alarms, ran } = createTimers();
    timers.arm('outbox', NOW);
    await timers.run(NOW - 1);
    expect(ran).toEqual([]);
    expect(alarms).toEqual([NOW, NOW]);
  });

  it('with no timer sets no alarm', async () => {
    const { timers, alarms } = createTimers();
    await timers.run(NOW);
    expect(alarms).toEqual([]);
  });

  it.each(['outbox', 'ledger'] as const)(
    'tries a failing %s timer again, and never lets it stop the other',
    async (failing) => {
      const { timers, alarms, ran, failed, rows } = createTimers({
        [failing]: async () => {
          throw new Error('broken');
        },
      });
      timers.arm('outbox', NOW);
      timers.arm('ledger', NOW);
      await timers.run(NOW);
      expect(ran.toSorted()).toEqual(['ledger', 'outbox']);
      expect(failed).toEqual([`${failing}: broken`]);
      expect(rows()).toEqual({ [failing]: NOW + 60_000 });
      expect(alarms.at(-1)).toBe(NOW + 60_000);
      await timers.run(NOW + 60_000);
      expect(failed).toHaveLength(2);
    },
  );

  it('finds a timer whose alarm was lost', async () => {
    const storage = createMigratedStorage();
    setTimer(storage.sql, 'ledger', NOW - 3_600_000);
    const { timers, ran } = createTimers({}, storage);
    await timers.run(NOW);
    expect(ran).toEqual(['ledger']);
  });

  it('lets a timer that is armed by another’s work run at once', async () => {
    const late: { timers?: Timers } = {};
    const { timers, alarms, rows } = createTimers({
      ledger: async (now) => {
        late.timers?.arm('outbox', now);
        return now + 1_000;
      },
    });
    late.timers = timers;
    timers.arm('ledger', NOW);
    await timers.run(NOW);
    expect(rows()).toEqual({ outbox: NOW, ledger: NOW + 1_000 });
    expect(alarms.at(-1)).toBe(NOW);
  });

  // The organisation is deleted while the outbox timer waits for Postgres: what was due behind it must not come back.
  it('does not go on with timers that were cleared meanwhile', async () => {
    const late: { timers?: Timers } = {};
    const { sql, timers, ran, rows } = createTimers({
      outbox: async () => {
        sql.exec('delete from timer');
        late.timers?.clear();
        return null;
      },
      ledger: async () => {
        throw new Error('no organisation in this object');
      },
    });
    late.timers = timers;
    timers.arm('outbox', NOW);
    timers.arm('ledger', NOW);
    await timers.run(NOW);
    expect(ran).toEqual(['outbox']);
    expect(rows()).toEqual({});
  });
});
