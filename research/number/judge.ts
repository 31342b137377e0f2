import type { Interval } from '../../src/kernel/probability.ts';
import type { Visit } from './lives.ts';
import type { Action } from './money.ts';

/** One address, looked at once. Vendors are places in `VENDOR_IDS`, verdicts in `VERDICTS`. */
export interface Inquiry {
  belief(): { readonly probability: number; readonly interval: Interval };
  /** The vendor to ask next; null means none. */
  next(): number | null;
  told(vendor: number, verdict: number): void;
  action(): Action;
  /** The answer is sent: its observations are stored. */
  end(): void;
}

/** A service in a world: its beliefs, questions and actions. It knows only its input. Times are in days. */
export interface Judge {
  inquire(visit: Visit): Inquiry;
  /** @param kind a place in `CLASSES` */
  report(visit: Visit, kind: number, source: string, now: number): void;
  /** @param kind 0: the person confirmed the address; 1: paid */
  proof(visit: Visit, kind: number, now: number): void;
  night(now: number): void;
}
