import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const KEYED = { operationId: 'ik_1', bodyHash: sha256Hex('body') } as const;

describe('what is counted', () => {
  it.each(['verify', 'check', 'screen', 'decide', 'bulk'] as const)('%s under its own name', async (meter) => {
    const { authorize, usage } = await createTestOrganisation();
    await authorize({ meter });
    const { calls } = await usage();
    expect(calls).toEqual({ verify: 0, check: 0, screen: 0, decide: 0, bulk: 0, [meter]: 1 });
  });

  it('nothing under a test key, which is served when the quota is spent', async () => {
    const { authorize, commit, usage, keys } = await createTestOrganisation({ verificationQuota: 1 });
    await authorize();
    const test = { keyHash: keys.test.hash, operationId: 'vr_test' };
    expect(await authorize(test)).toMatchObject({ ok: true, key: { mode: 'test' } });
    await commit('vr_test');
    expect((await usage()).calls.verify).toBe(1);
  });

  it('a test key’s repeats too, and its trace is kept', async () => {
    const { authorize, commit, keys, usage, object } = await createTestOrganisation();
    const test = { ...KEYED, keyHash: keys.test.hash };
    await authorize(test);
    await commit('ik_1', { trace: { kind: 'trace', id: 'vr_test', record: '{"mode":"test"}' }, answer: 'sandbox' });
    expect(await authorize({ ...test, traceId: 'vr_b' })).toMatchObject({ earlier: { answer: 'sandbox' } });
    expect((await usage()).calls.verify).toBe(0);
    stubNeon().answer = () => 'down';
    expect(await object.flush('vr_test')).toMatchObject({ held: '{"mode":"test"}' });
  });

  it('free checks, though the quota is spent', async () => {
    const { authorize, usage } = await createTestOrganisation({ verificationQuota: 1, screeningAllowance: 1 });
    await authorize();
    expect(await authorize({ meter: 'check' })).toMatchObject({ ok: true });
    expect((await usage()).calls.check).toBe(1);
  });

  it('everything, where 0 or less makes the quota unmetered', async () => {
    const { authorize, usage } = await createTestOrganisation({ verificationQuota: 0, screeningAllowance: -1 });
    for (const meter of ['verify', 'decide', 'screen'] as const)
      expect(await authorize({ meter })).toMatchObject({ ok: true });
    expect((await usage()).calls).toMatchObject({ verify: 1, decide: 1, screen: 1 });
  });

  it('spend of an operation that could not be authorized, with its trace', async () => {
    const { commit, usage, object } = await createTestOrganisation();
    await commit('vr_1', { trace: { kind: 'trace', id: 'vr_1', record: '{}' }, spendMicros: 70 });
    expect((await usage()).spendMicros).toBe(70);
    stubNeon().answer = () => 'down';
    expect(await object.flush('vr_1')).toMatchObject({ held: '{}' });
  });
});

describe('rates', () => {
  it('are separate for each class', async () => {
    const { authorize } = await createTestOrganisation({ ratePerMinute: 1 });
    expect(await authorize()).toMatchObject({ ok: true });
    expect(await authorize()).toMatchObject({ refusal: 'rate_limited' });
    expect(await authorize({ rate: 'read', meter: null })).toMatchObject({ ok: true });
    expect(await authorize({ rate: 'read', meter: null })).toMatchObject({ refusal: 'rate_limited' });
  });

  it.each(['outcome', 'events'] as const)('of %s are 6,000 whatever the organisation’s own', async (rate) => {
    const { authorize } = await createTestOrganisation({ ratePerMinute: 1 });
    expect(await authorize({ rate, meter: null })).toMatchObject({
      ok: true,
      rate: { limit: 6_000, remaining: 5_999 },
    });
    expect(await authorize({ rate, meter: null })).toMatchObject({ ok: true });
  });

  it('count test keys in windows of their own', async () => {
    const { authorize, keys } = await createTestOrganisation({ ratePerMinute: 60 });
    const test = { keyHash: keys.test.hash };
    for (let i = 0; i < 60; i += 1) expect(await authorize(test)).toMatchObject({ ok: true });
    expect(await authorize(test)).toMatchObject({ refusal: 'rate_limited', rate: { remaining: 0 } });
    expect(await authorize()).toMatchObject({ ok: true, rate: { remaining: 59 } });
  });
});

type Unserved = [title: string, limits: object, request: Parameters<TestOrganisation['authorize']>[0], said: object];
const UNSERVED: Unserved[] = [
  ['a faulty body', {}, { faulty: true }, { ok: true }],
  ['a role too low', {}, { role: 'admin' }, { refusal: 'forbidden' }],
  ['a policy that is not there', {}, { meter: 'decide', policySlug: 'nowhere' }, { refusal: 'unknown_policy' }],
  ['a key in use with another body', {}, { ...KEYED, bodyHash: sha256Hex('other') }, { refusal: 'conflict' }],
  ['a spent quota', { verificationQuota: 1 }, {}, { refusal: 'quota_exceeded' }],
  ['a spent allowance', { screeningAllowance: 1 }, { meter: 'screen' }, { refusal: 'screening_quota_exceeded' }],
];

describe('calls that are not served', () => {
  it.each(UNSERVED)('have a rate of their own for %s, and are not metered', async (_, limits, request, said) => {
    const { authorize, usage, keys } = await createTestOrganisation({ ratePerMinute: 4, ...limits });
    await authorize({ ...KEYED, holdMs: 60_000 });
    if (request?.meter === 'screen') await authorize({ meter: 'screen' });
    const before = await usage();
    for (let i = 0; i < 4; i += 1) expect(await authorize(request)).toMatchObject(said);
    const wait = { retryAfterS: expect.any(Number), rate: { limit: 4, remaining: 0 } };
    expect(await authorize(request)).toMatchObject({ refusal: 'rate_limited', ...wait });
    expect(await usage()).toEqual(before);
    // Served calls lose nothing to these: neither free checks nor calls of a test key.
    expect(await authorize({ meter: 'check' })).toMatchObject({ ok: true });
    expect(await authorize({ keyHash: keys.test.hash, faulty: true })).toMatchObject({ ok: true });
  });

  it('hide no other refusal: another key still gets its own', async () => {
    const { authorize, keys } = await createTestOrganisation({ ratePerMinute: 2, verificationQuota: 1 });
    await authorize();
    const viewer = { keyHash: keys.viewer.hash };
    for (let i = 0; i < 3; i += 1) await authorize(viewer);
    expect(await authorize(viewer)).toMatchObject({ refusal: 'rate_limited' });
    expect(await authorize()).toMatchObject({ refusal: 'quota_exceeded' });
    expect(await authorize({ meter: 'decide', policySlug: 'nowhere', rate: 'read' })).toMatchObject({
      refusal: 'unknown_policy',
    });
    expect(await authorize({ faulty: true })).toMatchObject({ ok: true });
  });

  it.each(['outcome', 'events'] as const)('of %s have its own ceiling', async (rate) => {
    const { authorize } = await createTestOrganisation({ ratePerMinute: 1 });
    for (let i = 0; i < 3; i += 1)
      expect(await authorize({ rate, meter: null, role: 'admin' })).toMatchObject({ refusal: 'forbidden' });
  });

  it('don’t limit retries under an Idempotency-Key whose first request is at work', async () => {
    const { authorize, dump } = await createTestOrganisation({ ratePerMinute: 2 });
    await authorize({ ...KEYED, holdMs: 60_000 });
    const before = dump();
    for (let i = 0; i < 9; i += 1)
      expect(await authorize({ ...KEYED, traceId: 'vr_b', holdMs: 1 })).toMatchObject({ refusal: 'in_progress' });
    expect(dump()).toEqual(before);
  });

  it('come to an end for a revoked key, and take nothing from valid keys', async () => {
    const { authorize, object, keys } = await createTestOrganisation({ ratePerMinute: 2 });
    await object.revokeKey(keys.viewer.id);
    const revoked = { keyHash: keys.viewer.hash };
    for (let i = 0; i < 2; i += 1)
      expect(await authorize(revoked)).toMatchObject({ refusal: 'unauthorized', rate: null });
    expect(await authorize(revoked)).toMatchObject({
      refusal: 'rate_limited',
      retryAfterS: expect.any(Number),
      rate: null,
    });
    expect(await authorize({ faulty: true })).toMatchObject({ ok: true });
    expect(await authorize()).toMatchObject({ ok: true });
  });

  it('leave no window once it is over', async () => {
    const { authorize, storage } = await createTestOrganisation();
    await authorize({ faulty: true });
    vi.setSystemTime(START_MS + 120_000);
    await authorize({ role: 'admin' });
    const [{ state } = { state: '' }] = storage.sql.exec<{ state: string }>('select state from meter').toArray();
    expect(Object.keys(JSON.parse(state).windows).filter((name) => name.includes('refused'))).toEqual([
      'refused:verify:forbidden',
    ]);
  });

  it('take nothing from those of live keys when made with a test key', async () => {
    const { authorize, keys } = await createTestOrganisation({ ratePerMinute: 1 });
    const test = { keyHash: keys.test.hash, live: true };
    expect(await authorize(test)).toMatchObject({ refusal: 'sandboxed' });
    expect(await authorize(test)).toMatchObject({ refusal: 'rate_limited' });
    expect(await authorize({ faulty: true })).toMatchObject({ ok: true });
  });
});

describe('new limits', () => {
  it('are in force for the next call, lower or higher', async () => {
    const { authorize, object } = await createTestOrganisation({ verificationQuota: 1, ratePerMinute: 2 });
    await authorize();
    expect(await authorize()).toMatchObject({ refusal: 'quota_exceeded' });
    await object.configure({ limits: { verificationQuota: 2 } });
    expect(await authorize()).toMatchObject({ ok: true });
    expect(await authorize()).toMatchObject({ refusal: 'rate_limited', rate: { limit: 2 } });
    await object.configure({ limits: { ratePerMinute: 3, verificationQuota: 0 } });
    expect(await authorize()).toMatchObject({ ok: true, rate: { limit: 3, remaining: 0 } });
    await object.configure({ limits: { ratePerMinute: 1 } });
    expect(await authorize()).toMatchObject({ refusal: 'rate_limited', rate: { limit: 1 } });
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
    await organisation.authorize(KEYED);
    await organisation.commit('ik_1', { spendMicros: 500, answer: 'first' });
    await organisation.authorize({ operationId: 'vr_2' });
    organisation.evict();
    expect(await organisation.usage()).toMatchObject({ calls: { verify: 2 }, spendMicros: 500 });
    const repeat = await organisation.authorize({ ...KEYED, traceId: 'vr_b' });
    expect(repeat).toMatchObject({ earlier: { answer: 'first' }, rate: { remaining: 0 } });
    expect(await organisation.authorize()).toMatchObject({ refusal: 'rate_limited' });
    await organisation.object.reverse('vr_2', 'vr_2');
    expect((await organisation.usage()).calls.verify).toBe(1);
  });
});

describe('a new UTC month', () => {
  const LAST = Date.UTC(2026, 10, 30, 23, 59, 59, 999);

  it('begins at zero, with the whole quota, at its first instant', async () => {
    const { authorize, usage } = await createTestOrganisation({ verificationQuota: 1 });
    vi.setSystemTime(LAST);
    await authorize();
    expect(await authorize()).toMatchObject({ refusal: 'quota_exceeded' });
    vi.setSystemTime(LAST + 1);
    expect(await usage()).toMatchObject({ month: '2026-12', calls: { verify: 0 } });
    expect(await authorize()).toMatchObject({ ok: true });
    expect(await authorize()).toMatchObject({ refusal: 'quota_exceeded' });
  });

  it('is not lowered by a charge of the last month taken back', async () => {
    const { authorize, object, usage } = await createTestOrganisation();
    vi.setSystemTime(LAST);
    await authorize({ operationId: 'vr_1' });
    vi.setSystemTime(LAST + 1);
    await authorize();
    await object.reverse('vr_1', 'vr_1');
    expect((await usage()).calls.verify).toBe(1);
    await authorize({ operationId: 'vr_1' });
    expect((await usage()).calls.verify).toBe(2);
  });

  it('takes the spend of what is finished in it, and keeps the minute’s count', async () => {
    const { authorize, commit, usage } = await createTestOrganisation({ ratePerMinute: 1 });
    vi.setSystemTime(LAST);
    await authorize({ operationId: 'vr_1' });
    vi.setSystemTime(LAST + 1);
    await commit('vr_1', { spendMicros: 90 });
    expect(await usage()).toMatchObject({ month: '2026-12', spendMicros: 90 });
    expect(await authorize()).toMatchObject({ refusal: 'rate_limited' });
  });

  it('stays when the clock goes back over its beginning', async () => {
    const { authorize, usage } = await createTestOrganisation();
    vi.setSystemTime(LAST + 1);
    await authorize();
    vi.setSystemTime(LAST);
    await authorize();
    expect(await usage()).toMatchObject({ month: '2026-12', calls: { verify: 2 } });
  });
});

describe('the operations', () => {
  async function createTwo() {
    stubNeon();
    const organisation = await createTestOrganisation();
    await organisation.authorize(KEYED);
    await organisation.authorize({ operationId: 'vr_1' });
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

  it('sleeps between two ends: an idle organisation is not woken every hour', async () => {
    const { passTo, storage } = await createTwo();
    await passTo(HOUR_MS);
    await passTo(HOUR_MS + SECOND_MS);
    expect(storage.alarmAt()).toBe(START_MS + DAY_MS);
  });
});
