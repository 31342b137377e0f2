import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  PROVIDER_IDS,
  type Provider,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderId,
} from '../../../src/domain/belief/provider.ts';
import type { VendorSettings } from '../../../src/integrations/exchange.ts';
import { createProviders } from '../../../src/integrations/providers/providers.ts';

export const EMAIL = 'ada+tag@example.com';
export const KEY = 'key-3f1c';
export const REACHER = 'https://reacher.example';

export interface Reply {
  readonly status: number;
  /** Text as it stands, anything else as JSON. */
  readonly body: unknown;
}

/**
 * A vendor's fixture: `whole` is one full reply; an answer is it with some top-level fields in place of its own; `others`
 * have their own status and body.
 */
interface Fixture {
  readonly whole: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly others: Readonly<Record<string, Reply>>;
}

/** Every reply of a vendor's fixture by its name. */
export function repliesOf(id: ProviderId): Readonly<Record<string, Reply>> {
  const file = new URL(`../../fixtures/providers/${id}.json`, import.meta.url).pathname;
  const { whole, answers, others } = JSON.parse(readFileSync(file, 'utf8')) as Fixture;
  const full = Object.entries(answers).map(([name, fields]) => [name, { status: 200, body: { ...whole, ...fields } }]);
  return { ...(Object.fromEntries(full) as Record<string, Reply>), ...others };
}

export const responseOf = ({ status, body }: Reply, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

const OFF: VendorSettings = { apiKey: null, baseUrl: null, costMicros: null };

/** Settings with these vendors on, the others off. */
export const settingsOf = (on: Partial<Record<ProviderId, Partial<VendorSettings>>>) =>
  Object.fromEntries(PROVIDER_IDS.map((id) => [id, { ...OFF, ...on[id] }])) as Record<ProviderId, VendorSettings>;

export interface Request {
  readonly url: URL;
  readonly init: RequestInit;
  /** The body that was sent as JSON; undefined without one. */
  readonly json: unknown;
}

/** One vendor over a scripted `fetch` that records its requests. */
export function vendor(
  id: ProviderId,
  respond: (signal: AbortSignal) => Response | Promise<Response>,
  settings: Partial<VendorSettings> = {},
): { provider: Provider; requests: Request[] } {
  const requests: Request[] = [];
  const given = { apiKey: KEY, ...(id === 'reacher' ? { baseUrl: REACHER } : {}), ...settings };
  const [provider] = createProviders(settingsOf({ [id]: given }), async (url, init) => {
    requests.push({ url: new URL(url), init, json: typeof init.body === 'string' ? JSON.parse(init.body) : undefined });
    if (!init.signal) throw new Error('asked without a signal');
    return respond(init.signal);
  });
  if (!provider) throw new Error(`${id} is off`);
  return { provider, requests };
}

export const NEVER = new AbortController().signal;

/** The request a vendor gets for `EMAIL` with `timeoutMs` to spend. */
export async function requestOf(id: ProviderId, timeoutMs: number): Promise<Request> {
  const { provider, requests } = vendor(id, () => responseOf({ status: 500, body: '' }));
  await provider.ask(EMAIL, timeoutMs, NEVER);
  const [request] = requests;
  if (!request) throw new Error('asked nothing');
  return request;
}

/** Fixture name, verdict, reason, and the fields that differ from the vendor's usual ones. */
export type AnswerRow = readonly [
  name: string,
  verdict: ProviderAnswer['verdict'],
  reason: ProviderAnswer['reason'],
  fields?: Partial<ProviderAnswer>,
];

/** Fixture name and kind; `billed`: whether it may have been billed. */
export type FailureRow = readonly [name: string, kind: ProviderFailure['kind'], retryable: boolean, billed: boolean];

/** The vendor's own word for its answer, read from the reply. Reacher and Hunter nest it one level down. */
const WORD: Readonly<Record<ProviderId, (body: Record<string, never>) => unknown>> = {
  zerobounce: ({ sub_status }) => sub_status,
  neverbounce: ({ result }) => result,
  kickbox: ({ reason }) => reason,
  emailable: ({ reason }) => reason,
  bouncer: ({ reason }) => reason,
  hunter: ({ data }) => (data as { status?: unknown } | undefined)?.status,
  reacher: ({ smtp }) => {
    const said = smtp as { description?: unknown; error?: { type?: unknown } } | undefined;
    return said?.description ?? said?.error?.type;
  },
};
const wordIn = (id: ProviderId, body: unknown): string | null => {
  const word = WORD[id](body as Record<string, never>);
  return typeof word === 'string' && word !== '' ? word : null;
};

/**
 * Asks for every reply of the vendor's fixture and compares with the tables, which name each of them. The receipt's word is the
 * vendor's own, whatever the verdict; a disposable domain is warned of, and what else the row says.
 */
export function readsEveryReply(
  id: ProviderId,
  usual: Omit<ProviderAnswer, 'verdict' | 'reason' | 'warning' | 'subStatus'>,
  answers: readonly AnswerRow[],
  failures: readonly FailureRow[],
): void {
  const replies = repliesOf(id);
  const ask = async (name: string) => {
    const reply = replies[name];
    if (!reply) throw new Error(`no reply named ${name}`);
    const { provider } = vendor(id, () => responseOf(reply));
    return { provider, result: await provider.ask(EMAIL, 3_000, NEVER) };
  };

  const rows = answers.map(([name, verdict, reason, fields]) => ({
    name,
    value: {
      ...usual,
      warning: fields?.disposable === true ? ('disposable' as const) : null,
      subStatus: wordIn(id, replies[name]?.body),
      ...fields,
      verdict,
      reason,
    },
  }));

  it.each(rows)('reads $name as $value.verdict, $value.reason', async ({ name, value }) => {
    expect((await ask(name)).result).toEqual({ ok: true, value });
  });

  it.each(failures)('fails on %j as %s', async (name, kind, retryable, billed) => {
    const { provider, result } = await ask(name);
    const costMicros = billed ? provider.priceMicros : 0;
    expect(result).toEqual({ ok: false, error: { kind, retryable, costMicros } });
  });

  it('is tested on every reply of its fixture', () => {
    const named = [...answers, ...failures].map(([name]) => name);
    expect(named.toSorted()).toEqual(Object.keys(replies).toSorted());
  });
}
