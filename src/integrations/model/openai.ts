import type { ModelBackend, ModelFault } from '../../domain/screening/model/circuit.ts';
import { err, ok } from '../../kernel/result.ts';
import { exchange, type Fetch } from '../exchange.ts';
import { chatBody, completionText } from './chat.ts';

export interface OpenAiSettings {
  /** Includes the version, as OpenAI clients have it (`https://host/v1`). */
  readonly baseUrl: string;
  /** Null: sent without a key, as a self-hosted model accepts it. */
  readonly apiKey: string | null;
  readonly model: string;
  /** What one request costs, in micros. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Any endpoint that speaks the OpenAI chat-completions form. */
export function createOpenAiBackend(settings: OpenAiSettings, fetch: Fetch): ModelBackend {
  const { baseUrl, apiKey, model, priceMicros } = settings;
  const url = `${baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl}/chat/completions`;
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
