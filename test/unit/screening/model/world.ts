import { ModelCircuit } from '../../../../src/domain/screening/model.ts';
import { createModelBackend } from '../../../../src/integrations/model.ts';
import type { Id } from '../../../../src/kernel/ids.ts';
import { type AskModelDeps, askModel } from '../../../../src/services/screening/ask-model.ts';
import type { FactStore } from '../../../../src/storage/kv.ts';

export const PRICE_MICROS = 120;
export const KEY = 'sk-not-a-real-key';

export interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly body: string;
}

/** A chat completion with this text. */
export const completion = (text: string): Response =>
  Response.json({
    id: 'c1',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  });

/** The request's subject, by the member that its system prompt asks for. */
export const kindOf = ({ body }: Sent): 'fake_name' | 'domain_check' =>
  body.includes('fake_name') ? 'fake_name' : 'domain_check';

/** Answers both requests properly. */
export const answering = (sent: Sent): Response =>
  completion(kindOf(sent) === 'fake_name' ? '{"fake_name":"unlikely"}' : '{"domain_check":"ok"}');

/** KV in memory, with the options of each write. */
export function memoryKv(stored: Record<string, string> = {}) {
  const entries = new Map(Object.entries(stored));
  const writes: { key: string; value: string; expirationTtl: number }[] = [];
  const kv: FactStore = {
    get: async (key) => entries.get(key) ?? null,
    put: async (key, value, { expirationTtl }) => {
      entries.set(key, value);
      writes.push({ key, value, expirationTtl });
    },
  };
  return { kv, entries, writes };
}

export type Respond = (sent: Sent, signal: AbortSignal) => Response | Promise<Response>;

type Counted = Parameters<AskModelDeps['counters']['add']>;

/** Dependencies of `askModel` with a scripted OpenAI-compatible endpoint, which records `requests`. */
export function world(respond: Respond = answering, over: Partial<AskModelDeps> = {}) {
  const requests: Sent[] = [];
  const deferred: Promise<unknown>[] = [];
  const counts: Counted[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const sent = { url, init, body: typeof init.body === 'string' ? init.body : '' };
    requests.push(sent);
    return respond(sent, init.signal ?? new AbortController().signal);
  };
  const settings = {
    backend: 'openai',
    baseUrl: 'https://models.test/v1',
    apiKey: KEY,
    model: 'small',
    priceMicros: PRICE_MICROS,
  } as const;
  const deps: AskModelDeps = {
    backend: createModelBackend(settings, fetch, async () => null),
    circuit: new ModelCircuit(),
    cache: memoryKv().kv,
    counters: { add: (...counted) => void counts.push(counted) },
    now: () => 1_700_000_000_000,
    defer: (work) => {
      deferred.push(work);
    },
    ...over,
  };
  return {
    deps,
    requests,
    deferred,
    counts,
    /** The failures counted, each as `request:kind`. */
    failed: () => counts.flatMap(([name, , label]) => (name === 'model_failed' ? [label] : [])),
    ask: (name: string | null, domain: string | null, isAuthorized = true, organisationId: Id<'org'> = 'org_a') =>
      askModel(deps, { organisationId, name, domain }, isAuthorized),
  };
}
