import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Purpose } from '../../../src/contract/vocabulary.ts';
import {
  acceptsAllByLevels,
  type FirstStateInput,
  firstBounce,
  firstState,
  NO_NEIGHBOURS,
  strangerState,
} from '../../../src/domain/verification/first-state.ts';
import type {
  AddressHistory,
  DeliveryClass,
  Neighbours,
  Reach,
  ReportGate,
  Sight,
} from '../../../src/domain/verification/history.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { levelUpdate } from '../../../src/domain/verification/level-update.ts';
import { SEEDED_MODEL as MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { addressOf, NOW } from '../../support/address-history.ts';
import { HOSTS } from '../../support/any-belief.ts';

const UPDATE = levelUpdate(MODEL);

const reported = (kind: DeliveryClass, at = NOW): Pick<AddressHistory, 'reports'> => ({
  reports: [{ class: kind, at, source: 'ffff' }],
});
const answered = (verdict: ProviderVerdict, at = NOW): Pick<AddressHistory, 'answers'> => ({
  answers: [{ provider: 'kickbox', verdict, catch_all: null, at }],
});
const sightOf = (purpose: Purpose = 'outbound', at = NOW): Pick<Sight, 'purpose' | 'at'> => ({ purpose, at });

/** The levels after these addresses, in this order. */
function after(addresses: readonly AddressHistory[], around: Neighbours = NO_NEIGHBOURS, now = NOW) {
  const parts: AddressHistory[] = [];
  let levels = around;
  for (const address of addresses) {
    const { part, ...moved } = UPDATE.learn(address, levels, now, sightOf(address.purpose));
    levels = moved;
    parts.push({ ...address, part });
  }
  return { levels, addresses: parts };
}

const input = (change: Partial<FirstStateInput> = {}): FirstStateInput => ({
  host: 'unknown_business',
  features: [],
  purpose: 'outbound',
  acceptsAllOdds: 1,
  around: NO_NEIGHBOURS,
  own: null,
  isOwnList: false,
  now: NOW,
  ...change,
});
const bounceAmong = (around: Neighbours, change: Partial<FirstStateInput> = {}): number =>
  firstBounce(firstState(MODEL, input({ around, ...change })));
const odds = (probability: number): number => probability / (1 - probability);
const many = (count: number, change: Partial<AddressHistory>): AddressHistory[] =>
  Array.from({ length: count }, () => addressOf(change));

describe('the levels of a stranger', () => {
  it.each(HOSTS)('are centred: at %s the mean over them is the rate of the table', (host) => {
    const { kinds } = tablesAt(MODEL, host);
    const state = firstState(MODEL, input({ host, purpose: null }));
    expect(state.deadStrict).toBeCloseTo(kinds[0].bounceRate, 9);
    expect(state.deadAcceptsAll).toBeCloseTo(kinds[1].bounceRate, 9);
    expect(state.acceptsAll).toBeCloseTo(kinds[1].share, 9);
  });

  it('have a root below a rate of .019, where domains that are given up would be too many', () => {
    const rate = (cells: (typeof MODEL.prior)['relay']) =>
      cells.map((cell) => ({
        ...cell,
        bounced: 0.001 * (cell.bounced + cell.landed),
        landed: cell.bounced + cell.landed,
      }));
    const prior = { ...MODEL.prior, unknown_business: rate(MODEL.prior.unknown_business) };
    const { deadStrict } = strangerState({ ...MODEL, prior, centre: prior }, 'unknown_business', null, NOW);
    expect(deadStrict).toBeCloseTo(0.001 / 1.001, 6);
  });
});

describe('neighbours', () => {
  it('raise a bounce where they bounced, lower it where they were reached', () => {
    const stranger = bounceAmong(NO_NEIGHBOURS);
    for (const news of [reported('user_unknown'), answered('undeliverable')])
      expect(bounceAmong(after(many(3, news)).levels)).toBeGreaterThan(stranger);
    for (const news of [reported('delivered'), answered('deliverable')])
      expect(bounceAmong(after(many(3, news)).levels)).toBeLessThan(stranger);
  });

  it('tell how a domain treats strangers', () => {
    const { levels } = after(many(3, answered('catch_all')));
    expect(firstState(MODEL, input({ around: levels })).acceptsAll).toBeGreaterThan(0.95);
    expect(acceptsAllByLevels(MODEL, 'unknown_business', levels.domain, NOW)).toBe(true);
    const strict = after([addressOf(answered('deliverable')), addressOf(answered('undeliverable'))]).levels;
    expect(firstState(MODEL, input({ around: strict })).acceptsAll).toBeLessThan(0.1);
    expect(acceptsAllByLevels(MODEL, 'unknown_business', strict.domain, NOW)).toBe(false);
    // A host most of whose domains accept everything says nothing of this one.
    const one = after(many(1, { ...answered('unknown'), host: 'barracuda_business' })).levels;
    expect(acceptsAllByLevels(MODEL, 'barracuda_business', one.domain, NOW)).toBeNull();
  });

  // The situation: an account with 40 earlier delivered reports, business host, outbound.
  it('of a domain where 8 of 8 bounced make a bounce at least three times a stranger’s, where 12 of 12 arrived at most .8', () => {
    const list = after(many(40, { ...reported('delivered'), domain: 'x' })).levels.list;
    for (const host of ['google_business', 'microsoft_business', 'unknown_business'] as const) {
      const among = (news: AddressHistory[]) => {
        const { levels } = after(news, { domain: null, list });
        return bounceAmong(levels, { host });
      };
      const stranger = bounceAmong({ domain: null, list }, { host });
      expect(among(many(8, { ...reported('user_unknown'), host }))).toBeGreaterThan(3 * stranger);
      expect(among(many(12, { ...reported('delivered'), host }))).toBeLessThan(0.8 * stranger);
    }
  });

  it.each([
    ['signup', 2],
    ['outbound', 6],
    ['list_hygiene', 6],
  ] as const)('multiply the odds of a bounce for %s by %i at most, however many bounced', (purpose, most) => {
    const { levels } = after(many(50, answered('undeliverable')));
    for (const host of HOSTS) {
      const [stranger, among] = [NO_NEIGHBOURS, levels].map((around) => odds(bounceAmong(around, { host, purpose })));
      expect((among ?? 0) / (stranger ?? 1)).toBeLessThanOrEqual(most * 1.000_001);
    }
    const ratio = odds(bounceAmong(levels, { purpose })) / odds(bounceAmong(NO_NEIGHBOURS, { purpose }));
    expect(ratio).toBeCloseTo(most, 6);
  });

  it.each([
    ['8 refused', 8, 0, true],
    ['7 refused', 7, 0, false],
    ['8 refused, 2 reached', 8, 2, true],
    ['8 refused, 3 reached', 8, 3, false],
    ['7 refused beside the address itself', 8, 0, false],
  ] as const)(
    'are bounded no more where the account’s own mail shows a domain as given up: %s',
    (what, refused, delivered, isFree) => {
      const mailed = after([...many(refused, reported('user_unknown')), ...many(delivered, reported('delivered'))]);
      const own = what.endsWith('itself') ? (mailed.addresses[0]?.part ?? null) : null;
      const dead = after(many(50, answered('undeliverable')), mailed.levels).levels;
      const ratio = odds(bounceAmong(dead, { own, isOwnList: true })) / odds(bounceAmong(NO_NEIGHBOURS));
      if (isFree) expect(ratio).toBeGreaterThan(6.1);
      else expect(ratio).toBeCloseTo(6, 6);
    },
  );

  it('are others: an address is a stranger where it alone was ever seen', () => {
    for (const news of [reported('user_unknown'), answered('catch_all'), answered('undeliverable')]) {
      const { levels, addresses } = after([addressOf(news)]);
      const own = addresses[0]?.part ?? null;
      const [alone, stranger] = [
        firstState(MODEL, input({ around: levels, own, isOwnList: true })),
        firstState(MODEL, input()),
      ];
      expect(alone.acceptsAll).toBeCloseTo(stranger.acceptsAll, 5);
      expect(firstBounce(alone)).toBeCloseTo(firstBounce(stranger), 5);
      expect(alone.variance).toBeCloseTo(stranger.variance, 4);
    }
  });

  it('leave alone a list that the address was not first seen in', () => {
    const { levels, addresses } = after(many(2, reported('user_unknown')));
    const own = addresses[0]?.part ?? null;
    expect(bounceAmong(levels, { own, isOwnList: false })).toBeGreaterThan(
      bounceAmong(levels, { own, isOwnList: true }),
    );
  });
});

const anyNews = fc.record({
  host: fc.constantFrom<HostClass>('google_business', 'unknown_business', 'google_consumer', 'mimecast_business'),
  purpose: fc.constantFrom<Purpose>('outbound', 'list_hygiene'),
  reports: fc.array(
    fc.record({
      class: fc.constantFrom<DeliveryClass>('user_unknown', 'delivered', 'soft', 'full'),
      at: fc.nat(300).map((days) => NOW - days * DAY_MS),
      source: fc.constant('ffff'),
    }),
    { maxLength: 3 },
  ),
});

describe('what an address adds', () => {
  it('is taken out to what it was, whatever came between and however much later', () => {
    fc.assert(
      fc.property(fc.array(anyNews, { minLength: 1, maxLength: 12 }), anyNews, fc.nat(200), (others, one, days) => {
        const [before, between] = [others.slice(0, others.length / 2), others.slice(others.length / 2)];
        const first = after(before.map(addressOf)).levels;
        const { part, ...withOne } = UPDATE.learn(addressOf(one), first, NOW, sightOf());
        const later = NOW + days * DAY_MS;
        // The others' own parts as they were added beside it.
        const rest = after(between.map(addressOf), withOne);
        const whole = UPDATE.shift(rest.levels, part ?? ZERO, -1, later);
        let sum: Neighbours = UPDATE.shift(first, ZERO, 1, later);
        for (const { part: own } of rest.addresses) if (own !== null) sum = UPDATE.shift(sum, own, 1, later);
        for (const kind of ['domain', 'list'] as const)
          whole[kind]?.values.forEach((value, at) => expect(value).toBeCloseTo(sum[kind]?.values[at] ?? Number.NaN, 3));
      }),
    );
  });

  it('is replaced by what it says later, and fades from there', () => {
    const { levels, addresses } = after(many(1, answered('undeliverable')));
    const [address] = addresses;
    if (address === undefined) throw new Error('one address');
    const now = NOW + DAY_MS;
    const { part, ...turned } = UPDATE.learn({ ...address, ...answered('deliverable', now) }, levels, now, sightOf());
    expect(bounceAmong(turned, { now })).toBeLessThan(bounceAmong(NO_NEIGHBOURS, { now }));
    // A proof of life brings it back a year later, when the answer no longer counts for the address itself.
    const long = now + 365 * DAY_MS;
    const proofs = [{ class: 'paid', at: long }] as const;
    const again = UPDATE.learn(
      { ...address, ...answered('deliverable', now), proofs, part },
      turned,
      long,
      sightOf('outbound', long),
    );
    part?.domain.forEach((value, at) => expect(Math.abs((again.part?.domain[at] ?? 0) - value / 2)).toBeLessThan(2));
  });

  it.each([
    ['domain', 365],
    ['list', 120],
  ] as const)('fades: at its %s half of it is left after %i days', (kind, days) => {
    const { levels } = after(many(4, reported('delivered')));
    const later = UPDATE.shift(levels, ZERO, 1, NOW + days * DAY_MS)[kind];
    levels[kind]?.values.forEach((value, at) => expect(later?.values[at]).toBeCloseTo(value / 2, 5));
  });

  it('is what was seen when it was seen: learnt late, it has faded already', () => {
    const old = after([addressOf(reported('user_unknown', NOW - 120 * DAY_MS))]).addresses[0]?.part;
    const fresh = after([addressOf(reported('user_unknown'))]).addresses[0]?.part;
    const range = (part: Int16Array | undefined) => Math.max(...(part ?? [])) - Math.min(...(part ?? []));
    expect(range(old?.list)).toBeLessThan(0.55 * range(fresh?.list));
  });

  it('does not come from proofs of life, whose absence says nothing', () => {
    const { part } = UPDATE.learn(addressOf({ proofs: [{ class: 'paid', at: NOW }] }), NO_NEIGHBOURS, NOW, sightOf());
    expect(part).toBeNull();
  });
});

const ZERO = { domain: new Int16Array(16), list: new Int16Array(11), at: NOW, counted: null };

describe('reports that reach no further than their address', () => {
  const gateOf = (reach: Reach): ReportGate => ({ reachOf: () => reach });
  const learn = (address: AddressHistory, reach: Reach, around: Neighbours = NO_NEIGHBOURS) =>
    UPDATE.learn(address, around, NOW, sightOf(address.purpose), gateOf(reach));
  const refusedOne = addressOf(reported('user_unknown'));

  it('move neither its domain nor its list; answers still do', () => {
    for (const change of [reported('user_unknown'), reported('delivered')])
      expect(bounceAmong(learn(addressOf(change), 'none'))).toBeCloseTo(bounceAmong(NO_NEIGHBOURS), 9);
    const both = { ...reported('user_unknown'), ...answered('deliverable') };
    expect(bounceAmong(learn(addressOf(both), 'none'))).toBeCloseTo(
      bounceAmong(learn(addressOf(answered('deliverable')), 'all')),
      9,
    );
  });

  it('move the domain alone where they reach as far as that', () => {
    const { domain, list } = learn(refusedOne, 'domain');
    expect(bounceAmong({ domain, list: null })).toBeGreaterThan(1.2 * bounceAmong(NO_NEIGHBOURS));
    expect(domain?.values).toEqual(learn(refusedOne, 'all').domain?.values);
    expect(list?.values).toEqual(new Float32Array(11));
    expect([domain?.isReported, list?.isReported]).toEqual([true, false]);
  });

  it('are put in later, once they reach further, as if they always had', () => {
    const before = learn(refusedOne, 'none');
    const later = learn({ ...refusedOne, part: before.part }, 'all', before);
    expect(later).toEqual(learn(refusedOne, 'all'));
  });
});

describe('addresses of a domain that were mailed', () => {
  const counts = (addresses: readonly AddressHistory[]) => {
    const { domain, list } = after(addresses).levels;
    return [domain?.refused, domain?.delivered, list?.refused, list?.delivered];
  };

  it('are counted by their newest report, each once', () => {
    expect(counts([...many(3, reported('user_unknown')), ...many(2, reported('delivered'))])).toEqual([3, 2, 0, 0]);
    const { levels, addresses } = after(many(2, reported('user_unknown')));
    const [first] = addresses;
    if (first === undefined) throw new Error('two addresses');
    const reports = [...first.reports, ...reported('delivered', NOW + 1).reports];
    const { domain } = UPDATE.learn({ ...first, reports }, levels, NOW + 1, sightOf());
    expect([domain?.refused, domain?.delivered]).toEqual([1, 1]);
  });

  it('are counted once a day where they were refused after a signup: a visitor chooses the address', () => {
    expect(counts(many(4, { ...reported('user_unknown'), purpose: 'signup' }))).toEqual([1, 0, 0, 0]);
  });

  it('are not counted where nothing was reported', () => {
    expect(counts([addressOf(answered('undeliverable'))])).toEqual([0, 0, 0, 0]);
  });

  it('are counted no more once they are taken out', () => {
    const { levels, addresses } = after(many(2, reported('user_unknown')));
    const [one] = addresses;
    expect(UPDATE.shift(levels, one?.part ?? ZERO, -1, NOW).domain?.refused).toBe(1);
  });
});

describe('after the first refused signup of a domain and day', () => {
  const signup = { purpose: 'signup' } as const;
  const refused = addressOf({ ...signup, ...answered('undeliverable') });

  it('no further signup of that day counts there, good or bad; the next day it does', () => {
    const { levels } = after([refused]);
    for (const verdict of ['undeliverable', 'deliverable'] as const) {
      const next = addressOf({ ...signup, ...answered(verdict) });
      expect(UPDATE.learn(next, levels, NOW + 1, sightOf('signup'))).toEqual({ ...levels, part: null });
      const tomorrow = sightOf('signup', NOW + DAY_MS);
      expect(UPDATE.learn(next, levels, NOW + DAY_MS, tomorrow).part).not.toBeNull();
    }
  });

  it('an address keeps the part that it had', () => {
    const known = after([addressOf({ ...signup, ...answered('deliverable') })]);
    const { levels } = after([refused], known.levels);
    const [before] = known.addresses;
    if (before === undefined) throw new Error('one address');
    const again = UPDATE.learn({ ...before, ...answered('undeliverable') }, levels, NOW + 1, sightOf('signup'));
    expect(again.part).toEqual(before.part);
  });

  it('files and outbound mail count as ever', () => {
    const { levels } = after([refused]);
    for (const purpose of ['outbound', 'list_hygiene'] as const)
      expect(UPDATE.learn(addressOf(answered('deliverable')), levels, NOW, sightOf(purpose)).part).not.toBeNull();
  });

  // Four invented names, all refused, at a company's domain: its next employee.
  it('the next employee of a company is nearly as likely to be reached as a stranger', () => {
    const { levels } = after(many(4, { ...signup, ...answered('undeliverable') }));
    const [next, stranger] = [levels, NO_NEIGHBOURS].map((around) => bounceAmong({ ...around, list: null }, signup));
    expect(odds(next ?? 1) / odds(stranger ?? 1)).toBeLessThanOrEqual(2.000_001);
  });

  const invented = many(4, { ...signup, ...answered('undeliverable') });
  const bounced = (count: number): AddressHistory[] => many(count, reported('user_unknown'));
  it.each<[string, AddressHistory[]]>([
    ['passing failures are', [...invented, ...many(4, reported('soft'))]],
    ['deliveries are', [...invented, ...many(2, reported('delivered'))]],
    ['more deliveries than refusals are', [...invented, ...bounced(1), ...many(2, reported('delivered'))]],
  ])('does not count for more where %s all that the account’s mail shows', (_, addresses) => {
    const { levels } = after(addresses);
    expect(ratioTo(levels)).toBeLessThanOrEqual(2.000_001);
  });

  it('counts for up to six times once the account’s mail to another was refused, its own report apart', () => {
    const { levels, addresses } = after([...invented, ...bounced(1)]);
    expect(ratioTo(levels)).toBeGreaterThan(4);
    expect(ratioTo(levels)).toBeLessThanOrEqual(6.000_001);
    const own = addresses.at(-1)?.part ?? null;
    expect(ratioTo(levels, own)).toBeLessThanOrEqual(2.000_001);
  });

  function ratioTo({ domain }: Neighbours, own: FirstStateInput['own'] = null): number {
    const [next, stranger] = [{ domain, list: null }, NO_NEIGHBOURS].map((around) =>
      odds(bounceAmong(around, { ...signup, own })),
    ) as [number, number];
    return next / stranger;
  }
});

describe('under a fit, which has the account’s own level too', () => {
  const threefold = (cells: (typeof MODEL.prior)['relay']) =>
    cells.map((cell) => (cell.answer === 'refuses' ? { ...cell, alpha: 3 * cell.alpha } : cell));
  const prior = { ...MODEL.prior, unknown_business: threefold(MODEL.prior.unknown_business) };
  const fitted = { ...MODEL, prior };
  const bounce = (around: Neighbours) => firstBounce(firstState(fitted, input({ around })));

  const rate = tablesAt({ ...fitted, centre: prior }, 'unknown_business').kinds.reduce(
    (sum, { share, bounceRate }) => sum + share * bounceRate,
    0,
  );

  it.each(['signup', 'outbound', null] as const)('a stranger in a new list bounces as the fit says (%s)', (purpose) => {
    expect(firstBounce(firstState(fitted, input({ purpose })))).toBeCloseTo(rate, 6);
  });

  it('a known list counts once: it comes to what it has shown, from the fit as from the table', () => {
    /** A list of so many addresses, each at a domain of its own. */
    const listOf = (count: number, bouncedOneIn: number): Neighbours => {
      let list: Neighbours['list'] = null;
      for (let n = 0; n < count; n += 1) {
        const address = addressOf(reported(n % bouncedOneIn === 0 ? 'user_unknown' : 'delivered'));
        list = UPDATE.learn(address, { domain: null, list }, NOW, sightOf()).list;
      }
      return { domain: null, list };
    };
    for (const bouncedOneIn of [50, 5]) {
      const around = listOf(200, bouncedOneIn);
      const [byTable, byFit] = [firstBounce(firstState(MODEL, input({ around }))), bounce(around)];
      expect(byFit / byTable).toBeGreaterThan(0.95);
      expect(byFit / byTable).toBeLessThan(1.15);
      expect(Math.abs(byFit - 1 / bouncedOneIn)).toBeLessThan(0.04);
    }
  });

  it('hosts that it has not seen stay as they were', () => {
    const of = (model: typeof MODEL) => firstState(model, input({ host: 'google_business', purpose: 'signup' }));
    expect(of(fitted)).toEqual(of(MODEL));
  });
});

describe('levels', () => {
  it('say whether a report has moved them', () => {
    const by = (news: Partial<AddressHistory>) => after([addressOf(news)]).levels;
    expect(by(answered('deliverable')).domain?.isReported).toBe(false);
    expect(by(reported('delivered'))).toMatchObject({ domain: { isReported: true }, list: { isReported: true } });
  });
});
