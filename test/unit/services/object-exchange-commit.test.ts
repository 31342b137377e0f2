import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommitRequest } from '../../../src/organisation/api.ts';
import { START_MS } from '../../support/records.ts';
import { AUTHORIZED, broken, keyed, openOn, overloaded, TRACE } from '../../support/scripted-object.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const COMPLETION = {
  trace: { kind: 'trace', id: TRACE, record: '{"v":1}', addressHash: null },
  spendMicros: 40,
  answer: () => '{"verdict":"valid"}',
} as const;

describe('settling', () => {
  const commit: CommitRequest = {
    operationId: TRACE,
    requestId: TRACE,
    trace: COMPLETION.trace,
    more: [],
    spendMicros: 40,
    providerMicros: 0,
    bodyHash: null,
    answer: null,
    observation: null,
  };

  it('hands over trace and spend, and keeps no answer without an Idempotency-Key', async () => {
    const { exchange, calls, deferred } = openOn([AUTHORIZED, { answer: null }]);
    await exchange.authorize(null);
    expect(await exchange.commit(COMPLETION)).toBeNull();
    expect(calls[1]).toMatchObject({ name: 'commit', request: commit });
    expect(deferred).toEqual([]);
  });

  it('keeps the answer under an Idempotency-Key, and gives the earlier one', async () => {
    const { exchange, calls } = openOn([AUTHORIZED, { answer: 'earlier' }], keyed('k', '{}'));
    await exchange.authorize(null);
    expect(await exchange.commit(COMPLETION)).toBe('earlier');
    expect(calls[1]).toMatchObject({ request: { answer: COMPLETION.answer() } });
  });

  it.each([
    ['broken', broken],
    ['overloaded', overloaded],
  ])('is an error where the record is all there is to the request and the object is %s', async (_, error) => {
    const { exchange, calls, deferred } = openOn([AUTHORIZED, error], { servesUnreached: false });
    await exchange.authorize(null);
    await expect(exchange.commit(COMPLETION)).rejects.toThrow(error === broken ? 'unreachable' : 'Too many');
    expect(calls).toHaveLength(2);
    expect(deferred).toEqual([]);
  });

  it.each([
    ['broken', broken],
    ['overloaded', overloaded],
  ])('goes on behind the answer when the object is %s meanwhile', async (_, error) => {
    const { exchange, calls, deferred } = openOn([AUTHORIZED, error, { answer: null }]);
    await exchange.authorize(null);
    expect(await exchange.commit(COMPLETION)).toBeNull();
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(deferred);
    expect(calls.map(({ name }) => name)).toEqual(['authorize', 'commit', 'commit']);
    expect(calls[2]?.request).toEqual(commit);
  });

  it('charges after the answer what could not be authorized, under its own operation id', async () => {
    const { exchange, calls, deferred } = openOn([broken, AUTHORIZED, { answer: null }]);
    await exchange.authorize({ addressHash: 'h', domain: 'acme.example' });
    expect(await exchange.commit(COMPLETION)).toBeNull();
    await Promise.all(deferred);
    expect(calls.slice(1)).toMatchObject([
      { name: 'authorize', request: { operationId: TRACE, meter: 'verify', faulty: false } },
      { name: 'commit', request: commit },
    ]);
  });

  it('does not make the answer wait for an object that is still out of reach', async () => {
    const { exchange, deferred } = openOn([broken, 'hangs', 'hangs']);
    await exchange.authorize(null);
    expect(await exchange.commit(COMPLETION)).toBeNull();
    await vi.advanceTimersByTimeAsync(4_000);
    await expect(Promise.all(deferred)).resolves.toBeDefined();
  });

  // The answer has named its trace: it is kept though the charge comes too late.
  it('keeps the trace when the late charge is refused, and fails nothing after the answer', async () => {
    const { exchange, calls, deferred } = openOn([
      broken,
      { ok: false, refusal: 'quota_exceeded', rate: null },
      { answer: null },
    ]);
    await exchange.authorize(null);
    await exchange.commit(COMPLETION);
    await expect(Promise.all(deferred)).resolves.toBeDefined();
    expect(calls.map(({ name }) => name)).toEqual(['authorize', 'authorize', 'commit']);
  });
});

describe('taking the charge back', () => {
  it('names the operation', async () => {
    const { exchange, calls } = openOn([AUTHORIZED, 'done']);
    await exchange.authorize(null);
    await exchange.reverse();
    expect(calls[1]).toMatchObject({ name: 'reverse', request: TRACE });
  });

  it.each([
    ['was refused', { ok: false, refusal: 'quota_exceeded', rate: null }],
    ['was not taken by an overloaded object', overloaded],
  ] as const)('is not asked for where the request %s', async (_, reply) => {
    const { exchange, calls } = openOn([reply, 'done'], keyed('k', '{}'));
    await exchange.authorize(null).catch(() => undefined);
    await exchange.reverse();
    expect(calls).toHaveLength(1);
  });

  it('gives an Idempotency-Key free, where nothing is charged too', async () => {
    const needs = { role: 'member', operator: false, rate: 'outcome', meter: null } as const;
    const { exchange, calls } = openOn([AUTHORIZED, 'done'], { needs, ...keyed('k', '{}') });
    await exchange.authorize(null);
    await exchange.reverse();
    expect(calls[1]).toMatchObject({ name: 'reverse', request: expect.stringMatching(/^ik_/) });
  });

  it('is not asked for where nothing is charged', async () => {
    const { exchange, calls } = openOn([AUTHORIZED], {
      needs: { role: 'viewer', operator: false, rate: 'read', meter: null },
    });
    await exchange.authorize(null);
    await exchange.reverse();
    expect(calls).toHaveLength(1);
  });

  it('never throws: the failure that led here is the one to report', async () => {
    const { exchange } = openOn([AUTHORIZED, broken]);
    await exchange.authorize(null);
    await expect(exchange.reverse()).resolves.toBeUndefined();
  });

  // The object may have charged it: only its answer was lost.
  it('is asked for when the authorization itself got no answer', async () => {
    const { exchange, calls } = openOn([broken, 'done']);
    await exchange.authorize(null);
    await exchange.reverse();
    expect(calls[1]).toMatchObject({ name: 'reverse', request: TRACE });
  });
});
