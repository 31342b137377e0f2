import * as z from 'zod';
import type { ModelBackend, ModelFault, Prompt } from '../domain/screening/model.ts';
import { LATE, within } from '../kernel/clock.ts';
import { err, ok } from '../kernel/errors.ts';
import { exchange, type Fetch, parseJson, withoutSlash } from './exchange.ts';

/** A label in braces is a dozen tokens; a longer text is no valid answer. */
const ANSWER_TOKENS_MAX = 64;

/** The part of the request that every chat interface takes. */
const chatBody = ({ system, input }: Prompt) => ({
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: input },
  ],
  temperature: 0,
  max_tokens: ANSWER_TOKENS_MAX,
});

/** The fields we read of a chat completion (OpenAI API reference, "Create chat completion"). */
const Completion = z.object({
  choices: z.tuple([z.object({ message: z.object({ content: z.string() }) })], z.unknown()),
});

/** The first choice's text; null if the reply is not a chat completion or lacks text (a refusal, a tool call). */
function completionText(reply: unknown): string | null {
  const parsed = Completion.safeParse(reply);
  return parsed.success ? parsed.data.choices[0].message.content : null;
}

export interface OpenAiSettings {
  /** Includes the version, as OpenAI clients have it (`https://host/v1`). */
  readonly baseUrl: string;
  /** Null for a self-hosted model, which takes requests without a key. */
  readonly apiKey: string | null;
  readonly model: string;
  readonly priceMicros: number;
}

const FAULT_BY_STATUS: Readonly<Record<number, ModelFault>> = {
  401: 'unauthorized',
  402: 'unauthorized',
  403: 'unauthorized',
  404: 'unreachable',
  429: 'rate_limited',
};

function faultOf(status: number): ModelFault {
  if (status < 300) return 'malformed';
  if (status < 400) return 'unreachable';
  return status < 500 ? (FAULT_BY_STATUS[status] ?? 'refused') : 'server_error';
}

/** Any endpoint with the OpenAI chat-completions API. */
function createOpenAiBackend(settings: OpenAiSettings, fetch: Fetch): ModelBackend {
  const { baseUrl, apiKey, model, priceMicros } = settings;
  const url = `${withoutSlash(baseUrl)}/chat/completions`;
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  const failure = (kind: ModelFault, atWork: boolean) => err({ kind, costMicros: atWork ? priceMicros : 0 });

  return {
    priceMicros,
    async complete(prompt, timeoutMs) {
      const body = { model, ...chatBody(prompt), response_format: { type: 'json_object' } };
      const reply = await exchange(fetch, { url, headers, body }, (status) => status === 200, timeoutMs);
      if (!reply.ok) return failure(reply.fault.kind, reply.fault.sent);
      const { status } = reply;
      if (status !== 200) return failure(faultOf(status), status < 300 || status >= 500);
      const text = completionText(parseJson(reply.text));
      return text === null ? failure('malformed', true) : ok(text);
    },
  };
}

/** The binding's `run`, replaceable by tests. */
export type RunAi = (
  model: string,
  inputs: Readonly<Record<string, unknown>>,
  options: { readonly signal: AbortSignal },
) => Promise<unknown>;

export interface WorkersAiSettings {
  /** `@cf/…`; the model must support JSON mode. */
  readonly model: string;
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
function createWorkersAiBackend({ model, priceMicros }: WorkersAiSettings, run: RunAi): ModelBackend {
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

/** Screening's model, by the setting `MODEL_BACKEND`. */
export type ModelSettings =
  | { readonly backend: 'none' }
  | ({ readonly backend: 'openai' } & OpenAiSettings)
  | ({ readonly backend: 'workers-ai' } & WorkersAiSettings);

/** Null when the model is off. */
export function createModelBackend(settings: ModelSettings, fetch: Fetch, runAi: RunAi): ModelBackend | null {
  switch (settings.backend) {
    case 'none':
      return null;
    case 'openai':
      return createOpenAiBackend(settings, fetch);
    case 'workers-ai':
      return createWorkersAiBackend(settings, runAi);
  }
}
