import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FinishRequest } from '../../../src/organisation/api.ts';
import { START_MS } from '../../support/records.ts';
import { ADMITTED, broken, keyed, openOn, overloaded, TRACE } from '../../support/scripted-object.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const COMPLETION = {
  trace: { kind: 'trace', id: TRACE, record: '{"v":1}' },
  spendMicros: 40,
  answer: '{"verdict":"valid"}',
} as const;

describe('settling', () => {
  const finish: FinishRequest = {
    v: 1,
    operationId: TRACE,
    requestId: TRACE,
    trace: COMPLETION.trace,
    spendMicros: 40,
    bodyHash: null,
    answer: null,
  };

  it('hands over trace and spend, and keeps no answer without an Idempotency-Key', async () => {
    const { operation, calls, deferred } = openOn([ADMITTED, { answer: null }]);
    await operation.admit(null);
    expect(await operation.settle(COMPLETION)).toBeNull();
    expect(calls[1]).toMatchObject({ name: 'finish', request: finish });
    expect(deferred).toEqual([]);
  });

  it('keeps the answer under an Idempotency-Key, and gives the earlier one', async () => {
    const { operation, calls } = openOn([ADMITTED, { answer: 'earlier' }], keyed('k', '{}'));
    await operation.admit(null);
    expect(await operation.settle(COMPLETION)).toBe('earlier');
    expect(calls[1]).toMatchObject({ request: { answer: COMPLETION.answer } });
  });

  it.each([
    ['broken', broken],
    ['overloaded', overloaded],
  ])('is an error where the record is all there is to the request and the object is %s', async (_, error) => {
    const { operation, calls, deferred } = openOn([ADMITTED, error], { servesUnreached: false });
    await operation.admit(null);
    await expect(operation.settle(COMPLETION)).rejects.toThrow(error === broken ? 'unreachable' : 'Too many');
    expect(calls).toHaveLength(2);
    expect(deferred).toEqual([]);
  });

  it.each([
    ['broken', broken],
    ['overloaded', overloaded],
  ])('goes on behind the answer when the object is %s meanwhile', async (_, error) => {
    const { operation, calls, deferred } = openOn([ADMITTED, error, { answer: null }]);
    await operation.admit(null);
    expect(await operation.settle(COMPLETION)).toBeNull();
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(deferred);
    expect(calls.map(({ name }) => name)).toEqual(['admit', 'finish', 'finish']);
    expect(calls[2]?.request).toEqual(finish);
  });

  it('charges behind the answer what could not be admitted, under its own operation id', async () => {
    const { operation, calls, deferred } = openOn([broken, ADMITTED, { answer: null }]);
    await operation.admit({ addressHash: 'h', domain: 'acme.example' });
    expect(await operation.settle(COMPLETION)).toBeNull();
    await Promise.all(deferred);
    expect(calls.slice(1)).toMatchObject([
      { name: 'admit', request: { operationId: TRACE, meter: 'verify', faulty: false } },
      { name: 'finish', request: finish },
    ]);
  });

  it('does not make the answer wait for an object that is still out of reach', async () => {
    const { operation, deferred } = openOn([broken, 'hangs', 'hangs']);
    await operation.admit(null);
    expect(await operation.settle(COMPLETION)).toBeNull();
    await vi.advanceTimersByTimeAsync(4_000);
    await expect(Promise.all(deferred)).resolves.toBeDefined();
  });

  // The answer has named its trace: it is kept though the charge comes too late.
  it('keeps the trace when the late charge is refused, and fails nothing behind the answer', async () => {
    const { operation, calls, deferred } = openOn([
      broken,
      { ok: false, refusal: 'quota_exceeded', rate: null },
      { answer: null },
    ]);
    await operation.admit(null);
    await operation.settle(COMPLETION);
    await expect(Promise.all(deferred)).resolves.toBeDefined();
    expect(calls.map(({ name }) => name)).toEqual(['admit', 'admit', 'finish']);
  });
});

describe('taking the charge back', () => {
  it('names the operation', async () => {
    const { operation, calls } = openOn([ADMITTED, 'done']);
    await operation.admit(null);
    await operation.reverse();
    expect(calls[1]).toMatchObject({ name: 'reverse', request: TRACE });
  });

  it.each([
    ['was refused', { ok: false, refusal: 'quota_exceeded', rate: null }],
    ['was not taken by an overloaded object', overloaded],
  ] as const)('is not asked for where the request %s', async (_, reply) => {
    const { operation, calls } = openOn([reply, 'done'], keyed('k', '{}'));
    await operation.admit(null).catch(() => undefined);
    await operation.reverse();
    expect(calls).toHaveLength(1);
  });

  it('gives an Idempotency-Key free, where nothing is charged too', async () => {
    const needs = { role: 'member', operator: false, rate: 'outcome', meter: null } as const;
    const { operation, calls } = openOn([ADMITTED, 'done'], { needs, ...keyed('k', '{}') });
    await operation.admit(null);
    await operation.reverse();
    expect(calls[1]).toMatchObject({ name: 'reverse', request: expect.stringMatching(/^ik_/) });
  });

  it('is not asked for where nothing is charged', async () => {
    const { operation, calls } = openOn([ADMITTED], {
      needs: { role: 'viewer', operator: false, rate: 'read', meter: null },
    });
    await operation.admit(null);
    await operation.reverse();
    expect(calls).toHaveLength(1);
  });

  it('never throws: the failure that led here is the one to report', async () => {
    const { operation } = openOn([ADMITTED, broken]);
    await operation.admit(null);
    await expect(operation.reverse()).resolves.toBeUndefined();
  });

  // The object may have charged it: only its answer was lost.
  it('is asked for when the admission itself got no answer', async () => {
    const { operation, calls } = openOn([broken, 'done']);
    await operation.admit(null);
    await operation.reverse();
    expect(calls[1]).toMatchObject({ name: 'reverse', request: TRACE });
  });
});
