import type { Result } from '../../../kernel/errors.ts';

/** One request to a model. */
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
