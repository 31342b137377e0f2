import { clearTimer, listTimers, setTimer } from '../../domain/organisation/object-store.ts';
import type { Sql } from '../../platform/sql.ts';

export type TimerName = 'outbox' | 'ledger' | 'bulk';

/** Does the timer's work and says when it is due again; null: not before something sets it. */
export type TimerWork = (now: number) => Promise<number | null>;

/** A timer whose work threw is tried again after this. */
const RETRY_MS = 60_000;

/**
 * Many timers on the one alarm an object has. Deadlines are rows in service time; the alarm is only a hint that some may
 * be due. `armed` mirrors the rows in memory, so that setting a timer that is set already writes nothing.
 */
export class Timers {
  private readonly sql: Sql;
  private readonly work: Readonly<Record<TimerName, TimerWork>>;
  private readonly setAlarm: (dueAt: number) => void;
  private readonly onError: (name: TimerName, error: unknown) => void;
  private readonly armed: Map<string, number>;

  constructor(
    sql: Sql,
    work: Readonly<Record<TimerName, TimerWork>>,
    setAlarm: (dueAt: number) => void,
    onError: (name: TimerName, error: unknown) => void,
  ) {
    this.sql = sql;
    this.work = work;
    this.setAlarm = setAlarm;
    this.onError = onError;
    this.armed = new Map(listTimers(sql).map((timer) => [timer.name, timer.due_at]));
  }

  /** Sets the timer, unless it is set: work that waits after a failure is not hurried by more of it. */
  arm(name: TimerName, dueAt: number): void {
    if (this.armed.has(name)) return;
    this.set(name, dueAt);
    this.rearm();
  }

  /** Sets the timer unless it goes off before. */
  advance(name: TimerName, dueAt: number): void {
    if ((this.armed.get(name) ?? Number.POSITIVE_INFINITY) <= dueAt) return;
    this.set(name, dueAt);
    this.rearm();
  }

  /** Runs what is due. A timer that fails is logged and tried again; it never stops the others. */
  async run(now: number): Promise<void> {
    for (const [name, dueAt] of [...this.armed]) {
      if (dueAt > now) continue;
      const timer = name as TimerName;
      const next = await this.work[timer](now).catch((error: unknown) => {
        this.onError(timer, error);
        return now + RETRY_MS;
      });
      // Cleared while it ran: the organisation is gone, and nothing of it comes back.
      if (this.armed.size === 0) return;
      this.set(timer, next);
    }
    this.rearm();
  }

  clear(): void {
    this.armed.clear();
  }

  private set(name: TimerName, dueAt: number | null): void {
    if (dueAt === null) {
      this.armed.delete(name);
      clearTimer(this.sql, name);
    } else {
      this.armed.set(name, dueAt);
      setTimer(this.sql, name, dueAt);
    }
  }

  private rearm(): void {
    const next = Math.min(...this.armed.values());
    if (Number.isFinite(next)) this.setAlarm(next);
  }
}
