import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SERVICE_LOSSES } from '../../../src/domain/router/losses.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { DomainError } from '../../../src/kernel/errors.ts';
import type { AuthorizeRequest } from '../../../src/organisation/api.ts';
import { NO_HISTORY } from '../../../src/domain/answer/account.ts';
import type { ExchangeInput } from '../../../src/services/object-exchange.ts';
import { START_MS } from '../../support/records.ts';
import {
  AUTHORIZED,
  broken,
  CALLER,
  keyed,
  ORGANISATION,
  openOn,
  overloaded,
  retryable,
  TRACE,
} from '../../support/scripted-object.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const NO_RULES = { address: null, domain: null };

describe('authorization', () => {
  it('asks the object once, with the key’s hash and never the key', async () => {
    const { exchange, calls } = openOn([AUTHORIZED]);
    const lookup = { addressHash: 'h', domain: 'acme.example' };
    const { key, organisation, rules, earlier } = AUTHORIZED;
    expect(await exchange.authorize(lookup)).toEqual({
      reached: true,
      isFresh: false,
      hasSecondFactor: false,
      key,
      organisation,
      rules,
      history: NO_HISTORY,
      earlier,
      losses: SERVICE_LOSSES,
      providerLeftMicros: null,
      off: [],
    });
    const request: AuthorizeRequest = {
      operationId: TRACE,
      traceId: TRACE,
      keyHash: sha256Hex('evk_live_x'),
      role: 'member',
      operator: false,
      rate: 'verify',
      meter: 'verify',
      isNewDomain: false,
      lookup,
      bodyHash: null,
      holdMs: 10_000,
      faulty: false,
    };
    expect(calls).toEqual([{ stub: 1, name: 'authorize', request }]);
    expect([exchange.rate(), exchange.keyId()]).toEqual([AUTHORIZED.rate, key.id]);
  });

  it.each([
    ['unauthorized', 'unauthorized'],
    ['forbidden', 'forbidden'],
    ['unknown_policy', 'not_found'],
    ['conflict', 'conflict'],
    ['in_progress', 'request_in_progress'],
    ['quota_exceeded', 'quota_exceeded'],
    ['screening_quota_exceeded', 'screening_quota_exceeded'],
  ] as const)('refused as %s throws it, with the rate for the headers', async (refusal, code) => {
    const { exchange } = openOn([{ ok: false, refusal, rate: AUTHORIZED.rate }]);
    await expect(exchange.authorize(null)).rejects.toMatchObject({ name: 'DomainError', code, details: {} });
    expect(exchange.rate()).toEqual(AUTHORIZED.rate);
    expect(exchange.keyId()).toBeNull();
  });

  it('refused for its rate says when to retry', async () => {
    const { exchange } = openOn([{ ok: false, refusal: 'rate_limited', retryAfterS: 17, rate: AUTHORIZED.rate }]);
    await expect(exchange.authorize(null)).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterS: 17 },
    });
  });

  it('asks the same for a faulty request without charging', async () => {
    const { exchange, calls } = openOn([AUTHORIZED]);
    await exchange.checkKeyAndRole();
    expect(calls).toMatchObject([{ name: 'authorize', request: { operationId: TRACE, faulty: true, lookup: null } }]);
  });
});

describe('an object that is overloaded', () => {
  it.each([true, false])('is 429 with Retry-After and is not asked again; family: %s', async (servesUnreached) => {
    const { exchange, calls, counted } = openOn([overloaded, AUTHORIZED], { servesUnreached });
    const refused: unknown = await exchange.authorize(null).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ code: 'rate_limited', details: { retryAfterS: 1 } });
    expect(calls).toHaveLength(1);
    expect(counted).toEqual([['object_failed', 1, 'authorize:overloaded']]);
  });
});

describe('an object that gives no answer', () => {
  it('leaves the verification family to the key’s MAC, without rules', async () => {
    const { exchange } = openOn([broken]);
    expect(await exchange.authorize({ addressHash: 'h', domain: 'acme.example' })).toEqual({
      reached: false,
      rules: NO_RULES,
    });
    expect([exchange.rate(), exchange.keyId()]).toEqual([null, null]);
  });

  it('is a failure on every other route, not a refusal', async () => {
    const { exchange } = openOn([broken], { servesUnreached: false });
    const failure: unknown = await exchange.authorize(null).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(DomainError);
  });

  it('does not raise a role: the one inside the key decides then', async () => {
    const caller = { ...CALLER, role: 'viewer' } as const;
    await expect(openOn([broken], { caller }).exchange.authorize(null)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(openOn([broken], { caller }).exchange.checkKeyAndRole()).rejects.toMatchObject({ code: 'forbidden' });
    const check = { role: 'viewer', operator: false, rate: 'verify', meter: 'check' } as const;
    expect(await openOn([broken], { caller, needs: check }).exchange.authorize(null)).toMatchObject({ reached: false });
  });

  it('lets a faulty request be refused for what it holds', async () => {
    await expect(openOn([broken]).exchange.checkKeyAndRole()).resolves.toBeUndefined();
  });

  it('is given up after two seconds', async () => {
    const { exchange, calls } = openOn(['hangs', AUTHORIZED]);
    const settled = vi.fn();
    const authorization = exchange.authorize(null).finally(settled);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await authorization).toMatchObject({ reached: false });
    expect(calls).toHaveLength(1);
  });

  it('is logged with the organisation, and without key or address', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await openOn([new Error('no route for jane@acme.example')]).exchange.authorize({
      addressHash: 'h',
      domain: 'acme.example',
    });
    const line = String(logged.mock.calls[0]?.[0]);
    expect(JSON.parse(line)).toMatchObject({
      event: 'object_call_failed',
      call: 'authorize',
      organisation: ORGANISATION,
    });
    expect(line).not.toMatch(/jane|acme\.example|evk_/);
  });
});

describe('a failure the runtime calls retryable', () => {
  it('is tried once more, on a fresh stub, as the same operation', async () => {
    const { exchange, calls, counted } = openOn([retryable, AUTHORIZED]);
    expect(await exchange.authorize(null)).toMatchObject({ reached: true });
    expect(calls.map(({ stub }) => stub)).toEqual([1, 2]);
    expect(calls[1]?.request).toEqual(calls[0]?.request);
    expect(counted.map(([name]) => name)).toEqual(['object_ms']);
  });

  it('is not tried a third time', async () => {
    const { exchange, calls } = openOn([retryable, retryable, AUTHORIZED]);
    expect(await exchange.authorize(null)).toMatchObject({ reached: false });
    expect(calls).toHaveLength(2);
  });
});

describe('the operation id', () => {
  const idOf = async (change: Partial<ExchangeInput>) => {
    const { exchange, calls } = openOn([AUTHORIZED], change);
    await exchange.authorize(null);
    return calls[0]?.request as AuthorizeRequest;
  };

  it('is the request’s own without an Idempotency-Key', async () => {
    expect(await idOf({ traceId: 'vr_7' })).toMatchObject({ operationId: 'vr_7', bodyHash: null });
  });

  it('is the same for the same key and route, whatever the body; the body’s hash tells them apart', async () => {
    const [first, second] = [
      await idOf(keyed('k', '{"a":1}')),
      await idOf({ ...keyed('k', '{"a":2}'), traceId: 'vr_7' }),
    ];
    expect(second.operationId).toBe(first.operationId);
    expect(second.bodyHash).not.toBe(first.bodyHash);
    expect(first.operationId).toMatch(/^ik_[0-9a-f]{64}$/);
    expect((await idOf({ ...keyed('k', '{"a":1}'), traceId: 'vr_8' })).bodyHash).toBe(first.bodyHash);
  });

  it('and the body’s hash don’t reveal the address without the key', async () => {
    const body = '{"email":"ada@example.com"}';
    const { bodyHash } = await idOf(keyed('k', body));
    expect(bodyHash).toMatch(/^[0-9a-f]{64}$/);
    for (const known of ['', `${sha256Hex('evk_live_x')} `]) expect(bodyHash).not.toBe(sha256Hex(`${known}${body}`));
  });

  it('is held under an Idempotency-Key until the request stops paying vendors, and has handed over its answer', async () => {
    const heldMs = async (change: Partial<ExchangeInput>, deadlineMs?: number) => {
      const { exchange, calls } = openOn([AUTHORIZED], change);
      await exchange.authorize(null, deadlineMs === undefined ? {} : { deadlineMs });
      const [{ holdMs }] = calls.map(({ request }) => request) as [AuthorizeRequest];
      return holdMs;
    };
    expect(await heldMs(keyed('k', '{}'), START_MS + 3_490)).toBe(8_490);
    expect(await heldMs(keyed('k', '{}'), START_MS - 5)).toBe(5_000);
    expect(await heldMs(keyed('k', '{}'))).toBe(10_000);
  });

  it.each([
    ['another key', keyed('other', '{}')],
    ['another route', keyed('k', '{}', 'decide')],
  ])('differs for %s', async (_, change) => {
    expect((await idOf(change)).operationId).not.toBe((await idOf(keyed('k', '{}'))).operationId);
  });

  // A sandbox answer must never come back to a live key, and one key's never to another that may not read its trace.
  it('differs between keys', async () => {
    expect(
      (await idOf({ ...keyed('k', '{}'), caller: { ...CALLER, key: 'evk_test_another', keyHash: 'another' } }))
        .operationId,
    ).not.toBe((await idOf(keyed('k', '{}'))).operationId);
  });
});

describe('a reservation of enrichment', () => {
  const COMPLETION = {
    trace: { kind: 'trace', id: TRACE, record: '{}', addressHash: null },
    spendMicros: 0,
    answer: () => '{}',
  } as const;

  it.each([
    [true, 'granted'],
    [false, 'refused'],
    [broken, 'failed'],
    [overloaded, 'failed'],
  ] as const)('answered %s is %s, and is settled with what was spent', async (reply, expected) => {
    const { exchange, calls } = openOn([AUTHORIZED, reply, { answer: null }]);
    await exchange.authorize(null, { policySlug: 'default' });
    expect(await exchange.reserveEnrichment(40)).toBe(expected);
    await exchange.commit({ ...COMPLETION, enrichmentMicros: 30 });
    expect(calls.map(({ name, request }) => [name, request])).toMatchObject([
      ['authorize', { policySlug: 'default' }],
      ['reserve', { budget: 'enrichment', requestId: TRACE, totalMicros: 40 }],
      ['commit', { enrichment: { requestId: TRACE, spentMicros: 30 } }],
    ]);
  });

  it('is not settled when it was never made', async () => {
    const { exchange, calls } = openOn([AUTHORIZED, { answer: null }]);
    await exchange.authorize(null);
    await exchange.commit(COMPLETION);
    expect(calls[1]?.request).not.toHaveProperty('enrichment');
  });

  it('fails at once where the object was out of reach', async () => {
    const { exchange, calls } = openOn([new Error('gone')]);
    await exchange.authorize(null);
    expect(await exchange.reserveEnrichment(40)).toBe('failed');
    expect(calls).toHaveLength(1);
  });
});
