import { beforeEach, describe, expect, it } from 'vitest';
import {
  type EvidenceKeys,
  readEvidence,
  type StoredAnswer,
  writeEvidence,
} from '../../../src/domain/verification/evidence-cache.ts';
import type { ProviderId, ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { sha256Hex } from '../../../src/kernel/keyed-hash.ts';

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
  ...{ organisationId, domain: 'acme.test' },
  addressHash: sha256Hex(`${organisationId} ${local}`),
});
const ADA = keysOf('org_a', 'ada');
const BOB = keysOf('org_a', 'bob');
const said = (provider: ProviderId, verdict: ProviderVerdict, at: number): StoredAnswer => ({
  ...{ provider, verdict, at },
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

  const ENDS: [own: [ProviderId, ProviderVerdict][], ofDomain: [ProviderId, ProviderVerdict][], firstMs: number][] = [
    [[], [], 0],
    [[['kickbox', 'deliverable']], [], 7 * DAY_MS],
    [[], [['kickbox', 'deliverable']], 14 * DAY_MS],
    [[['kickbox', 'deliverable']], [['bouncer', 'deliverable']], 7 * DAY_MS],
    [
      [
        ['kickbox', 'deliverable'],
        ['bouncer', 'unknown'],
        ['hunter', 'risky'],
      ],
      [],
      10 * MINUTE_MS,
    ],
  ];
  it.each(ENDS)('%j, of its domain %j: the first ends after %i ms', async (own, ofDomain, firstMs) => {
    await learn(BOB, 0, ...ofDomain);
    await learn(ADA, 0, ...own);
    expect((await readEvidence(kv, ADA, 0)).ttlMs).toBe(firstMs);
    if (firstMs > 0) expect((await readEvidence(kv, ADA, firstMs - 1)).ttlMs).toBe(1);
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
    stored.set('domain-evidence:v2:acme.test', value);
    expect(await readEvidence(kv, ADA, 0)).toMatchObject({ answers: [], domainAnswers: [], ttlMs: 0 });
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
  it('what one address showed serves the others, 14 days, in every organisation', async () => {
    await learn(ADA, 0, ['kickbox', 'catch_all']);
    for (const keys of [BOB, keysOf('org_b', 'eve')]) {
      expect(await readEvidence(kv, keys, 14 * DAY_MS - 1)).toMatchObject({
        domainAnswers: [{ provider: 'kickbox', verdict: 'catch_all' }],
        domainAcceptsAll: true,
      });
      expect(await readEvidence(kv, keys, 14 * DAY_MS)).toMatchObject({ domainAnswers: [], domainAcceptsAll: false });
    }
  });

  it('an answer about this address counts for the address, not once more for its domain', async () => {
    await learn(ADA, 0, ['kickbox', 'undeliverable']);
    expect(await readEvidence(kv, ADA, 1)).toMatchObject({ answers: [{ provider: 'kickbox' }], domainAnswers: [] });
  });

  it('does not show an organisation which of the domain’s addresses another one asked about, then or later', async () => {
    const seenAt = async (local: string) => {
      const keys = keysOf('org_b', local);
      // The names of addresses are for telling them apart; nothing is made from them.
      const { atDomain: _, ...first } = await readEvidence(kv, keys, 1);
      await learn(keys, 2, ['kickbox', 'deliverable']);
      const { atDomain: __, ...again } = await readEvidence(kv, keys, 3);
      stored.delete(`evidence:v1:org_b:${keys.addressHash}`);
      return { first, again };
    };
    await learn(ADA, 0, ['kickbox', 'undeliverable']);
    const kept = stored.get('domain-evidence:v2:acme.test') ?? '';
    const asked = await seenAt('ada');
    stored.set('domain-evidence:v2:acme.test', kept);
    expect(asked).toEqual(await seenAt('bob'));
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

  it('gathers the providers’ answers from whichever address each was asked about', async () => {
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
