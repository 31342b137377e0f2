import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuthorizeRequest, VerifyRequest } from '../../../src/organisation/api.ts';
import { ProviderHealthTracker } from '../../../src/domain/router/provider-health.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { OBSERVED } from '../../support/observed.ts';
import { START_MS } from '../../support/records.ts';
import { authorizeRequest, verifyRequest } from '../../support/requests.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon().answer = () => 'down';
});

const GIB = 2 ** 30;
const BODY = 'c'.repeat(64);
const KICKBOX = {
  id: 'kickbox',
  priceMicros: 1_000,
  billsUnknown: false,
  health: new ProviderHealthTracker().healthOf('kickbox', 0),
} as const;

let operations = 0;
async function verify(
  { object, keys }: TestOrganisation,
  change: Partial<AuthorizeRequest> = {},
  sent: Partial<VerifyRequest> = {},
) {
  operations += 1;
  const id = `vr_${operations}`;
  const request = authorizeRequest({ operationId: id, traceId: id, keyHash: keys.member.hash, ...change });
  return object.verify(verifyRequest(request, sent));
}
const held = async ({ object }: TestOrganisation, id = `vr_${operations}` as const) =>
  JSON.parse((await object.flush(id)).held ?? 'null');
const verified = async (organisation: TestOrganisation) => (await organisation.usage()).calls.verify;
const learned = (verdict: 'deliverable' | 'undeliverable') => ({
  context: {
    address: (OBSERVED.addressHash ?? '').slice(0, 32),
    domain: OBSERVED.domainName ?? '',
    list: null,
    at: START_MS,
    host: 'unknown_business' as const,
    features: [],
    purpose: 'signup' as const,
  },
  answers: [{ provider: 'kickbox', verdict, at: START_MS } as const],
  report: null,
  proof: null,
});

describe('a verification that no provider is asked for', () => {
  it('is charged, judged and kept in one row', async () => {
    const organisation = await createTestOrganisation();
    const rows = organisation.dump().operation?.length ?? 0;
    expect(await verify(organisation)).toMatchObject({ ok: true, concluded: { verdict: expect.any(String) } });
    expect(organisation.dump().operation).toHaveLength(rows + 1);
    expect(await held(organisation)).toMatchObject({ id: `vr_${operations}`, kind: 'verify', domain: 'example.com' });
    expect(await verified(organisation)).toBe(1);
  });

  it('follows from what the account knows of the address', async () => {
    const [one, other] = [await createTestOrganisation(), await createTestOrganisation()];
    await one.object.restoreHistory({ observations: [learned('undeliverable')] });
    const [known, stranger] = [await verify(one), await verify(other)];
    expect(known).toMatchObject({ concluded: { cache: { hit: true } } });
    expect(stranger).toMatchObject({ concluded: { cache: { hit: false } } });
    const numberIn = (answer: typeof known) => (answer.ok ? (answer.concluded?.bounce_probability ?? 0) : 0);
    expect(numberIn(known)).toBeGreaterThan(numberIn(stranger));
  });

  it('is answered alike, kept once and charged once though the transport brings it twice', async () => {
    const organisation = await createTestOrganisation();
    const same = { operationId: 'vr_twice', traceId: 'vr_twice' };
    const first = await verify(organisation, same);
    const before = { ...organisation.dump(), usage: await organisation.usage() };
    expect(await verify(organisation, same)).toMatchObject(
      first.ok ? { ok: true, concluded: { bounce_probability: first.concluded?.bounce_probability } } : {},
    );
    expect({ ...organisation.dump(), usage: await organisation.usage() }).toEqual(before);
  });

  it('asks nobody though a provider is worth asking by the time the transport brings it again', async () => {
    const organisation = await createTestOrganisation();
    const same = { operationId: 'vr_late', traceId: 'vr_late' };
    await verify(organisation, same);
    expect(await verify(organisation, same, { providers: [KICKBOX] })).toMatchObject({ concluded: { providers: {} } });
  });

  it('is charged once under an Idempotency-Key, and a repeat gets the first answer', async () => {
    const organisation = await createTestOrganisation();
    const keyed = { operationId: 'ik_1', bodyHash: BODY, holdMs: 1_000 };
    const first = await verify(organisation, keyed);
    await organisation.object.restoreHistory({ observations: [learned('undeliverable')] });
    const again = await verify(organisation, keyed);
    expect(first).toMatchObject({ ok: true, concluded: { trace_id: expect.any(String) } });
    expect(again.ok && first.ok && again.concluded).toEqual(first.ok && first.concluded);
    expect(await verified(organisation)).toBe(1);
    expect(await verify(organisation, { ...keyed, bodyHash: 'd'.repeat(64) })).toMatchObject({ refusal: 'conflict' });
  });

  it('is kept without its detail while the outbox is very large', async () => {
    const organisation = await createTestOrganisation();
    Object.assign(organisation.storage.sql, { databaseSize: GIB + 1 });
    await verify(organisation);
    expect(await held(organisation)).toMatchObject({ detail: null });
  });

  it.each<[string, object, Partial<AuthorizeRequest>, string]>([
    ['the quota is spent', { verificationQuota: 1 }, {}, 'quota_exceeded'],
    ['the rate is used up', { ratePerMinute: 1 }, {}, 'rate_limited'],
    ['the key is unknown', {}, { keyHash: 'd'.repeat(64) }, 'unauthorized'],
  ])('is refused and not kept where %s', async (_, limits, change, refusal) => {
    const organisation = await createTestOrganisation(limits);
    await verify(organisation);
    expect(await verify(organisation, change)).toMatchObject({ ok: false, refusal });
    expect(await held(organisation)).toBeNull();
  });
});

describe('a verification that a provider is worth asking for', () => {
  it('stays open: it is charged, gets what the account knows, and keeps nothing', async () => {
    const organisation = await createTestOrganisation();
    const answer = await verify(organisation, {}, { providers: [KICKBOX] });
    expect(answer).toMatchObject({ ok: true, concluded: null, history: { address: null } });
    expect(await held(organisation)).toBeNull();
    expect(await verified(organisation)).toBe(1);
  });

  it('is concluded at once where the account has switched that provider off, or nothing is left of the month’s budget', async () => {
    const off = await createTestOrganisation({ providerBudgetMicros: 0 });
    expect(await verify(off, {}, { providers: [KICKBOX] })).toMatchObject({ concluded: { providers: {} } });
  });
});
