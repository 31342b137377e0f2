import { beforeEach, describe, expect, it } from 'vitest';
import type { KnownFacts } from '../../../src/domain/answer/account.ts';
import { flagLearned, knownFrom } from '../../../src/domain/answer/prepared.ts';
import { toldTo } from '../../../src/domain/belief/accepts-all.ts';
import type { KnownAnswer } from '../../../src/domain/belief/facts.ts';
import type { ProviderId, ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { createDomainCache, DomainFacts } from '../../../src/storage/domain-facts.ts';
import { type FactStore, InvocationStore } from '../../../src/storage/kv.ts';
import { addressOf } from '../../support/addresses.ts';

let stored = new Map<string, string>();
let puts: { readonly key: string; readonly ttlS: number }[] = [];
beforeEach(() => {
  stored = new Map();
  puts = [];
});

const kv = {
  get: async (key: string) => stored.get(key) ?? null,
  put: async (key: string, value: string, { expirationTtl }: { readonly expirationTtl: number }) => {
    puts.push({ key, ttlS: expirationTtl });
    stored.set(key, value);
  },
};
const DOMAIN = 'acme.test';
const said = (provider: ProviderId, verdict: ProviderVerdict, at: number): KnownAnswer => ({
  provider,
  verdict,
  at,
  ...(verdict === 'catch_all' && { catch_all: true }),
});
const seenAs = (organisation: Id<'org'>): string => `seen-as-${organisation}`;

/** One invocation, in an isolate of its own. */
async function invoke<T>(store: FactStore, at: number, work: (facts: DomainFacts) => Promise<T>): Promise<T> {
  const deferred: Promise<unknown>[] = [];
  const seen = new InvocationStore(store, (each) => void deferred.push(each));
  const done = await work(new DomainFacts(seen, createDomainCache(), () => at));
  seen.end();
  await Promise.all(deferred);
  return done;
}

/** An organisation's knowledge of an address without history. */
async function read(organisation: Id<'org'>, at: number, from: FactStore = kv): Promise<KnownFacts> {
  const flag = await invoke(from, at, (facts) => facts.acceptsAll(DOMAIN));
  return knownFrom(null, flag && toldTo(seenAs(organisation), flag, at), at);
}

async function learn(
  organisation: Id<'org'>,
  at: number,
  answers: readonly [ProviderId, ProviderVerdict][],
  to: FactStore = kv,
): Promise<void> {
  await invoke(to, at, async (facts) => {
    const fresh = answers.map(([provider, verdict]) => said(provider, verdict, at));
    const learned = flagLearned(await facts.acceptsAll(DOMAIN), fresh, seenAs(organisation), at);
    if (learned !== null) facts.putAcceptsAll(DOMAIN, learned);
  });
}

describe('evidence about an address', () => {
  const address = (answers: readonly KnownAnswer[], reportedAt: number | null = null) => ({
    ...addressOf(),
    answers,
    reports: reportedAt === null ? [] : [{ class: 'delivered' as const, at: reportedAt, of: ['vr_1'], source: 'ffff' }],
    proofs: [],
  });

  it('counts for 400 days', () => {
    const known = (at: number) => knownFrom(address([said('kickbox', 'risky', 0)], 0), null, at);
    const [answers, reports] = [known(400 * DAY_MS - 1), known(400 * DAY_MS)].map((facts) => [
      facts.answers.length,
      facts.reports.length,
    ]) as [number[], number[]];
    expect([answers, reports]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it.each([
    ['nothing', [], null, 0, 0],
    ['an answer', [said('kickbox', 'deliverable', 0)], null, DAY_MS, 399 * DAY_MS],
    ['a report', [said('kickbox', 'deliverable', 0)], DAY_MS, DAY_MS, 400 * DAY_MS],
    ['the newest, however old another', [said('kickbox', 'deliverable', DAY_MS)], 0, DAY_MS, 400 * DAY_MS],
  ] as const)(
    'is reported until its newest fact is forgotten after 400 days: %s',
    (_, answers, reportedAt, now, ttlMs) => {
      expect(knownFrom(address(answers, reportedAt), null, now).ttlMs).toBe(ttlMs);
    },
  );

  it.each([
    ['no JSON', '{"accepts_all":'],
    ['another shape', '{"accepts_all":{"until":9e15,"value":{"weeks":[{"week":1}]}}}'],
  ])('takes nothing from a store of flags that holds %s', async (_, value) => {
    stored.set('domain:v2:acme.test', value);
    expect(await read('org_a', 0)).toMatchObject({ answers: [], told: null, ttlMs: 0 });
  });

  it('takes nothing from a store of flags that fails, and losing that store fails nothing', async () => {
    const down = { get: () => Promise.reject(new Error('kv')), put: () => Promise.reject(new Error('kv')) };
    expect((await read('org_a', 0, down)).told).toBeNull();
    await expect(learn('org_a', 0, [['kickbox', 'catch_all']], down)).resolves.toBeUndefined();
  });
});

const flagIn = (entry: string | undefined): unknown =>
  (JSON.parse(entry ?? '') as { accepts_all: { value: unknown } }).accepts_all.value;

describe('what organisations share of a domain', () => {
  const KEY = 'domain:v2:acme.test';
  /** Weeks of ISO 8601 begin on Monday; the epoch is a Thursday, of week 0. */
  const mondayOf = (week: number): number => (7 * week - 3) * DAY_MS;
  const sundayOf = (week: number): number => mondayOf(week + 1) - 1;
  const toldAt = async (organisation: Id<'org'>, at: number) => (await read(organisation, at)).told;
  const see = (organisation: Id<'org'>, at: number, verdict: ProviderVerdict = 'catch_all') =>
    learn(organisation, at, [['kickbox', verdict]]);

  it.each([
    ['catch_all', true],
    ['undeliverable', false],
  ] as const)('is known to the others the week after two observed %s, not before', async (verdict, told) => {
    await see('org_a', mondayOf(1), verdict);
    await learn('org_a', mondayOf(1) + 1, [['bouncer', verdict]]);
    expect(await toldAt('org_c', mondayOf(2))).toBeNull();
    await see('org_b', mondayOf(1) + 2, verdict);
    expect(await toldAt('org_c', mondayOf(2))).toBe(told);
    // Each of the two has its own, which counts once.
    expect([await toldAt('org_a', mondayOf(2)), await toldAt('org_b', mondayOf(2))]).toEqual([null, null]);
  });

  it.each([
    ['the second organisation sees it', ['org_b', 'catch_all']],
    ['a third one sees it', ['org_c', 'catch_all']],
    ['another one is told otherwise', ['org_c', 'undeliverable']],
    ['one that has seen it is told otherwise', ['org_a', 'undeliverable']],
  ] as const)('is the same all week: the moment does not show when %s', async (_, [organisation, verdict]) => {
    for (const earlier of ['org_a', 'org_b'] as const) {
      stored.clear();
      await see('org_a', mondayOf(1));
      await see(earlier, sundayOf(1));
      const before = await toldAt('org_d', mondayOf(2));
      expect(before).toBe(earlier === 'org_b' ? true : null);
      const at = mondayOf(2) + 2 * DAY_MS;
      await see(organisation, at, verdict);
      for (const later of [at, at + 1, at + DAY_MS, sundayOf(2)]) expect(await toldAt('org_d', later)).toBe(before);
    }
  });

  it('counts from Monday on, UTC, however late on Sunday the second organisation saw it', async () => {
    await see('org_a', mondayOf(1));
    await see('org_b', sundayOf(1));
    expect(new Date(mondayOf(2)).getUTCDay()).toBe(1);
    expect([await toldAt('org_c', sundayOf(1)), await toldAt('org_c', mondayOf(2))]).toEqual([null, true]);
  });

  it('is a flag, and who saw it in which week: no address, no provider, no moment, no organisation', async () => {
    await see('org_a', mondayOf(3) + 12_345);
    expect(flagIn(stored.get(KEY))).toEqual({
      weeks: [{ week: 3, accepts_all: true, seen_by: ['seen-as-org_a'] }],
    });
    expect(puts.find(({ key }) => key === KEY)?.ttlS).toBe(Math.ceil((21 * DAY_MS - 12_345) / 1_000));
  });

  it('lasts two weeks after its own, to the same moment whenever it was learned', async () => {
    for (const at of [mondayOf(1), sundayOf(1)]) {
      stored.clear();
      for (const organisation of ['org_a', 'org_b'] as const) await see(organisation, at);
      expect([await toldAt('org_c', sundayOf(3)), await toldAt('org_c', mondayOf(4))]).toEqual([true, null]);
    }
  });

  it('needs two whose weeks are not over: a new observation makes an old one no younger', async () => {
    const toldIn = (week: number) => toldAt('org_d', mondayOf(week));
    await see('org_a', mondayOf(0));
    await see('org_b', mondayOf(2));
    expect([await toldIn(2), await toldIn(3)]).toEqual([null, null]);
    await see('org_c', mondayOf(3));
    expect([await toldIn(3), await toldIn(4), await toldIn(5)]).toEqual([null, true, null]);
  });

  it('is renewed within a week by those who saw it, twice at most', async () => {
    for (const organisation of ['org_a', 'org_b'] as const) await see(organisation, mondayOf(0));
    for (const day of [0, 1, 2])
      for (const organisation of ['org_a', 'org_b', 'org_c'] as const)
        await see(organisation, mondayOf(1) + day * DAY_MS);
    expect(puts.filter(({ key }) => key === KEY)).toHaveLength(4);
    expect(await toldAt('org_d', mondayOf(3))).toBe(true);
  });

  it('counts an organisation once, however many weeks it saw it in', async () => {
    for (const week of [0, 1]) await see('org_a', mondayOf(week));
    expect(await toldAt('org_d', mondayOf(2))).toBeNull();
  });

  it('is learned from providers that agree; within a week the first word stays, in the next another may come', async () => {
    await learn('org_a', 0, [
      ['kickbox', 'catch_all'],
      ['bouncer', 'undeliverable'],
    ]);
    await learn('org_a', 0, [['kickbox', 'deliverable']]);
    expect(stored.has(KEY)).toBe(false);
    const flagAfter = async (...sight: Parameters<typeof see>) => {
      await see(...sight);
      return (flagIn(stored.get(KEY)) as { weeks: object[] }).weeks;
    };
    const [a, b, c] = ['seen-as-org_a', 'seen-as-org_b', 'seen-as-org_c'] as const;
    const first = { week: 0, accepts_all: true, seen_by: [a] };
    expect(await flagAfter('org_a', 1)).toEqual([first]);
    expect(await flagAfter('org_b', 2, 'undeliverable')).toEqual([first]);
    const both = { ...first, seen_by: [a, b] };
    expect(await flagAfter('org_b', 3)).toEqual([both]);
    expect(await flagAfter('org_c', 4)).toEqual([both]);
    const renewed = { week: 1, accepts_all: true, seen_by: [c] };
    expect(await flagAfter('org_c', mondayOf(1))).toEqual([both, renewed]);
    const turned = { week: 2, accepts_all: false, seen_by: [a] };
    expect(await flagAfter('org_a', mondayOf(2), 'undeliverable')).toEqual([both, renewed, turned]);
    expect(puts.filter(({ key }) => key === KEY)).toHaveLength(4);
    expect([await toldAt('org_d', sundayOf(2)), await toldAt('org_d', mondayOf(3))]).toEqual([true, null]);
    await see('org_b', mondayOf(3), 'undeliverable');
    expect(await toldAt('org_d', mondayOf(4))).toBe(false);
  });
});
