import { SECOND_MS } from '../kernel/clock.ts';
import { type Id, type IdPrefix, idOrNull, idTimeMs } from '../kernel/ids.ts';
import { operationKey } from './sql/operations.ts';
import type { Sql } from './sql/sql.ts';

/**
 * How long an operation is remembered after its answer: the transport repeats for at most 5 s, and a request takes at
 * most 70 s.
 */
const REMEMBERED_MS = 120 * SECOND_MS;
/** Operations of this period share a row, so that a drain writes one row. */
const PERIOD_MS = 5 * SECOND_MS;
/** A row is reused once all its operations are forgotten. */
const SLOTS = REMEMBERED_MS / PERIOD_MS + 2;

interface Slot {
  readonly period: number;
  readonly keys: readonly string[];
}

/** The operation's id shows when its request came. */
const isLate = (operationId: string, now: number): boolean =>
  idOrNull(operationId) !== null && idTimeMs(operationId as Id<IdPrefix>) <= now - REMEMBERED_MS;

/**
 * Operations whose rows have left for Postgres. A late repeat by the transport, even after a restart of the object,
 * charges and books nothing again. Recent ones are remembered by id; an older request has been answered or abandoned,
 * so a call with its id is late.
 */
export class FlushedOperations {
  private readonly sql: Sql;
  private readonly slots: Map<number, Slot>;
  private readonly keys: Set<string>;

  constructor(sql: Sql) {
    this.sql = sql;
    const rows = sql.all<{ slot: number; period: number; keys: string }>`select slot, period, keys from flushed`;
    this.slots = new Map(rows.map(({ slot, period, keys }) => [slot, { period, keys: JSON.parse(keys) as string[] }]));
    this.keys = new Set(Array.from(this.slots.values()).flatMap(({ keys }) => keys));
  }

  has(operationId: string, now: number): boolean {
    return this.keys.has(operationKey(operationId)) || isLate(operationId, now);
  }

  /** Remembers recently answered operations among these rows. */
  add(rows: readonly { readonly key: string; readonly state: string; readonly at: number }[], now: number): void {
    const fresh = rows.filter(({ state, at }) => state === 'finished' && at > now - REMEMBERED_MS);
    if (fresh.length === 0) return;
    const period = Math.floor(now / PERIOD_MS);
    const slot = period % SLOTS;
    const before = this.slots.get(slot);
    const isSame = before?.period === period;
    if (!isSame) for (const key of before?.keys ?? []) this.keys.delete(key);
    const added = fresh.map(({ key }) => key);
    for (const key of added) this.keys.add(key);
    const keys = isSame ? before.keys.concat(added) : added;
    this.slots.set(slot, { period, keys });
    this.sql.run`
      insert into flushed (slot, period, keys) values (${slot}, ${period}, ${JSON.stringify(keys)})
      on conflict (slot) do update set period = excluded.period, keys = excluded.keys`;
  }
}
