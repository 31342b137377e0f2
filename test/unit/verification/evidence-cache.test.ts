import { beforeEach, describe, expect, it } from 'vitest';
import { type KnownAnswer, type KnownEvidence, knownFrom } from '../../../src/domain/verification/known-evidence.ts';
import type { ProviderId, ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';
import * as store from '../../../src/storage/evidence.ts';
import type { FactStore } from '../../../src/storage/kv.ts';

let stored = new Map<string, string>();
let puts: { readonly key: string; readonly ttlS: number }[] = [];
/** What the account's history has of each address. */
let histories = new Map<string, readonly KnownAnswer[]>();
beforeEach(() => {
  stored = new Map();
  histories = new Map();
  puts = [];
});

const kv = {
  get: async (key: string) => stored.get(key) ?? null,
  put: async (key: string, value: string, { expirationTtl }: { readonly expirationTtl: number }) => {
    puts.push({ key, ttlS: expirationTtl });
    stored.set(key, value);
  },
};
const keysOf = (organisationId: Id<'org'>, local: string): store.EvidenceKeys => ({
  organisationId,
  domain: 'acme.test',
  seenAs: () => `seen-as-${organisationId}`,
  addressHash: sha256Hex(`${organisationId} ${local}`),
});
const ADA = keysOf('org_a', 'ada');
const BOB = keysOf('org_a', 'bob');
const said = (provider: ProviderId, verdict: ProviderVerdict, at: number): KnownAnswer => ({
  provider,
  verdict,
  at,
  catch_all: verdict === 'catch_all' ? true : null,
});

async function readEvidence(from: FactStore, keys: store.EvidenceKeys, now: number): Promise<KnownEvidence> {
  const ofDomain = await store.readEvidence(from, keys, now);
  return knownFrom({ answers: histories.get(keys.addressHash) ?? [], ...ofDomain }, store.namesOf(keys), now);
}

async function writeEvidence(
  to: FactStore,
  keys: store.EvidenceKeys,
  known: KnownEvidence,
  fresh: readonly KnownAnswer[],
  clock: () => number,
): Promise<void> {
  await store.writeEvidence(to, keys, known, fresh, clock);
  const others = known.answers.filter(({ provider }) => fresh.every((each) => each.provider !== provider));
  histories.set(keys.addressHash, [...others, ...fresh]);
}

async function learn(keys: store.EvidenceKeys, at: number, ...answers: [ProviderId, ProviderVerdict][]): Promise<void> {
  const known = await readEvidence(kv, keys, at);
  const fresh = answers.map(([provider, verdict]) => said(provider, verdict, at));
  await writeEvidence(kv, keys, known, fresh, () => at);
}

const LIFETIMES: [ProviderVerdict, lastsMs: number][] = [
  ['deliverable', 7 * DAY_MS],
  ['catch_all', 7 * DAY_MS],
  ['undeliverable', 2 * DAY_MS],
  ['risky', DAY_MS],
  ['unknown', 10 * MINUTE_MS],
];

describe('evidence about an address', () => {
  it.each(LIFETIMES)('%s stands until its time is over, and not a moment longer', async (verdict, lastsMs) => {
    await learn(ADA, 0, ['kickbox', verdict]);
    expect((await readEvidence(kv, ADA, lastsMs - 1)).answers).toHaveLength(1);
    expect((await readEvidence(kv, ADA, lastsMs)).answers).toEqual([]);
  });

  const ENDS: [own: [at: number, ProviderId, ProviderVerdict][], lastsMs: number][] = [
    [[], 0],
    [[[0, 'kickbox', 'deliverable']], 7 * DAY_MS],
    // The newest counts, however long an older one lasts; of one moment the last to end.
    [
      [
        [0, 'kickbox', 'deliverable'],
        [DAY_MS, 'bouncer', 'risky'],
      ],
      2 * DAY_MS,
    ],
    [
      [
        [0, 'kickbox', 'undeliverable'],
        [0, 'bouncer', 'unknown'],
        [0, 'hunter', 'risky'],
      ],
      2 * DAY_MS,
    ],
  ];
  it.each(ENDS)('%j: the newest is forgotten after %i ms, whatever is known of the domain', async (own, lastsMs) => {
    for (const keys of [BOB, keysOf('org_b', 'ada'), keysOf('org_c', 'ada')])
      await learn(keys, 1, ['kickbox', 'catch_all']);
    for (const at of new Set(own.map(([saidAt]) => saidAt))) {
      const fresh = own.filter((each) => each[0] === at);
      await learn(ADA, at, ...fresh.map(([, ...answer]): [ProviderId, ProviderVerdict] => answer));
    }
    const now = Math.max(0, ...own.map(([saidAt]) => saidAt));
    expect((await readEvidence(kv, ADA, now)).ttlMs).toBe(Math.max(0, lastsMs - now));
    if (lastsMs > 0) expect((await readEvidence(kv, ADA, lastsMs - 1)).ttlMs).toBe(1);
  });

  it('belongs to one organisation', async () => {
    await learn(ADA, 0, ['kickbox', 'deliverable']);
    expect((await readEvidence(kv, keysOf('org_b', 'ada'), 1)).answers).toEqual([]);
  });

  it.each([
    ['no JSON', '{"answers":'],
    ['another shape', '{"answers":[{"provider":"kickbox"}]}'],
    ['a provider that is gone', '{"answers":[{"provider":"acme","verdict":"risky","catch_all":null,"at":0}]}'],
  ])('is a miss when the store holds %s', async (_, value) => {
    stored.set('domain-evidence:v3:org_a:acme.test', value);
    stored.set('accepts-all:v2:acme.test', value);
    expect(await readEvidence(kv, ADA, 0)).toMatchObject({ answers: [], domainAnswers: [], flag: null, ttlMs: 0 });
  });

  it('stands while the store of domains hangs', async () => {
    await learn(ADA, 0, ['kickbox', 'deliverable']);
    const hangs = { ...kv, get: () => new Promise<null>(() => undefined) };
    expect(await readEvidence(hangs, ADA, 0)).toMatchObject({ answers: [{ provider: 'kickbox' }], domainAnswers: [] });
  });

  it('is a miss when the store fails, and losing it fails nothing', async () => {
    const down = { get: () => Promise.reject(new Error('kv')), put: () => Promise.reject(new Error('kv')) };
    const known = await readEvidence(down, ADA, 0);
    expect(known.domainAnswers).toEqual([]);
    await expect(writeEvidence(down, ADA, known, [said('kickbox', 'risky', 0)], () => 0)).resolves.toBeUndefined();
  });
});

describe('evidence about a domain', () => {
  it('what one address showed serves the organisation’s others, 14 days', async () => {
    await learn(ADA, 0, ['kickbox', 'catch_all']);
    expect(await readEvidence(kv, BOB, 14 * DAY_MS - 1)).toMatchObject({
      domainAnswers: [{ provider: 'kickbox', verdict: 'catch_all' }],
      domainAcceptsAll: true,
    });
    expect(await readEvidence(kv, BOB, 14 * DAY_MS)).toMatchObject({ domainAnswers: [], domainAcceptsAll: false });
  });

  it('is of no use to another organisation', async () => {
    await learn(ADA, 0, ['kickbox', 'catch_all']);
    expect(await readEvidence(kv, keysOf('org_b', 'eve'), 1)).toMatchObject({
      answers: [],
      domainAnswers: [],
      atDomain: [],
      told: null,
      domainAcceptsAll: false,
      ttlMs: 0,
    });
  });

  it('an answer about this address counts for the address, not once more for its domain', async () => {
    await learn(ADA, 0, ['kickbox', 'undeliverable']);
    expect(await readEvidence(kv, ADA, 1)).toMatchObject({ answers: [{ provider: 'kickbox' }], domainAnswers: [] });
  });

  it('what another address showed stands beside what this one is told: asked again, nothing has changed', async () => {
    await learn(BOB, 0, ['kickbox', 'deliverable']);
    const { domainAnswers } = await readEvidence(kv, ADA, 1);
    for (const verdict of ['undeliverable', 'deliverable', 'catch_all'] as const) {
      await learn(ADA, 1, ['kickbox', verdict]);
      expect((await readEvidence(kv, ADA, 2)).domainAnswers).toEqual(domainAnswers);
    }
  });

  it('an answer that has ended for its address says no more of it by way of the domain', async () => {
    await learn(ADA, 0, ['kickbox', 'undeliverable']);
    expect(await readEvidence(kv, ADA, 3 * DAY_MS)).toMatchObject({ answers: [], domainAnswers: [] });
  });

  it('gathers the providers’ answers from any of the organisation’s addresses that each was asked about', async () => {
    await learn(ADA, 0, ['kickbox', 'deliverable']);
    await learn(BOB, 1, ['bouncer', 'risky'], ['hunter', 'unknown']);
    expect((await readEvidence(kv, keysOf('org_a', 'eve'), 2)).domainAnswers).toEqual([
      { provider: 'kickbox', verdict: 'deliverable' },
      { provider: 'bouncer', verdict: 'risky' },
    ]);
  });

  const CHANGES: [before: ProviderVerdict, then: ProviderVerdict, afterMs: number, kept: ProviderVerdict][] = [
    // Only these two say how the domain treats strangers: the newer of them stands, and neither yields to the others.
    ['deliverable', 'undeliverable', 1, 'undeliverable'],
    ['deliverable', 'catch_all', 1, 'catch_all'],
    ['undeliverable', 'catch_all', 1, 'catch_all'],
    ['catch_all', 'undeliverable', 1, 'undeliverable'],
    ['catch_all', 'deliverable', 1, 'catch_all'],
    ['undeliverable', 'risky', 13 * DAY_MS, 'undeliverable'],
    ['risky', 'deliverable', 1, 'deliverable'],
    ['deliverable', 'unknown', 1, 'deliverable'],
  ];
  it.each(CHANGES)('after %s, %s %i ms later: %s is kept', async (before, then, afterMs, kept) => {
    await learn(ADA, 0, ['kickbox', before]);
    await learn(BOB, afterMs, ['kickbox', then]);
    const { domainAnswers } = await readEvidence(kv, keysOf('org_a', 'eve'), afterMs);
    expect(domainAnswers).toEqual([{ provider: 'kickbox', verdict: kept }]);
  });

  it('accepts every recipient as long as the newest word on it says so', async () => {
    const says = (catchAll: boolean, at: number): KnownAnswer => ({
      ...said('kickbox', 'deliverable', at),
      catch_all: catchAll,
    });
    await learn(ADA, 0, ['bouncer', 'catch_all']);
    await writeEvidence(kv, BOB, await readEvidence(kv, BOB, 1), [says(false, 1)], () => 1);
    expect((await readEvidence(kv, ADA, 2)).domainAcceptsAll).toBe(false);
    await writeEvidence(kv, BOB, await readEvidence(kv, BOB, 2), [says(true, 2)], () => 2);
    expect((await readEvidence(kv, ADA, 3)).domainAcceptsAll).toBe(true);
  });

  it('is kept in the store for its 14 days', async () => {
    await learn(ADA, 0, ['kickbox', 'undeliverable']);
    expect(puts.find(({ key }) => key.startsWith('domain-'))?.ttlS).toBe((14 * DAY_MS) / 1_000);
  });

  it('is written when it says something new, and renewed once a day at most', async () => {
    const domainWrites = () => puts.filter(({ key }) => key.startsWith('domain-')).length;
    for (const [atMs, writes] of [
      [0, 1],
      [1, 2],
      [2, 2],
      [DAY_MS + 1, 2],
      [DAY_MS + 2, 3],
      [DAY_MS + 3, 3],
    ] as const) {
      await learn(keysOf('org_a', `a${atMs}`), atMs, ['kickbox', 'deliverable']);
      expect(domainWrites()).toBe(writes);
    }
  });
});

describe('what organisations share of a domain', () => {
  const KEY = 'accepts-all:v2:acme.test';
  /** Weeks of ISO 8601 begin on Monday; the epoch is a Thursday, of week 0. */
  const mondayOf = (week: number): number => (7 * week - 3) * DAY_MS;
  const sundayOf = (week: number): number => mondayOf(week + 1) - 1;
  const toldTo = async (organisation: Id<'org'>, at: number) =>
    (await readEvidence(kv, keysOf(organisation, 'eve'), at)).told;
  const see = (organisation: Id<'org'>, at: number, verdict: ProviderVerdict = 'catch_all') =>
    learn(keysOf(organisation, `a${at}`), at, ['kickbox', verdict]);

  it.each([
    ['catch_all', true],
    ['undeliverable', false],
  ] as const)('is known to the others the week after two were told %s, not before', async (verdict, told) => {
    await see('org_a', mondayOf(1), verdict);
    await learn(keysOf('org_a', 'bob'), mondayOf(1) + 1, ['bouncer', verdict]);
    expect(await toldTo('org_c', mondayOf(2))).toBeNull();
    await see('org_b', mondayOf(1) + 2, verdict);
    expect(await toldTo('org_c', mondayOf(2))).toBe(told);
    // Each of the two has its own, which counts once.
    expect([await toldTo('org_a', mondayOf(2)), await toldTo('org_b', mondayOf(2))]).toEqual([null, null]);
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
      const before = await toldTo('org_d', mondayOf(2));
      expect(before).toBe(earlier === 'org_b' ? true : null);
      const at = mondayOf(2) + 2 * DAY_MS;
      await see(organisation, at, verdict);
      for (const later of [at, at + 1, at + DAY_MS, sundayOf(2)]) expect(await toldTo('org_d', later)).toBe(before);
    }
  });

  it('is told from Monday on, UTC, however late on Sunday the second organisation saw it', async () => {
    await see('org_a', mondayOf(1));
    await see('org_b', sundayOf(1));
    expect(new Date(mondayOf(2)).getUTCDay()).toBe(1);
    expect([await toldTo('org_c', sundayOf(1)), await toldTo('org_c', mondayOf(2))]).toEqual([null, true]);
  });

  it('is a flag, and who saw it in which week: no address, no provider, no moment, no organisation', async () => {
    await see('org_a', mondayOf(3) + 12_345);
    expect(JSON.parse(stored.get(KEY) ?? '')).toEqual({
      weeks: [{ week: 3, accepts_all: true, seen_by: ['seen-as-org_a'] }],
    });
    expect(puts.find(({ key }) => key === KEY)?.ttlS).toBe(Math.ceil((21 * DAY_MS - 12_345) / 1_000));
  });

  it('stands for the two weeks after the one it was learnt in, to the same moment whenever that was', async () => {
    for (const at of [mondayOf(1), sundayOf(1)]) {
      stored.clear();
      for (const organisation of ['org_a', 'org_b'] as const) await see(organisation, at);
      expect([await toldTo('org_c', sundayOf(3)), await toldTo('org_c', mondayOf(4))]).toEqual([true, null]);
    }
  });

  it('needs two whose weeks are not over: a new sight makes an old one no younger', async () => {
    const toldIn = (week: number) => toldTo('org_d', mondayOf(week));
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
    expect(await toldTo('org_d', mondayOf(3))).toBe(true);
  });

  it('counts an organisation once, however many weeks it saw it in', async () => {
    for (const week of [0, 1]) await see('org_a', mondayOf(week));
    expect(await toldTo('org_d', mondayOf(2))).toBeNull();
  });

  it('gives way to an organisation’s own answers where those say how the domain treats strangers', async () => {
    const at = mondayOf(1);
    for (const organisation of ['org_a', 'org_b'] as const) await see(organisation, mondayOf(0));
    await learn(keysOf('org_c', 'ada'), at, ['kickbox', 'deliverable']);
    expect(await toldTo('org_c', at)).toBe(true);
    await learn(keysOf('org_d', 'ada'), at, ['kickbox', 'undeliverable']);
    expect(await readEvidence(kv, keysOf('org_d', 'eve'), at)).toMatchObject({ told: null, domainAcceptsAll: false });
  });

  it('is learnt of providers that agree; within a week the first word stands, in the next another may', async () => {
    await learn(keysOf('org_a', 'ada'), 0, ['kickbox', 'catch_all'], ['bouncer', 'undeliverable']);
    await learn(keysOf('org_a', 'bob'), 0, ['kickbox', 'deliverable']);
    expect(stored.has(KEY)).toBe(false);
    const flagAfter = async (...sight: Parameters<typeof see>) => {
      await see(...sight);
      return (JSON.parse(stored.get(KEY) ?? '') as { weeks: object[] }).weeks;
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
    expect([await toldTo('org_d', sundayOf(2)), await toldTo('org_d', mondayOf(3))]).toEqual([true, null]);
    await see('org_b', mondayOf(3), 'undeliverable');
    expect(await toldTo('org_d', mondayOf(4))).toBe(false);
  });
});
