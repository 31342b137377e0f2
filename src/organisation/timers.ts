import type { Clock } from '../kernel/clock.ts';
import { clearTimer, listTimers, setTimer } from './sql/organisation.ts';
import type { Sql, Transact } from './sql/sql.ts';

/** The row each timer's deadline is kept in. Those of bulk jobs share one: it says when the first of them is due. */
const ROWS = {
  outbox: 'outbox',
  erasure: 'erasure',
  ledger: 'ledger',
  bulk: 'bulk',
  bulk_files: 'bulk',
  bulk_mails: 'bulk',
} as const;

export type TimerName = keyof typeof ROWS;
const NAMES = Object.keys(ROWS) as TimerName[];

/**
 * Does the timer's work. What it gives back says, as soon as the work has ended, when the timer is due again: what came in
 * meanwhile counts. Null: not before something sets it.
 */
export type TimerWork = (now: number) => Promise<() => number | null>;

/** A timer whose work threw, or ended with its object, is tried again after this. */
const RETRY_MS = 30_000;

/**
 * Many timers on the one alarm an object has. Deadlines are rows in service time; the alarm is only a hint that some may
 * be due. `armed` mirrors the rows in memory, so that setting a timer that is set already writes nothing. Timers run side
 * by side, each one once at a time; a deadline stays in its row until the work is done.
 */
export class Timers {
  private readonly sql: Sql;
  private readonly now: Clock;
  private readonly work: Readonly<Record<TimerName, TimerWork>>;
  private readonly setAlarm: (dueAt: number) => void;
  private readonly onError: (name: TimerName, error: unknown) => void;
  private readonly armed = new Map<TimerName, number>();
  private readonly running = new Map<TimerName, Promise<void>>();

  constructor(
    sql: Sql,
    now: Clock,
    work: Readonly<Record<TimerName, TimerWork>>,
    setAlarm: (dueAt: number) => void,
    onError: (name: TimerName, error: unknown) => void,
  ) {
    this.sql = sql;
    this.now = now;
    this.work = work;
    this.setAlarm = setAlarm;
    this.onError = onError;
    const rows = new Map(listTimers(sql).map((timer) => [timer.name, timer.due_at]));
    for (const name of NAMES) {
      const dueAt = rows.get(ROWS[name]);
      if (dueAt !== undefined) this.armed.set(name, dueAt);
    }
  }

  /** Sets the timer, unless it is set: work that waits after a failure is not hurried by more of it. */
  arm(name: TimerName, dueAt: number): void {
    if (this.armed.has(name)) return;
    this.set(name, dueAt);
    this.rearm();
  }

  /** Sets the timer unless it goes off before. One that is due waits for no alarm: it begins when this call has ended. */
  advance(name: TimerName, dueAt: number): void {
    if ((this.armed.get(name) ?? Number.POSITIVE_INFINITY) <= dueAt) return;
    this.set(name, dueAt);
    if (dueAt <= this.now()) queueMicrotask(() => void this.run());
    else this.rearm();
  }

  /**
   * Begins what is due, and ends with the work that is under way by then. A timer that fails is logged and tried again; it
   * never stops the others.
   */
  async run(): Promise<void> {
    const now = this.now();
    for (const [name, dueAt] of Array.from(this.armed)) {
      if (dueAt <= now && !this.running.has(name)) this.running.set(name, this.carryOut(name, now));
    }
    this.rearm();
    // What runs may set another that is due at once: it is waited for, too.
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  /** One transaction; where it is rolled back, the timers that were set in it are as they were before, as their rows are. */
  transact<T>(transact: Transact, work: () => T): T {
    const before = new Map(this.armed);
    try {
      return transact(work);
    } catch (error) {
      this.armed.clear();
      for (const [name, dueAt] of before) this.armed.set(name, dueAt);
      throw error;
    }
  }

  clear(): void {
    this.armed.clear();
  }

  private async carryOut(name: TimerName, now: number): Promise<void> {
    let next: number | null;
    try {
      const nextAt = await this.work[name](now);
      next = nextAt();
    } catch (error) {
      this.onError(name, error);
      next = this.now() + RETRY_MS;
    }
    this.running.delete(name);
    // Cleared while it ran: the organisation is gone, and nothing of it comes back.
    if (!this.armed.has(name)) return;
    this.set(name, next);
    this.rearm();
  }

  private set(name: TimerName, dueAt: number | null): void {
    if (dueAt === null) this.armed.delete(name);
    else this.armed.set(name, dueAt);
    const row = ROWS[name];
    const dueAts = [...this.armed].flatMap(([each, at]) => (ROWS[each] === row ? [at] : []));
    if (dueAts.length === 0) clearTimer(this.sql, row);
    else setTimer(this.sql, row, Math.min(...dueAts));
  }

  /** Of a timer at work the alarm only sees to it that the work is begun again, should the object end before it does. */
  private rearm(): void {
    const retryAt = this.now() + RETRY_MS;
    const next = Math.min(...[...this.armed].map(([name, dueAt]) => (this.running.has(name) ? retryAt : dueAt)));
    if (Number.isFinite(next)) this.setAlarm(next);
  }
}
