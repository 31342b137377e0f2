import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Admitted } from '../../../src/domain/organisation/index.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const BODY = sha256Hex('body');
const KEYED = { operationId: 'ik_1', bodyHash: BODY } as const;
const remaining = (answer: unknown): number => (answer as Admitted).rate.remaining;

describe('the same operation sent again by our own transport', () => {
  it('is charged once and is not one more request', async () => {
    const { admit, usage } = await createTestOrganisation({ ratePerMinute: 10 });
    const first = await admit({ operationId: 'vr_1' });
    const again = await admit({ operationId: 'vr_1' });
    expect([remaining(first), remaining(again)]).toEqual([9, 9]);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('is told of the first, whose trace it continues', async () => {
    const { admit } = await createTestOrganisation();
    expect(await admit({ operationId: 'vr_1', traceId: 'vr_a' })).toMatchObject({ earlier: null });
    expect(await admit({ operationId: 'vr_1', traceId: 'vr_b' })).toMatchObject({
      earlier: { traceId: 'vr_a', answer: null },
    });
  });

  it('is admitted though minute and quota are spent by now', async () => {
    const { admit } = await createTestOrganisation({ ratePerMinute: 1, verificationQuota: 1 });
    await admit({ operationId: 'vr_1' });
    expect(await admit({ operationId: 'vr_1' })).toMatchObject({ ok: true });
    expect(await admit({ operationId: 'vr_2' })).toMatchObject({ refusal: 'rate_limited' });
  });

  it('writes its trace and its spend once', async () => {
    const { admit, finish, usage, dump } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await finish('vr_1', { spendMicros: 4_000 });
    const once = dump();
    await finish('vr_1', { spendMicros: 4_000 });
    expect(dump()).toEqual(once);
    expect((await usage()).spendMicros).toBe(4_000);
  });
});

describe('a caller’s repeat under an Idempotency-Key', () => {
  it('is charged once, is one more request, and gets the finished answer', async () => {
    const { admit, finish, usage } = await createTestOrganisation({ ratePerMinute: 10 });
    await admit({ ...KEYED, traceId: 'vr_a' });
    expect(await admit({ ...KEYED, traceId: 'vr_b' })).toMatchObject({ earlier: { traceId: 'vr_a', answer: null } });
    await finish('ik_1', { trace: { kind: 'trace', id: 'vr_a', record: '{}' }, answer: '{"verdict":"valid"}' });
    const third = await admit({ ...KEYED, traceId: 'vr_c' });
    expect(third).toMatchObject({ earlier: { traceId: 'vr_a', answer: '{"verdict":"valid"}' } });
    expect(remaining(third)).toBe(7);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('keeps the first answer when two were on their way', async () => {
    const { admit, finish } = await createTestOrganisation();
    await Promise.all([admit(KEYED), admit(KEYED)]);
    expect(await finish('ik_1', { answer: 'first' })).toEqual({ answer: 'first' });
    expect(await finish('ik_1', { answer: 'second' })).toEqual({ answer: 'first' });
    expect(await admit(KEYED)).toMatchObject({ earlier: { answer: 'first' } });
  });

  it('has its own bill counted, once, though another answered first', async () => {
    const { admit, finish, usage } = await createTestOrganisation();
    await Promise.all([admit(KEYED), admit(KEYED)]);
    for (const requestId of ['vr_a', 'vr_b', 'vr_b', 'vr_a'])
      await finish('ik_1', { requestId, spendMicros: 4_000, bodyHash: BODY });
    expect((await usage()).spendMicros).toBe(8_000);
  });

  it('is served when the quota is spent, for it costs nothing', async () => {
    const { admit } = await createTestOrganisation({ verificationQuota: 1 });
    await admit(KEYED);
    expect(await admit(KEYED)).toMatchObject({ ok: true });
    expect(await admit({ ...KEYED, operationId: 'ik_2' })).toMatchObject({ refusal: 'quota_exceeded' });
  });

  it('is refused with another body, also after the first was taken back', async () => {
    const { admit, object } = await createTestOrganisation();
    await admit(KEYED);
    await object.reverse('ik_1');
    expect(await admit({ ...KEYED, bodyHash: sha256Hex('other') })).toMatchObject({ refusal: 'conflict' });
  });

  it('is answered consistently where nothing is charged: outcomes', async () => {
    const { admit, finish } = await createTestOrganisation();
    const outcome = { ...KEYED, rate: 'outcome', meter: null } as const;
    await admit(outcome);
    await finish('ik_1', { answer: 'stored' });
    expect(await admit(outcome)).toMatchObject({ earlier: { answer: 'stored' } });
    expect(await admit({ ...outcome, bodyHash: sha256Hex('other') })).toMatchObject({ refusal: 'conflict' });
  });
});

describe('a charge taken back', () => {
  it('is counted no more, once, and charged again when the operation is repeated', async () => {
    const { admit, object, usage } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await object.reverse('vr_1');
    await object.reverse('vr_1');
    expect((await usage()).calls.verify).toBe(0);
    expect(await admit({ operationId: 'vr_1' })).toMatchObject({ ok: true, earlier: null });
    expect((await usage()).calls.verify).toBe(1);
  });

  it('gives the quota back', async () => {
    const { admit, object } = await createTestOrganisation({ verificationQuota: 1 });
    await admit({ operationId: 'vr_1' });
    expect(await admit()).toMatchObject({ refusal: 'quota_exceeded' });
    await object.reverse('vr_1');
    expect(await admit()).toMatchObject({ ok: true });
  });

  it('is needed when the repeat finds the quota spent', async () => {
    const { admit, object } = await createTestOrganisation({ verificationQuota: 1 });
    await admit({ operationId: 'vr_1' });
    await object.reverse('vr_1');
    await admit({ operationId: 'vr_2' });
    expect(await admit({ operationId: 'vr_1' })).toMatchObject({ refusal: 'quota_exceeded' });
  });

  it('stays when the operation was finished', async () => {
    const { admit, finish, object, usage } = await createTestOrganisation();
    await admit({ operationId: 'vr_1' });
    await finish('vr_1');
    await object.reverse('vr_1');
    expect((await usage()).calls.verify).toBe(1);
  });

  it('changes nothing for an operation that was never charged', async () => {
    const { object, dump } = await createTestOrganisation();
    const before = dump();
    await object.reverse('vr_unknown');
    expect(dump()).toEqual(before);
  });

  // Two requests under one Idempotency-Key, both at work: one fails and takes the charge back, the other is answered.
  it('is charged after all when the operation is finished by the other of two requests', async () => {
    const { admit, finish, object, usage } = await createTestOrganisation();
    await Promise.all([admit(KEYED), admit(KEYED)]);
    await object.reverse('ik_1');
    await finish('ik_1', { answer: 'answered' });
    expect(await admit(KEYED)).toMatchObject({ earlier: { answer: 'answered' } });
    expect((await usage()).calls.verify).toBe(1);
  });
});
