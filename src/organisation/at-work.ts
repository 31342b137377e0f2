import { type Clock, MINUTE_MS } from '../kernel/clock.ts';

/** Work that is due in this time is noted. What is due later has the night behind its alarm. */
const SOON_MS = 15 * MINUTE_MS;
const NOTE_AGAIN_MS = 15 * MINUTE_MS;
/** Where the note can't be made. */
const TRY_AGAIN_MS = MINUTE_MS;
/** A note that is older than this was not renewed: the object has done its work. */
export const NOTE_ENDS_MS = NOTE_AGAIN_MS + 5 * MINUTE_MS;

/**
 * The organisation's own word that it has work, for the sweep that stands behind lost alarms. One that has none is left asleep.
 */
export class AtWork {
  private readonly now: Clock;
  private readonly note: () => Promise<boolean>;
  private noteFrom = 0;

  constructor(now: Clock, note: () => Promise<boolean>) {
    this.now = now;
    this.note = note;
  }

  /** The alarm is set for work that is due then. */
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
