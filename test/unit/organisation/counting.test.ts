import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const KEYED = { operationId: 'ik_1', bodyHash: sha256Hex('body') } as const;

describe('what is counted', () => {
  it.each(['verify', 'check', 'screen', 'decide', 'bulk'] as const)('%s under its own name', async (meter) => {
    const { admit, usage } = await createTestOrganisation();
    await admit({ meter });
    const { calls } = await usage();
    expect(calls).toEqual({ verify: 0, check: 0, screen: 0, decide: 0, bulk: 0, [meter]: 1 });
  });

  it('nothing under a test key, which is served when the quota is spent', async () => {
    const { admit, finish, usage, keys } = await createTestOrganisation({ verificationQuota: 1 });
    await admit();
    const test = { keyHash: keys.test.hash, operationId: 'vr_test' };
    expect(await admit(test)).toMatchObject({ ok: true, key: { mode: 'test' } });
    await finish('vr_test');
    expect((await usage()).calls.verify).toBe(1);
  });

  it('a test key’s repeats too, and its trace is kept', async () => {
    const { admit, finish, keys, usage, object } = await createTestOrganisation();
    const test = { ...KEYED, keyHash: keys.test.hash };
    await admit(test);
    await finish('ik_1', { trace: { kind: 'trace', id: 'vr_test', record: '{"mode":"test"}' }, answer: 'sandbox' });
    expect(await admit({ ...test, traceId: 'vr_b' })).toMatchObject({ earlier: { answer: 'sandbox' } });
    expect((await usage()).calls.verify).toBe(0);
    stubNeon().answer = () => 'down';
    expect(await object.flush('vr_test')).toMatchObject({ held: '{"mode":"test"}' });
  });

  it('free checks, though the quota is spent', async () => {
    const { admit, usage } = await createTestOrganisation({ verificationQuota: 1, screeningAllowance: 1 });
    await admit();
    expect(await admit({ meter: 'check' })).toMatchObject({ ok: true });
    expect((await usage()).calls.check).toBe(1);
  });

  it('everything, where 0 or less makes the quota unmetered', async () => {
    const { admit, usage } = await createTestOrganisation({ verificationQuota: 0, screeningAllowance: -1 });
    for (const meter of ['verify', 'decide', 'screen'] as const)
      expect(await admit({ meter })).toMatchObject({ ok: true });
    expect((await usage()).calls).toMatchObject({ verify: 1, decide: 1, screen: 1 });
  });

  it('spend of an operation that could not be admitted, with its trace', async () => {
    const { finish, usage, object } = await createTestOrganisation();
    await finish('vr_1', { trace: { kind: 'trace', id: 'vr_1', record: '{}' }, spendMicros: 70 });
    expect((await usage()).spendMicros).toBe(70);
    stubNeon().answer = () => 'down';
    expect(await object.flush('vr_1')).toMatchObject({ held: '{}' });
  });
});

describe('rates', () => {
  it('of one class say nothing about another', async () => {
    const { admit } = await createTestOrganisation({ ratePerMinute: 1 });
    expect(await admit()).toMatchObject({ ok: true });
    expect(await admit()).toMatchObject({ refusal: 'rate_limited' });
    expect(await admit({ rate: 'read', meter: null })).toMatchObject({ ok: true });
    expect(await admit({ rate: 'read', meter: null })).toMatchObject({ refusal: 'rate_limited' });
  });

  it.each(['outcome', 'events'] as const)('of %s are 6,000 whatever the organisation’s own', async (rate) => {
    const { admit } = await createTestOrganisation({ ratePerMinute: 1 });
    expect(await admit({ rate, meter: null })).toMatchObject({ ok: true, rate: { limit: 6_000, remaining: 5_999 } });
    expect(await admit({ rate, meter: null })).toMatchObject({ ok: true });
  });

  it('count test keys in windows of their own', async () => {
    const { admit, keys } = await createTestOrganisation({ ratePerMinute: 60 });
    const test = { keyHash: keys.test.hash };
    for (let i = 0; i < 60; i += 1) expect(await admit(test)).toMatchObject({ ok: true });
    expect(await admit(test)).toMatchObject({ refusal: 'rate_limited', rate: { remaining: 0 } });
    expect(await admit()).toMatchObject({ ok: true, rate: { remaining: 59 } });
  });
});

type Unserved = [title: string, limits: object, request: Parameters<TestOrganisation['admit']>[0], said: object];
const UNSERVED: Unserved[] = [
  ['a faulty body', {}, { faulty: true }, { ok: true }],
  ['a role too low', {}, { role: 'admin' }, { refusal: 'forbidden' }],
  ['a policy that is not there', {}, { meter: 'decide', policySlug: 'nowhere' }, { refusal: 'unknown_policy' }],
  ['a key in use with another body', {}, { ...KEYED, bodyHash: sha256Hex('other') }, { refusal: 'conflict' }],
  ['a spent quota', { verificationQuota: 1 }, {}, { refusal: 'quota_exceeded' }],
  ['a spent allowance', { screeningAllowance: 1 }, { meter: 'screen' }, { refusal: 'screening_quota_exceeded' }],
];

describe('calls that are not served', () => {
  it.each(UNSERVED)('for %s have a rate of their own, and are not metered', async (_, limits, request, said) => {
    const { admit, usage, keys } = await createTestOrganisation({ ratePerMinute: 4, ...limits });
    await admit({ ...KEYED, holdMs: 60_000 });
    if (request?.meter === 'screen') await admit({ meter: 'screen' });
    const before = await usage();
    for (let i = 0; i < 4; i += 1) expect(await admit(request)).toMatchObject(said);
    const wait = { retryAfterS: expect.any(Number), rate: { limit: 4, remaining: 0 } };
    expect(await admit(request)).toMatchObject({ refusal: 'rate_limited', ...wait });
    expect(await usage()).toEqual(before);
    // Nothing of it is taken from what is served: live, of a test key, or a free check.
    expect(await admit({ meter: 'check' })).toMatchObject({ ok: true });
    expect(await admit({ keyHash: keys.test.hash, faulty: true })).toMatchObject({ ok: true });
  });

  it('hide no other refusal: what one key is refused for in a loop, another still hears', async () => {
    const { admit, keys } = await createTestOrganisation({ ratePerMinute: 2, verificationQuota: 1 });
    await admit();
    const viewer = { keyHash: keys.viewer.hash };
    for (let i = 0; i < 3; i += 1) await admit(viewer);
    expect(await admit(viewer)).toMatchObject({ refusal: 'rate_limited' });
    expect(await admit()).toMatchObject({ refusal: 'quota_exceeded' });
    expect(await admit({ meter: 'decide', policySlug: 'nowhere', rate: 'read' })).toMatchObject({
      refusal: 'unknown_policy',
    });
    expect(await admit({ faulty: true })).toMatchObject({ ok: true });
  });

  it.each(['outcome', 'events'] as const)('of %s have its own ceiling', async (rate) => {
    const { admit } = await createTestOrganisation({ ratePerMinute: 1 });
    for (let i = 0; i < 3; i += 1)
      expect(await admit({ rate, meter: null, role: 'admin' })).toMatchObject({ refusal: 'forbidden' });
  });

  it('for a key whose first request is at work may be asked for as often as they say', async () => {
    const { admit, dump } = await createTestOrganisation({ ratePerMinute: 2 });
    await admit({ ...KEYED, holdMs: 60_000 });
    const before = dump();
    for (let i = 0; i < 9; i += 1)
      expect(await admit({ ...KEYED, traceId: 'vr_b', holdMs: 1 })).toMatchObject({ refusal: 'in_progress' });
    expect(dump()).toEqual(before);
  });

  it('for a key that is revoked come to an end, and take nothing from living keys', async () => {
    const { admit, object, keys } = await createTestOrganisation({ ratePerMinute: 2 });
    await object.revokeKey(keys.viewer.id);
    const revoked = { keyHash: keys.viewer.hash };
    for (let i = 0; i < 2; i += 1) expect(await admit(revoked)).toMatchObject({ refusal: 'unauthorized', rate: null });
    expect(await admit(revoked)).toMatchObject({
      refusal: 'rate_limited',
      retryAfterS: expect.any(Number),
      rate: null,
    });
    expect(await admit({ faulty: true })).toMatchObject({ ok: true });
    expect(await admit()).toMatchObject({ ok: true });
  });

  it('leave no window behind once it is over', async () => {
    const { admit, storage } = await createTestOrganisation();
    await admit({ faulty: true });
    vi.setSystemTime(START_MS + 120_000);
    await admit({ role: 'admin' });
    const [{ state } = { state: '' }] = storage.sql.exec<{ state: string }>('select state from meter').toArray();
    expect(Object.keys(JSON.parse(state).windows).filter((name) => name.includes('refused'))).toEqual([
      'refused:verify:forbidden',
    ]);
  });

  it('of a test key take nothing from those of live keys', async () => {
    const { admit, keys } = await createTestOrganisation({ ratePerMinute: 1 });
    const test = { keyHash: keys.test.hash, live: true };
    expect(await admit(test)).toMatchObject({ refusal: 'sandboxed' });
    expect(await admit(test)).toMatchObject({ refusal: 'rate_limited' });
    expect(await admit({ faulty: true })).toMatchObject({ ok: true });
  });
});

describe('new limits', () => {
  it('are in force for the next call, lower or higher', async () => {
    const { admit, object } = await createTestOrganisation({ verificationQuota: 1, ratePerMinute: 2 });
    await admit();
    expect(await admit()).toMatchObject({ refusal: 'quota_exceeded' });
    await object.configure({ limits: { verificationQuota: 2 } });
    expect(await admit()).toMatchObject({ ok: true });
    expect(await admit()).toMatchObject({ refusal: 'rate_limited', rate: { limit: 2 } });
    await object.configure({ limits: { ratePerMinute: 3, verificationQuota: 0 } });
    expect(await admit()).toMatchObject({ ok: true, rate: { limit: 3, remaining: 0 } });
    await object.configure({ limits: { ratePerMinute: 1 } });
    expect(await admit()).toMatchObject({ refusal: 'rate_limited', rate: { limit: 1 } });
  });

  it('leave the others as they were, and outlive the object’s memory', async () => {
    const organisation = await createTestOrganisation({ verificationQuota: 7 });
    await organisation.object.configure({ name: 'Acme Ltd', limits: { ratePerMinute: 9 } });
    organisation.evict();
    const limits = { ...organisation.settings.limits, ratePerMinute: 9 };
    expect(await organisation.object.settings()).toEqual({
      ...organisation.settings,
      name: 'Acme Ltd',
      limits,
      version: 2,
    });
  });
});

describe('after a restart', () => {
  it('counts, minute, operations and answers are what they were', async () => {
    const organisation = await createTestOrganisation({ ratePerMinute: 3, verificationQuota: 3 });
    await organisation.admit(KEYED);
    await organisation.finish('ik_1', { spendMicros: 500, answer: 'first' });
    await organisation.admit({ operationId: 'vr_2' });
    organisation.evict();
    expect(await organisation.usage()).toMatchObject({ calls: { verify: 2 }, spendMicros: 500 });
    const repeat = await organisation.admit({ ...KEYED, traceId: 'vr_b' });
    expect(repeat).toMatchObject({ earlier: { answer: 'first' }, rate: { remaining: 0 } });
    expect(await organisation.admit()).toMatchObject({ refusal: 'rate_limited' });
    await organisation.object.reverse('vr_2', 'vr_2');
    expect((await organisation.usage()).calls.verify).toBe(1);
  });
});

describe('a new UTC month', () => {
  const LAST = Date.UTC(2026, 10, 30, 23, 59, 59, 999);

  it('begins at zero, with the whole quota, at its first instant', async () => {
    const { admit, usage } = await createTestOrganisation({ verificationQuota: 1 });
    vi.setSystemTime(LAST);
    await admit();
    expect(await admit()).toMatchObject({ refusal: 'quota_exceeded' });
    vi.setSystemTime(LAST + 1);
    expect(await usage()).toMatchObject({ month: '2026-12', calls: { verify: 0 } });
    expect(await admit()).toMatchObject({ ok: true });
    expect(await admit()).toMatchObject({ refusal: 'quota_exceeded' });
  });

  it('is not lowered by a charge of the last month taken back', async () => {
    const { admit, object, usage } = await createTestOrganisation();
    vi.setSystemTime(LAST);
    await admit({ operationId: 'vr_1' });
    vi.setSystemTime(LAST + 1);
    await admit();
    await object.reverse('vr_1', 'vr_1');
    expect((await usage()).calls.verify).toBe(1);
    await admit({ operationId: 'vr_1' });
    expect((await usage()).calls.verify).toBe(2);
  });

  it('takes the spend of what is finished in it, and keeps the minute’s count', async () => {
    const { admit, finish, usage } = await createTestOrganisation({ ratePerMinute: 1 });
    vi.setSystemTime(LAST);
    await admit({ operationId: 'vr_1' });
    vi.setSystemTime(LAST + 1);
    await finish('vr_1', { spendMicros: 90 });
    expect(await usage()).toMatchObject({ month: '2026-12', spendMicros: 90 });
    expect(await admit()).toMatchObject({ refusal: 'rate_limited' });
  });

  it('stays when the clock goes back over its beginning', async () => {
    const { admit, usage } = await createTestOrganisation();
    vi.setSystemTime(LAST + 1);
    await admit();
    vi.setSystemTime(LAST);
    await admit();
    expect(await usage()).toMatchObject({ month: '2026-12', calls: { verify: 2 } });
  });
});

describe('the operations', () => {
  async function createTwo() {
    stubNeon();
    const organisation = await createTestOrganisation();
    await organisation.admit(KEYED);
    await organisation.admit({ operationId: 'vr_1' });
    const passTo = async (ms: number) => {
      vi.setSystemTime(START_MS + ms);
      await organisation.object.tick();
      return organisation.storage.sql
        .exec<{ key: string }>('select key from operation order by key')
        .toArray()
        .map(({ key }) => key);
    };
    return { ...organisation, passTo };
  }

  it('keeps operations under an Idempotency-Key 24 hours, the others an hour', async () => {
    const { passTo } = await createTwo();
    expect(await passTo(HOUR_MS - 1)).toEqual(['1', '~ik_1']);
    expect(await passTo(HOUR_MS)).toEqual(['~ik_1']);
    expect(await passTo(DAY_MS - 1)).toEqual(['~ik_1']);
    expect(await passTo(DAY_MS)).toEqual([]);
  });

  it('takes back the charge of what was never finished: its request failed on our side', async () => {
    const { passTo, finish, usage } = await createTwo();
    await finish('ik_1');
    await passTo(HOUR_MS);
    await passTo(DAY_MS);
    expect((await usage()).calls.verify).toBe(1);
  });

  it('sleeps between two ends: an idle organisation is not woken every hour', async () => {
    const { passTo, storage } = await createTwo();
    await passTo(HOUR_MS);
    await passTo(HOUR_MS + SECOND_MS);
    expect(storage.alarmAt()).toBe(START_MS + DAY_MS);
  });
});
