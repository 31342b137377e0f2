import { sha256Hex } from '../../src/kernel/crypto.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { CounterName } from '../../src/kernel/log.ts';
import type { AuthorizeAnswer, OrganisationRpc, Refused } from '../../src/organisation/api.ts';
import { type ExchangeInput, openExchange } from '../../src/services/object-exchange.ts';
import { START_MS } from './records.ts';

export const ORGANISATION = newId('org', START_MS);
export const TRACE = 'vr_1';
export const AUTHORIZED: AuthorizeAnswer = {
  ok: true,
  key: {
    id: newId('key', START_MS),
    name: 'k',
    role: 'member',
    mode: 'live',
    origin: 'auto',
    operator: false,
    userId: null,
  },
  organisation: { id: ORGANISATION, accountId: newId('acct', START_MS), name: 'Acme' },
  rate: { limit: 10, remaining: 9, resetS: 45 },
  rules: { address: 'block', domain: null },
  earlier: null,
};

export const CALLER = {
  key: 'evk_live_x',
  keyHash: sha256Hex('evk_live_x'),
  organisationId: ORGANISATION,
  mode: 'live',
  role: 'member',
  operator: false,
} as const;

export const overloaded = Object.assign(new Error('too many'), { overloaded: true, retryable: true });
export const retryable = Object.assign(new Error('moved'), { retryable: true });
export const broken = new Error('broken');

/** What the organisation's object does with one call: answers, fails, or never settles. */
type Reply = AuthorizeAnswer | Refused | { readonly answer: string | null } | boolean | Error | 'hangs' | 'done';

/** A live member’s verification over an object that gives these replies, one per call. */
export function openOn(replies: readonly Reply[], change: Partial<ExchangeInput> = {}) {
  const left = [...replies];
  const calls: { readonly stub: number; readonly name: string; readonly request: unknown }[] = [];
  const deferred: Promise<unknown>[] = [];
  const counted: [CounterName, number, string | undefined][] = [];
  let stubs = 0;
  const stub = () => {
    stubs += 1;
    const number = stubs;
    const reply = (name: string) => async (request: unknown) => {
      calls.push({ stub: number, name, request });
      const next = left.shift();
      if (next instanceof Error) throw next;
      return next === 'hangs' ? new Promise(() => undefined) : next;
    };
    return {
      authorize: reply('authorize'),
      verify: reply('verify'),
      commit: reply('commit'),
      reverse: reply('reverse'),
      reserve: reply('reserve'),
    } as unknown as OrganisationRpc;
  };
  const exchange = openExchange(
    {
      newDomains: { isNew: () => false, drop: () => undefined },
      refuseKey: () => undefined,
      objects: { stub, now: Date.now, counters: { add: (name, value, label) => counted.push([name, value, label]) } },
    },
    {
      caller: CALLER,
      traceId: TRACE,
      startedAt: START_MS,
      needs: { role: 'member', operator: false, rate: 'verify', meter: 'verify' },
      servesUnreached: true,
      idempotency: null,
      defer: (work) => deferred.push(work),
      ...change,
    },
  );
  return { exchange, calls, deferred, counted };
}

export const keyed = (key: string, body: string, route = 'verify') => ({ idempotency: { key, route, body } });
