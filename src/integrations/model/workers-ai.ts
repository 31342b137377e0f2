import * as z from 'zod';
import type { ModelBackend, ModelFault } from '../../domain/screening/model/circuit.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import { err, ok } from '../../kernel/result.ts';
import { chatBody, completionText } from './chat.ts';

/** The binding's `run`, passed in so that tests can replace it. */
export type RunAi = (
  model: string,
  inputs: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal },
) => Promise<unknown>;

export interface WorkersAiSettings {
  /** `@cf/…`; the model must support JSON mode. */
  readonly model: string;
  /** What one request costs, in micros. */
  readonly priceMicros: number;
}

const ANSWER_CHARS_MAX = 65_536;

/** The reply is text, or a parsed object in JSON mode. */
const TextGeneration = z.object({ response: z.union([z.string(), z.record(z.string(), z.unknown())]) });

/** Older models answer `{ response }`, newer ones a chat completion; null for anything else. */
function textOf(reply: unknown): string | null {
  const parsed = TextGeneration.safeParse(reply);
  if (!parsed.success) return completionText(reply);
  const { response } = parsed.data;
  return typeof response === 'string' ? response : JSON.stringify(response);
}

/** The Workers AI binding. The cause in its errors is not reliable, so each counts as a failure of the service. */
export function createWorkersAiBackend({ model, priceMicros }: WorkersAiSettings, run: RunAi): ModelBackend {
  const failure = (kind: ModelFault) => err({ kind, costMicros: priceMicros });

  return {
    priceMicros,
    async complete(prompt, timeoutMs) {
      const stop = new AbortController();
      const format = { type: 'json_schema', json_schema: prompt.answerSchema };
      try {
        const work = run(model, { ...chatBody(prompt), response_format: format }, { signal: stop.signal });
        const reply = await within(work, timeoutMs);
        if (reply === LATE) {
          stop.abort();
          return failure('timeout');
        }
        const text = textOf(reply);
        if (text === null) return failure('malformed');
        return text.length > ANSWER_CHARS_MAX ? failure('too_large') : ok(text);
      } catch {
        return failure('server_error');
      }
    },
  };
}
