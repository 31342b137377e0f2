import { SECOND_MS } from '../../../kernel/clock.ts';
import type { ModelFault } from './backend.ts';

/** As with providers: failures in a row that open the circuit, and how long it stays open. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND_MS;

/** What says that the next request fails too. A refusal or a strange answer may be about its datum, which a stranger chose. */
const OF_THE_BACKEND: ReadonlySet<ModelFault> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'unauthorized',
  'server_error',
]);

/** How the back end is doing, as this isolate has seen it. Shared by its requests: it only notes what is settled. */
export class ModelCircuit {
  private failuresInARow = 0;
  private openUntil = 0;

  isOpen(now: number): boolean {
    return this.openUntil > now;
  }

  /** Notes one settled request; null: answered. */
  note(fault: ModelFault | null, now: number): void {
    if (fault === null) this.failuresInARow = 0;
    else if (OF_THE_BACKEND.has(fault)) this.failuresInARow += 1;
    if (this.failuresInARow >= FAILURES_TO_OPEN) this.openUntil = now + OPEN_MS;
  }
}
