import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { contextOf, hashOf } from '../../support/addresses.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  stubNeon().answer = () => 'down';
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const GIB = 2 ** 30;
const { domain: NEIGHBOURS } = contextOf();
const probeOf = (local: string) => ({
  addressHash: hashOf(local).padEnd(64, '0'),
  domain: 'acme.example',
  history: { domain: NEIGHBOURS, purpose: 'signup' } as const,
});

const revisionOf = async ({ admit }: TestOrganisation): Promise<string> => {
  const admitted = await admit({ probe: probeOf('before') });
  return (admitted.ok && admitted.revision) || 'none';
};
let operations = 0;
const bring = (
  { admit }: TestOrganisation,
  revision: string,
  change: Parameters<TestOrganisation['admit']>[0] = {},
) => {
  operations += 1;
  const operationId = `vr_${operations}`;
  const ready = { revision, record: `{"id":"${operationId}"}` };
  return admit({ operationId, probe: probeOf('ada'), ready, ...change });
};
const held = async ({ object }: TestOrganisation) => (await object.flush(`vr_${operations}`)).held;
const learnOf = (local: string, verdict: 'deliverable' | 'undeliverable' = 'undeliverable') => ({
  context: contextOf(local),
  answers: [{ provider: 'kickbox', verdict, at: START_MS } as const],
  report: null,
  proof: null,
});

describe('a trace with an id of its own, of an operation that an attempt may have finished', () => {
  const own = (organisation: TestOrganisation, id: string) =>
    organisation.finish(id, { isOther: true, trace: { kind: 'trace', id: 'vr_own', record: '{"id":"vr_own"}' } });
  const ownHeld = async ({ object }: TestOrganisation) => (await object.flush('vr_own')).held;

  it.each([
    ['was finished by its attempt', true],
    ['was charged alone', false],
  ])(
    'is kept, and the charge stands once, where the operation %s; a question that comes later charges nothing',
    async (_, isEntered) => {
      const organisation = await createTestOrganisation();
      const revision = isEntered ? await revisionOf(organisation) : 'another';
      const { verify } = (await organisation.usage()).calls;
      await bring(organisation, revision);
      const id = `vr_${operations}`;
      for (let i = 0; i < 2; i += 1) await own(organisation, id);
      expect(await ownHeld(organisation)).toBe('{"id":"vr_own"}');
      const late = { operationId: id, traceId: id, ready: { revision: await revisionOf(organisation), record: '{}' } };
      expect(await organisation.admit({ probe: probeOf('ada'), ...late })).toMatchObject({ earlier: { answer: null } });
      // The two that only looked at the revision were charged too.
      expect((await organisation.usage()).calls.verify).toBe(verify + 2);
    },
  );

  it('leaves no row in the ledger once its hour is over', async () => {
    const organisation = await createTestOrganisation();
    await bring(organisation, 'another');
    await own(organisation, `vr_${operations}`);
    stubNeon().answer = () => 'written';
    await organisation.object.flush(null);
    vi.setSystemTime(START_MS + 2 * HOUR_MS);
    await organisation.object.tick();
    expect(organisation.dump().ledger).toEqual([]);
    expect((await organisation.usage()).calls.verify).toBe(1);
  });
});

describe('a trace that comes with the question for admission', () => {
  it('is entered with its charge in one row, where nothing has changed since the revision it was made under', async () => {
    const organisation = await createTestOrganisation();
    const revision = await revisionOf(organisation);
    const [calls, rows] = [(await organisation.usage()).calls.verify, organisation.dump().ledger?.length ?? 0];
    expect(await bring(organisation, revision)).toMatchObject({ ok: true, earlier: { answer: null }, revision });
    expect(await held(organisation)).toBe(`{"id":"vr_${operations}"}`);
    expect((await organisation.usage()).calls.verify).toBe(calls + 1);
    expect(organisation.dump().ledger).toHaveLength(rows + 1);
  });

  it('is entered once though the transport brings it twice', async () => {
    const organisation = await createTestOrganisation();
    const revision = await revisionOf(organisation);
    const again = { operationId: 'vr_twice', traceId: 'vr_twice' };
    await bring(organisation, revision, again);
    const before = { ...organisation.dump(), usage: await organisation.usage() };
    expect(await bring(organisation, revision, again)).toMatchObject({ earlier: { answer: null } });
    expect({ ...organisation.dump(), usage: await organisation.usage() }).toEqual(before);
  });

  it.each<[string, (organisation: TestOrganisation) => unknown]>([
    [
      'the losses',
      ({ object }) => object.putLosses({ operationId: 'rq_l', document: '{}', createdBy: 'u_1', expected: null }),
    ],
    ['a setting', ({ object }) => object.configure({ name: 'Another' })],
    [
      'what the account learned at another domain',
      ({ object }) =>
        object.restoreHistory({
          learnt: [{ ...learnOf('grace'), context: contextOf('grace', { domain: hashOf('other'), list: null }) }],
        }),
    ],
    ['what it learned of its domain', ({ object }) => object.restoreHistory({ learnt: [learnOf('grace')] })],
    [
      'what surrounds it by an erasure',
      async ({ object, ...organisation }) => {
        await object.restoreHistory({ learnt: [learnOf('grace')] });
        const admitted = await organisation.admit({ probe: probeOf('before') });
        await object.forget(hashOf('grace').padEnd(64, '0'));
        return admitted;
      },
    ],
  ])('is left where %s has changed meanwhile: the request is charged and goes on as any other', async (_, change) => {
    const organisation = await createTestOrganisation();
    const revision = await revisionOf(organisation);
    await change(organisation);
    const answer = await bring(organisation, revision);
    expect(answer).toMatchObject({ ok: true, earlier: null, revision: expect.any(String) });
    expect(answer).not.toMatchObject({ revision });
    expect(await held(organisation)).toBeNull();
    await organisation.finish(`vr_${operations}`, {
      trace: { kind: 'trace', id: `vr_${operations}`, record: '{"own":1}' },
    });
    expect(await held(organisation)).toBe('{"own":1}');
  });

  it('is left where the month’s provider budget leaves something else', async () => {
    const organisation = await createTestOrganisation({ providerBudgetMicros: 100 });
    const revision = await revisionOf(organisation);
    await organisation.object.reserveProviders({ requestId: 'vr_other', totalMicros: 60 });
    expect(await bring(organisation, revision)).toMatchObject({ earlier: null });
  });

  it.each<[string, (organisation: TestOrganisation) => unknown]>([
    [
      'a rule on another domain',
      ({ object }) =>
        object.addRules({
          kind: 'domain',
          rule: 'block',
          note: null,
          createdBy: 'u_1',
          operationId: 'rq_1',
          subjects: [{ key: 'other.example', display: 'other.example' }],
        }),
    ],
    ['another key', ({ object, keys }) => object.revokeKey(keys.viewer.id)],
    ['the object’s memory', (organisation) => organisation.evict()],
    [
      'other requests',
      async (organisation) => {
        await organisation.admit({ operationId: 'vr_x', rate: 'verify' });
        await organisation.finish('vr_x');
        await organisation.admit({ rate: 'read', meter: null });
      },
    ],
  ])('is entered though %s came, changed or went', async (_, change) => {
    const organisation = await createTestOrganisation();
    const revision = await revisionOf(organisation);
    await change(organisation);
    expect(await bring(organisation, revision)).toMatchObject({ earlier: { answer: null } });
  });

  it.each<[string, Parameters<TestOrganisation['admit']>[0]]>([
    ['an address with a history', { probe: probeOf('known') }],
    ['an address with a rule', { probe: { ...probeOf('ada'), addressHash: 'b'.repeat(64) } }],
    ['a domain with a rule', { probe: { ...probeOf('ada'), domain: 'ruled.example' } }],
    ['a request under an Idempotency-Key', { bodyHash: 'c'.repeat(64), holdMs: 1_000 }],
    ['a request that asks for no history', { probe: null }],
  ])('of %s is left', async (_, change) => {
    const organisation = await createTestOrganisation();
    const { object } = organisation;
    await object.restoreHistory({ learnt: [learnOf('known')] });
    const rule = { rule: 'block', note: null, createdBy: 'u_1' } as const;
    const [domain, address] = [
      { key: 'ruled.example', display: 'ruled.example' },
      { key: 'b'.repeat(64), display: 'b•' },
    ];
    await object.addRules({ kind: 'domain', operationId: 'rq_1', subjects: [domain], ...rule });
    await object.addRules({ kind: 'address', operationId: 'rq_2', subjects: [address], ...rule });
    const revision = await revisionOf(organisation);
    expect(await bring(organisation, revision)).toMatchObject({ earlier: { answer: null } });
    expect(await bring(organisation, revision, change)).toMatchObject({ ok: true, earlier: null });
    expect(await held(organisation)).toBeNull();
  });

  it('of a test key is left', async () => {
    const organisation = await createTestOrganisation();
    const revision = await revisionOf(organisation);
    const answer = await bring(organisation, revision, { keyHash: organisation.keys.test.hash });
    expect(answer).toMatchObject({ ok: true, earlier: null });
    expect(answer).not.toHaveProperty('revision');
  });

  it('is left while the outbox is so large that traces lose their detail', async () => {
    const organisation = await createTestOrganisation();
    const revision = await revisionOf(organisation);
    Object.assign(organisation.storage.sql, { databaseSize: GIB + 1 });
    const answer = await bring(organisation, revision);
    expect(answer).toMatchObject({ ok: true, earlier: null });
    expect(answer).not.toHaveProperty('revision');
  });

  it.each<[string, object, Parameters<TestOrganisation['admit']>[0], string]>([
    ['the quota is spent', { verificationQuota: 1 }, {}, 'quota_exceeded'],
    ['the rate is used up', { ratePerMinute: 1 }, {}, 'rate_limited'],
    ['the key is unknown', {}, { keyHash: 'd'.repeat(64) }, 'unauthorized'],
  ])('of a request that is refused is not entered: %s', async (_, limits, change, refusal) => {
    const organisation = await createTestOrganisation(limits);
    const revision = await revisionOf(organisation);
    expect(await bring(organisation, revision, change)).toMatchObject({ ok: false, refusal });
    expect(await held(organisation)).toBeNull();
  });
});
