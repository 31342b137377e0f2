import { describe, expect, it } from 'vitest';
import { SEEDED_MODEL } from '../../src/domain/verification/model.ts';
import type { Judge } from '../history/judge.ts';
import { knowing } from '../history/judges.ts';
import type { KindName } from '../history/kinds.ts';
import { Limit } from '../history/limit.ts';
import { drawAccount, fateOf, truthAt } from '../history/lives.ts';
import { costOf, type Served, serve } from '../history/run.ts';
import { service } from '../history/service.ts';
import { CLASSES, drawWorld, GONE, type World } from '../history/world.ts';

const SMALL: KindName = '160 addresses';
const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
const accountOf = (kind: KindName, seed: number) => {
  const world = drawWorld(kind, seed);
  return { world, account: drawAccount(world) };
};

describe('the exact posterior', () => {
  const answered = seeds.flatMap((seed) => {
    const { world, account } = accountOf(SMALL, seed);
    return serve(world, knowing, { account }).answered;
  });

  it.each([
    [0, 0.02],
    [0.02, 0.1],
    [0.1, 0.5],
    [0.5, 1],
  ])('from %f to %f is what happens: as many mailboxes are gone as it says', (from, to) => {
    const among = answered.filter(([, exact]) => exact >= from && exact < to);
    const expected = among.reduce((sum, [, exact]) => sum + exact, 0);
    const variance = among.reduce((sum, [, exact]) => sum + exact * (1 - exact), 0);
    const gone = among.filter(([, , is]) => is).length;
    // An address is asked about several times, so that its visits vary together.
    expect(Math.abs(gone - expected)).toBeLessThan(4 * Math.sqrt(2 * variance) + 2);
  });

  it('moves an address’s neighbours by what is known of it, and only them', () => {
    const { world, account } = accountOf('near', 3);
    const limit = new Limit(world, 'account');
    const [one] = account.addresses.filter(({ domain: { host } }) => !host.consumer);
    if (one === undefined) throw new Error('a world has businesses');
    const neighbour = {
      ...one,
      index: -1,
      list: world.lists.find(({ index }) => index !== one.list.index) ?? one.list,
    };
    const stranger = account.addresses.find((each) => each.domain !== one.domain && each.list !== one.list) ?? one;
    const bounced = CLASSES.indexOf('user_unknown');
    const [before, beforeStranger] = [limit.posterior(neighbour, 100), limit.posterior(stranger, 180)];
    limit.add(one, [{ kind: 'report', at: one.first, class: bounced }]);
    expect(limit.posterior(neighbour, 100).probability).toBeGreaterThan(before.probability);
    expect(limit.posterior(stranger, 180).probability).toBe(beforeStranger.probability);
    expect(limit.posterior(one, one.first).probability).toBeGreaterThan(0.5);
  });

  it('is the same whether what addresses say to each other is passed on once or again, where they form no circle', () => {
    const { world, account } = accountOf('near', 4);
    const limit = new Limit(world, 'account');
    const byDomain = Map.groupBy(account.addresses, ({ domain }) => domain);
    const members = [...byDomain.values()].find(
      (all) => new Set(all.map(({ list }) => list)).size === all.length && all.length > 1,
    );
    for (const address of members ?? []) limit.add(address, [{ kind: 'report', at: address.first, class: 0 }]);
    limit.sweep();
    const once = (members ?? []).map((address) => limit.posterior(address, 180).probability);
    limit.sweep();
    (members ?? []).forEach((address, at) => {
      expect(limit.posterior(address, 180).probability).toBeCloseTo(once[at] ?? 0, 12);
    });
  });
});

describe('a world', () => {
  it('is the same from the same seed', () => {
    const [one, again] = [1, 2].map(() => {
      const { world, account } = accountOf(SMALL, 2);
      return serve(world, () => service(world), { account });
    });
    expect(one).toEqual(again);
  });

  it('has about as many strangers that are gone as its hosts say', () => {
    let [expected, gone, of] = [0, 0, 0];
    for (const seed of seeds) {
      const { world, account } = accountOf('no heterogeneity', seed);
      for (const address of account.addresses.filter(
        ({ features, domain }) => features.length === 0 && !domain.host.consumer,
      )) {
        const { domain, list } = address;
        const base = domain.host.base[domain.acceptsAll] + world.purposes[list.purpose];
        expected += 1 / (1 + Math.exp(-base));
        gone += truthAt(address, address.first).state === GONE ? 1 : 0;
        of += 1;
      }
    }
    expect(Math.abs(gone - expected)).toBeLessThan(4 * Math.sqrt(expected));
    expect(of).toBeGreaterThan(5_000);
  });

  it.each([
    { kind: 'forged 5 %', says: 'an address reported the wrong way round is always' },
    { kind: 'bounces only', says: 'nothing that was delivered is reported' },
    { kind: 'outage', says: 'Google refuses everybody while it is out of order' },
  ] as const)('$kind: $says', ({ kind }) => {
    const { world, account } = accountOf(kind, 1);
    const fates = account.visits.map((visit) => ({ visit, fate: fateOf(world, visit) }));
    const reported = fates.filter(({ fate }) => fate.reported !== null);
    const of = {
      'forged 5 %': ({ visit }: (typeof fates)[number]) => visit.address.forged,
      'bounces only': () => true,
      outage: ({ visit }: (typeof fates)[number]) =>
        visit.at >= 20 && visit.at < 22 && visit.address.domain.host.host.startsWith('google_'),
    }[kind];
    const among = reported.filter(of);
    expect(among.length).toBeGreaterThan(10);
    for (const {
      visit,
      fate: { reported: word },
    } of among) {
      const gone = truthAt(visit.address, visit.at).state === GONE;
      if (kind === 'forged 5 %') expect(CLASSES[word ?? 0]).toBe(gone ? 'delivered' : 'user_unknown');
      if (kind === 'bounces only') expect(['delivered', 'complaint']).not.toContain(CLASSES[word ?? 0]);
      if (kind === 'outage') expect(CLASSES[word ?? 0]).toBe('user_unknown');
    }
  });

  it('has a visitor who invents local parts at the largest domains, none of whose mailboxes exists', () => {
    const { account } = accountOf('hostile visitor', 1);
    const invented = account.addresses.filter((address) => address.invented);
    expect(invented.length).toBe(5 * 6 * 4);
    for (const address of invented) expect(account.attacked.has(address.domain)).toBe(true);
  });
});

describe('who serves a world', () => {
  it('hears of nothing but what is reported, and of that once', () => {
    const { world, account } = accountOf('bounces only', 2);
    const heard: number[] = [];
    const listening = (): Judge => ({ ...service(world), report: (_visit, kind) => void heard.push(kind) });
    serve(world, listening, { account });
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.length).toBeLessThanOrEqual(account.visits.length);
    expect(heard.map((kind) => CLASSES[kind])).not.toContain('delivered');
  });

  it('pays least where it knows the world', () => {
    const [limit = 0, served = 0] = [() => knowing, (world: World) => () => service(world)].map((judgeOf) =>
      seeds.slice(0, 3).reduce((sum, seed) => {
        const { world, account } = accountOf(SMALL, seed);
        return sum + costOf(serve(world, judgeOf(world), { account }).money);
      }, 0),
    );
    expect(limit).toBeLessThan(served);
  });
});

describe('the service', () => {
  const served = seeds.slice(0, 6).map((seed) => {
    const { world, account } = accountOf(SMALL, seed);
    return serve(world, () => service(world), { account });
  });
  const total = (of: (score: Served) => number): number => served.reduce((sum, score) => sum + of(score), 0);

  it('is near the exact posterior, before asking and after', () => {
    for (const when of ['before', 'after'] as const) {
      const loss = total((score) => score[when].crossEntropy) / total((score) => score[when].entropy);
      expect(loss).toBeLessThan(1.06);
    }
  });

  it('goes by the model that a night puts in force', () => {
    const { world, account } = accountOf(SMALL, 1);
    const certain = {
      ...SEEDED_MODEL,
      history: { ...SEEDED_MODEL.history, purposes: { signup: 6, outbound: 6, list_hygiene: 6 } },
    };
    const told = serve(world, () => service(world, () => certain), { account, scoredFromDay: 31 });
    const untold = serve(world, () => service(world), { account, scoredFromDay: 31 });
    const mean = ({ answered }: Served): number => answered.reduce((sum, [p]) => sum + p, 0) / answered.length;
    expect(mean(told)).toBeGreaterThan(mean(untold) + 0.1);
  });
});
