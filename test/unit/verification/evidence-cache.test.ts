import { beforeEach, describe, expect, it } from 'vitest';
import type { ProviderId, ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';
import { type EvidenceKeys, readEvidence, type StoredAnswer, writeEvidence } from '../../../src/storage/evidence.ts';

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
const keysOf = (organisationId: Id<'org'>, local: string): EvidenceKeys => ({
  organisationId,
  domain: 'acme.test',
  seenAs: () => `seen-as-${organisationId}`,
  addressHash: sha256Hex(`${organisationId} ${local}`),
});
const ADA = keysOf('org_a', 'ada');
const BOB = keysOf('org_a', 'bob');
const said = (provider: ProviderId, verdict: ProviderVerdict, at: number): StoredAnswer => ({
  provider,
  verdict,
  at,
  catch_all: verdict === 'catch_all' ? true : null,
});

async function learn(keys: EvidenceKeys, at: number, ...answers: [ProviderId, ProviderVerdict][]): Promise<void> {
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

  it.each(LIFETIMES)('%s is kept in the store just as long', async (verdict, lastsMs) => {
    await learn(ADA, 0, ['kickbox', verdict]);
    expect(puts.find(({ key }) => key.startsWith('evidence:'))?.ttlS).toBe(lastsMs / 1_000);
  });

  const KEPT: [what: string, earlier: ProviderVerdict, laterMs: number, then: ProviderVerdict, keptMs: number][] = [
    ['the older', 'deliverable', DAY_MS, 'risky', 6 * DAY_MS],
    ['the newer', 'undeliverable', DAY_MS, 'undeliverable', 2 * DAY_MS],
  ];
  it.each(KEPT)('is kept with what was known until %s of both ends', async (_, earlier, laterMs, then, keptMs) => {
    await learn(ADA, 0, ['kickbox', earlier]);
    await learn(ADA, laterMs, ['bouncer', then]);
    expect(puts.findLast(({ key }) => key.startsWith('evidence:'))?.ttlS).toBe(keptMs / 1_000);
    expect((await readEvidence(kv, ADA, laterMs)).answers.map(({ verdict }) => verdict)).toEqual([earlier, then]);
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
    stored.set(`evidence:v1:org_a:${ADA.addressHash}`, value);
    stored.set('domain-evidence:v3:org_a:acme.test', value);
    stored.set('accepts-all:v1:acme.test', value);
    expect(await readEvidence(kv, ADA, 0)).toMatchObject({ answers: [], domainAnswers: [], flag: null, ttlMs: 0 });
  });

  it('is a miss when the store hangs', async () => {
    const hangs = { ...kv, get: () => new Promise<null>(() => undefined) };
    expect((await readEvidence(hangs, ADA, 0)).answers).toEqual([]);
  });

  it('is a miss when the store fails, and losing it fails nothing', async () => {
    const down = { get: () => Promise.reject(new Error('kv')), put: () => Promise.reject(new Error('kv')) };
    const known = await readEvidence(down, ADA, 0);
    expect(known.answers).toEqual([]);
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
    const says = (catchAll: boolean, at: number): StoredAnswer => ({
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
  const KEY = 'accepts-all:v1:acme.test';
  const seen = (as: string, week: number) => ({ as, week });
  const toldTo = async (organisation: Id<'org'>, at = 2) =>
    (await readEvidence(kv, keysOf(organisation, 'eve'), at)).told;

  it.each([
    ['catch_all', true],
    ['undeliverable', false],
  ] as const)('is known to the others once two of them were told %s, and not before', async (verdict, told) => {
    await learn(keysOf('org_a', 'ada'), 0, ['kickbox', verdict]);
    await learn(keysOf('org_a', 'bob'), 1, ['bouncer', verdict]);
    expect(await toldTo('org_c')).toBeNull();
    await learn(keysOf('org_b', 'ada'), 1, ['kickbox', verdict]);
    expect(await toldTo('org_c')).toBe(told);
    // Each of the two has its own, which counts once.
    expect([await toldTo('org_a'), await toldTo('org_b')]).toEqual([null, null]);
  });

  it('is a flag, and who saw it in which week: no address, no provider, no moment, no organisation', async () => {
    await learn(keysOf('org_a', 'ada'), 20 * DAY_MS + 12_345, ['kickbox', 'catch_all']);
    expect(JSON.parse(stored.get(KEY) ?? '')).toEqual({
      accepts_all: true,
      seen_by: [{ as: 'seen-as-org_a', week: 2 }],
    });
    expect(puts.find(({ key }) => key === KEY)?.ttlS).toBe(Math.ceil((15 * DAY_MS - 12_345) / 1_000));
  });

  it('stands for the two weeks after the one it was learnt in, to the same moment whenever that was', async () => {
    const lastMs = 21 * DAY_MS - 1;
    for (const at of [0, 7 * DAY_MS - 1]) {
      stored.clear();
      for (const organisation of ['org_a', 'org_b'] as const)
        await learn(keysOf(organisation, 'ada'), at, ['kickbox', 'catch_all']);
      expect([await toldTo('org_c', lastMs), await toldTo('org_c', lastMs + 1)]).toEqual([true, null]);
    }
  });

  it('needs two whose weeks are not over: a new sight makes an old one no younger', async () => {
    const seenIn = (organisation: Id<'org'>, week: number) =>
      learn(keysOf(organisation, `a${week}`), week * 7 * DAY_MS, ['kickbox', 'catch_all']);
    const toldIn = (week: number) => toldTo('org_d', week * 7 * DAY_MS);
    await seenIn('org_a', 0);
    await seenIn('org_b', 2);
    expect([await toldIn(2), await toldIn(3)]).toEqual([true, null]);
    await seenIn('org_c', 3);
    expect([await toldIn(3), await toldIn(4), await toldIn(5)]).toEqual([true, true, null]);
  });

  it('is renewed within a week by those who saw it, twice at most', async () => {
    const seenIn = (organisation: Id<'org'>, week: number, day: number) =>
      learn(keysOf(organisation, `a${week}-${day}`), (week * 7 + day) * DAY_MS, ['kickbox', 'catch_all']);
    for (const organisation of ['org_a', 'org_b'] as const) await seenIn(organisation, 0, 0);
    for (const day of [0, 1, 2])
      for (const organisation of ['org_a', 'org_b', 'org_c'] as const) await seenIn(organisation, 1, day);
    expect(puts.filter(({ key }) => key === KEY)).toHaveLength(4);
    expect(await toldTo('org_d', 22 * DAY_MS)).toBe(true);
  });

  it('gives way to an organisation’s own answers where those say how the domain treats strangers', async () => {
    for (const organisation of ['org_a', 'org_b'] as const)
      await learn(keysOf(organisation, 'ada'), 0, ['kickbox', 'catch_all']);
    await learn(keysOf('org_c', 'ada'), 1, ['kickbox', 'deliverable']);
    expect(await toldTo('org_c')).toBe(true);
    stored.set(KEY, JSON.stringify({ accepts_all: true, seen_by: [seen('x', 0), seen('y', 0)] }));
    await learn(keysOf('org_d', 'ada'), 1, ['kickbox', 'undeliverable']);
    expect(await readEvidence(kv, keysOf('org_d', 'eve'), 2)).toMatchObject({ told: null, domainAcceptsAll: false });
  });

  it('is learnt of providers that agree; within a week the first word stands, in the next another may', async () => {
    await learn(keysOf('org_a', 'ada'), 0, ['kickbox', 'catch_all'], ['bouncer', 'undeliverable']);
    await learn(keysOf('org_a', 'bob'), 0, ['kickbox', 'deliverable']);
    expect(stored.has(KEY)).toBe(false);
    const flagAfter = async (organisation: Id<'org'>, at: number, verdict: ProviderVerdict) => {
      await learn(keysOf(organisation, `a${at}`), at, ['kickbox', verdict]);
      return JSON.parse(stored.get(KEY) ?? '') as object;
    };
    const [a, b, c] = ['seen-as-org_a', 'seen-as-org_b', 'seen-as-org_c'] as const;
    const first = { accepts_all: true, seen_by: [seen(a, 0)] };
    expect(await flagAfter('org_a', 1, 'catch_all')).toEqual(first);
    expect(await flagAfter('org_b', 2, 'undeliverable')).toEqual(first);
    const both = { accepts_all: true, seen_by: [seen(a, 0), seen(b, 0)] };
    expect(await flagAfter('org_b', 3, 'catch_all')).toEqual(both);
    expect(await flagAfter('org_c', 4, 'catch_all')).toEqual(both);
    const renewed = { accepts_all: true, seen_by: [seen(b, 0), seen(c, 1)] };
    expect(await flagAfter('org_c', 7 * DAY_MS, 'catch_all')).toEqual(renewed);
    const turned = { accepts_all: false, seen_by: [seen(a, 2)] };
    expect(await flagAfter('org_a', 14 * DAY_MS, 'undeliverable')).toEqual(turned);
    expect(puts.filter(({ key }) => key === KEY)).toHaveLength(4);
  });
});
