import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import type { AuthorizeRequest, Refused } from '../../../src/organisation/api.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { createTestOrganisation, dumpTables, startObject, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';
import { authorizeRequest } from '../../support/requests.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const BODY = sha256Hex('the first body');
const OTHER_BODY = sha256Hex('another body');
/** 15 seconds into the minute, the one request of it taken. */
const RATE_SPENT = { limit: 1, remaining: 0, resetS: 45 };
const RATE_FREE = { limit: 1, remaining: 1, resetS: 45 };

/** One request a minute, one verification and one screening a month, and all three taken; `ik_1` stands for `BODY`. */
async function createSpent(): Promise<TestOrganisation> {
  const organisation = await createTestOrganisation({ ratePerMinute: 1, verificationQuota: 1, screeningAllowance: 1 });
  vi.setSystemTime(START_MS - 5 * MINUTE_MS);
  expect(await organisation.authorize({ meter: 'screen' })).toMatchObject({ ok: true });
  vi.setSystemTime(START_MS);
  expect(await organisation.authorize({ operationId: 'ik_1', bodyHash: BODY })).toMatchObject({ ok: true });
  return organisation;
}

/** Each row keeps every fault of the rows below it and drops the one it was refused for. */
const ORDER: [
  title: string,
  fault: Partial<AuthorizeRequest> & { by?: keyof TestOrganisation['keys'] },
  refusal: Refused,
][] = [
  [
    'an unknown key',
    { keyHash: sha256Hex('evk_live_…'), role: 'admin' },
    { ok: false, refusal: 'unauthorized', rate: null },
  ],
  ['a role too low', { by: 'viewer' }, { ok: false, refusal: 'forbidden', rate: RATE_SPENT }],
  [
    'no operator',
    { by: 'admin', role: 'admin', operator: true },
    { ok: false, refusal: 'forbidden', rate: RATE_SPENT },
  ],
  ['another body under the same Idempotency-Key', {}, { ok: false, refusal: 'conflict', rate: RATE_SPENT }],
  [
    'too many requests',
    { operationId: 'ik_2' },
    { ok: false, refusal: 'rate_limited', retryAfterS: 105, rate: { ...RATE_SPENT, resetS: 105 } },
  ],
];
const ALL_FAULTS: Partial<AuthorizeRequest> = { operationId: 'ik_1', bodyHash: OTHER_BODY };

/** The tables without the rate windows of refused calls. */
function kept(organisation: TestOrganisation) {
  const { meter = [], ...tables } = organisation.dump();
  const states = meter.map((row) => {
    const { windows, usage } = JSON.parse((row as { state: string }).state);
    return { windows: Object.entries(windows).filter(([name]) => !name.includes('refused')), usage };
  });
  return { ...tables, meter: states };
}

describe('authorize refuses in the contract’s order, and writes nothing but that it did', () => {
  it.each(ORDER)('%s', async (_, { by = 'member', ...fault }, refusal) => {
    const organisation = await createSpent();
    const before = kept(organisation);
    const answer = await organisation.authorize({ keyHash: organisation.keys[by].hash, ...ALL_FAULTS, ...fault });
    expect(answer).toEqual(refusal);
    expect(kept(organisation)).toEqual(before);
  });

  it.each([
    ['verify', 'quota_exceeded'],
    ['decide', 'quota_exceeded'],
    ['bulk', 'quota_exceeded'],
    ['screen', 'screening_quota_exceeded'],
  ] as const)('%s without quota last, when nothing else is wrong', async (meter, refusal) => {
    const organisation = await createSpent();
    vi.setSystemTime(START_MS + 2 * MINUTE_MS);
    const before = kept(organisation);
    expect(await organisation.authorize({ meter })).toEqual({ ok: false, refusal, rate: RATE_FREE });
    expect(kept(organisation)).toEqual(before);
  });

  it('a bad body only after key and role, and charges nothing for it', async () => {
    const organisation = await createSpent();
    const faulty = { ...ALL_FAULTS, faulty: true };
    const before = kept(organisation);
    expect(await organisation.authorize({ ...faulty, keyHash: sha256Hex('none') })).toMatchObject({
      refusal: 'unauthorized',
    });
    expect(await organisation.authorize({ ...faulty, keyHash: organisation.keys.viewer.hash })).toMatchObject({
      refusal: 'forbidden',
    });
    vi.setSystemTime(START_MS + 2 * MINUTE_MS);
    expect(await organisation.authorize(faulty)).toMatchObject({ ok: true, rate: RATE_FREE, earlier: null });
    expect(kept(organisation)).toEqual(before);
  });
});

describe('an authorized request', () => {
  it('learns who asks, of which organisation, and what is left of the minute', async () => {
    const { authorize, keys, settings } = await createTestOrganisation({ ratePerMinute: 10 });
    const { id, name, role, mode, origin, operator, userId } = keys.admin;
    expect(await authorize({ keyHash: keys.admin.hash })).toEqual({
      ok: true,
      key: { id, name, role, mode, origin, operator, userId },
      organisation: { id: settings.id, accountId: settings.accountId, name: settings.name },
      rate: { limit: 10, remaining: 9, resetS: 45 },
      rules: { address: null, domain: null },
      earlier: null,
    });
  });

  it.each([
    ['viewer', 'viewer'],
    ['member', 'viewer'],
    ['member', 'member'],
    ['admin', 'admin'],
    ['operator', 'admin'],
    ['test', 'member'],
  ] as const)('may be of a %s key where %s is enough', async (by, role) => {
    const organisation = await createTestOrganisation();
    expect(await organisation.authorize({ keyHash: organisation.keys[by].hash, role })).toMatchObject({ ok: true });
  });

  it('may be an operator’s on an operator’s route', async () => {
    const { authorize, keys } = await createTestOrganisation();
    const request = { keyHash: keys.operator.hash, role: 'admin', operator: true, meter: null } as const;
    expect(await authorize(request)).toMatchObject({ ok: true, key: { operator: true } });
  });
});

describe('a key', () => {
  it('is refused from the next call after its revocation, also after a restart', async () => {
    const organisation = await createTestOrganisation();
    expect(await organisation.authorize()).toMatchObject({ ok: true });
    await organisation.object.revokeKey(organisation.keys.member.id);
    expect(await organisation.authorize()).toEqual({ ok: false, refusal: 'unauthorized', rate: null });
    organisation.evict();
    expect(await organisation.authorize()).toMatchObject({ refusal: 'unauthorized' });
    expect(await organisation.authorize({ keyHash: organisation.keys.admin.hash })).toMatchObject({ ok: true });
  });

  it('keeps the time of its first revocation', async () => {
    const { object, keys } = await createTestOrganisation();
    expect(await object.revokeKey(keys.member.id)).toMatchObject({ revokedAt: START_MS });
    vi.setSystemTime(START_MS + 1_000);
    expect(await object.revokeKey(keys.member.id)).toMatchObject({ revokedAt: START_MS });
    expect(await object.revokeKey('key_00000000000000000000000000')).toBeNull();
  });

  it('is inserted once, however often it is sent', async () => {
    const { object, keys } = await createTestOrganisation();
    expect(await object.insertKey(keys.member)).toBe(false);
    expect(await object.listKeys()).toHaveLength(5);
  });
});

describe('an object without an organisation', () => {
  it('refuses every key when it was never filled, raises an alarm, and does not fill itself', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const storage = createObjectStorage();
    const object = startObject(storage);
    const before = dumpTables(storage);
    const request = authorizeRequest({ keyHash: sha256Hex('any') });
    expect(await object.authorize(request)).toEqual({ ok: false, refusal: 'unauthorized', rate: null });
    expect(logged.mock.calls.map(([line]) => JSON.parse(line as string))).toEqual([
      { level: 'error', event: 'empty_object', trace_id: request.traceId },
    ]);
    expect(dumpTables(storage)).toEqual(before);
    expect(await object.settings()).toBeNull();
    expect(await object.status()).toBeNull();
  });

  it('refuses every key for good when it was deleted, without an alarm', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const organisation = await createTestOrganisation();
    await organisation.object.destroy();
    expect(await organisation.authorize()).toEqual({ ok: false, refusal: 'unauthorized', rate: null });
    organisation.evict();
    expect(await organisation.authorize({ faulty: true })).toEqual({ ok: false, refusal: 'unauthorized', rate: null });
    expect(logged).not.toHaveBeenCalled();
  });
});
