import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import { clearTimer, listTimers, setTimer } from './sql/organisation.ts';
import type { Sql, Transact } from './sql/sql.ts';

/**
 * The row of each timer's deadline. The timers of bulk jobs share one with the earliest deadline. The outbox's has
 * none, because two rows a drain are dear: waiting rows make it due when the object starts.
 */
const ROWS = {
  outbox: null,
  erasure: 'erasure',
  expiry: 'expiry',
  recompute: 'recompute',
  bulk: 'bulk',
  bulk_files: 'bulk',
  bulk_mails: 'bulk',
  people_mails: 'people_mails',
  invitations: 'invitations',
  alert_mails: 'alert_mails',
} as const;

export type TimerName = keyof typeof ROWS;
const NAMES = Object.keys(ROWS) as TimerName[];

/**
 * Does the timer's work. The returned function is called after it and gives the next deadline, so that work added
 * meanwhile counts. Null means not until it is set again.
 */
export type TimerWork = (now: number) => Promise<() => number | null>;

/** When a timer is retried after its work threw, or ended with its object. */
const RETRY_MS = 30_000;

/**
 * Many timers on an object's one alarm. Deadlines are rows in service time; the alarm is only a hint, and setting it
 * bills a row, so an early one stays. `armed` mirrors the rows, so that setting a timer again writes nothing. Timers
 * run concurrently, but none twice at once. A deadline stays in its row until the work is done.
 */
export class Timers {
  private readonly sql: Sql;
  private readonly now: Clock;
  private readonly work: Readonly<Record<TimerName, TimerWork>>;
  private readonly setAlarm: (dueAt: number) => void;
  private readonly onError: (name: TimerName, error: unknown) => void;
  private readonly armed = new Map<TimerName, number>();
  private readonly running = new Map<TimerName, Promise<void>>();
  /** The known time of the alarm. */
  private alarmAt: number | null = null;

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
      const row = ROWS[name];
      const dueAt = row === null ? undefined : rows.get(row);
      if (dueAt !== undefined) this.armed.set(name, dueAt);
    }
  }

  /** Null means it is not set. */
  dueAt(name: TimerName): number | null {
    return this.armed.get(name) ?? null;
  }

  /** Sets the timer unless it is set, so that new work does not shorten the wait after a failure. */
  arm(name: TimerName, dueAt: number): void {
    if (this.armed.has(name)) return;
    this.set(name, dueAt);
    this.rearm();
  }

  /** Sets the timer unless it is due earlier. A due timer starts right after this call, without an alarm. */
  advance(name: TimerName, dueAt: number): void {
    if ((this.armed.get(name) ?? Number.POSITIVE_INFINITY) <= dueAt) return;
    this.set(name, dueAt);
    if (dueAt <= this.now()) queueMicrotask(() => void this.run());
    else this.rearm();
  }

  async ring(): Promise<void> {
    this.alarmAt = null;
    await this.run();
  }

  /**
   * Starts what is due, and returns when all running work has ended. A failing timer is logged and retried; it never
   * stops the others.
   */
  async run(): Promise<void> {
    const now = this.now();
    const due = Array.from(this.armed).filter(([name, dueAt]) => dueAt <= now && !this.running.has(name));
    for (const [name] of due) this.running.set(name, this.carryOut(name, now));
    // The alarm was early, and gets the right time.
    if (this.running.size === 0) this.alarmAt = null;
    this.rearm();
    // Running work may set another timer that is due at once.
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  /** Runs a transaction; a rollback also undoes the timers set in it, in memory and in their rows. */
  transact<T>(transact: Transact, work: () => T): T {
    const before = new Map(this.armed);
    try {
      return transact(work);
    } catch (error) {
      this.armed.clear();
      for (const [name, dueAt] of before) this.armed.set(name, dueAt);
      this.alarmAt = null;
      throw error;
    }
  }

  clear(): void {
    this.armed.clear();
    this.alarmAt = null;
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
    // Cleared while it ran: the organisation is deleted, so the timer must not be set again.
    if (!this.armed.has(name)) return;
    this.set(name, next);
    this.rearm();
  }

  private set(name: TimerName, dueAt: number | null): void {
    if (dueAt === null) this.armed.delete(name);
    else this.armed.set(name, dueAt);
    const row = ROWS[name];
    if (row === null) return;
    const dueAts = [...this.armed].flatMap(([each, at]) => (ROWS[each] === row ? [at] : []));
    if (dueAts.length === 0) clearTimer(this.sql, row);
    else setTimer(this.sql, row, Math.min(...dueAts));
  }

  /** Sets the alarm. For a running timer the alarm only matters if the object ends before the work does. */
  private rearm(): void {
    const retryAt = this.now() + RETRY_MS;
    const next = Math.min(...[...this.armed].map(([name, dueAt]) => (this.running.has(name) ? retryAt : dueAt)));
    const isSet = this.alarmAt !== null && this.alarmAt > this.now() && this.alarmAt <= next;
    if (isSet || !Number.isFinite(next)) return;
    this.alarmAt = next;
    this.setAlarm(next);
  }
}

/** Work due within this time is reported. For later work the nightly run backs up the alarm. */
const SOON_MS = 15 * MINUTE_MS;
const NOTE_AGAIN_MS = 15 * MINUTE_MS;
/** When a failed report is retried. */
const TRY_AGAIN_MS = MINUTE_MS;
/** A report older than this was not renewed: the object has done its work. */
export const NOTE_ENDS_MS = NOTE_AGAIN_MS + 5 * MINUTE_MS;

/** Reports the organisation's work to the sweep that backs up lost alarms. Objects without work stay asleep. */
export class AtWork {
  private readonly now: Clock;
  private readonly note: () => Promise<boolean>;
  private noteFrom = 0;

  constructor(now: Clock, note: () => Promise<boolean>) {
    this.now = now;
    this.note = note;
  }

  /** The alarm is set for work due then. */
  dueAt(at: number): void {
    const now = this.now();
    if (now < this.noteFrom || at > now + SOON_MS) return;
    this.noteFrom = now + NOTE_AGAIN_MS;
    void this.noteAt(now);
  }

  private async noteAt(now: number): Promise<void> {
    if (!(await this.note())) this.noteFrom = now + TRY_AGAIN_MS;
  }
}
