import { SECOND_MS } from '../../../kernel/clock.ts';
import type { Result } from '../../../kernel/errors.ts';

export interface Prompt {
  /** What to do, the same for every input. */
  readonly system: string;
  /** The one datum it is about, as JSON text, so that it can't end its own quotation. */
  readonly input: string;
  /** JSON Schema of the answer, for back ends that can hold a model to it. */
  readonly answerSchema: Readonly<Record<string, unknown>>;
}

/**
 * `malformed`: answered, but not as the back end documents; `refused`: turned this request down; `unauthorized`: turns every
 * request down.
 */
export type ModelFault =
  | 'timeout'
  | 'unreachable'
  | 'rate_limited'
  | 'unauthorized'
  | 'refused'
  | 'server_error'
  | 'too_large'
  | 'malformed';

export interface ModelFailure {
  readonly kind: ModelFault;
  /** The price where the model may have done its work, 0 where the request was turned down before it. */
  readonly costMicros: number;
}

export interface ModelBackend {
  /** What a request costs, in micros. */
  readonly priceMicros: number;
  /** The model's own text, of any content. Never rejects; answers within `timeoutMs`. */
  complete(prompt: Prompt, timeoutMs: number): Promise<Result<string, ModelFailure>>;
}

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
