import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptsAllByLevels,
  bounded,
  type FirstState,
  firstBounce,
  multiplied,
  NO_NEIGHBOURS,
  stateAmong,
} from '../../../src/domain/verification/first-state.ts';
import { DOMAIN_LEVELS, FEATURES, type Levels, LIST_LEVELS } from '../../../src/domain/verification/history.ts';
import { DEAD, DOMAIN_STEPS, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { SEEDED_MODEL as MODEL } from '../../../src/domain/verification/model.ts';
import { anyHost, HOSTS } from '../../support/any-belief.ts';

const KINDS = [0, 1] as const;
const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const odds = (probability: number): number => probability / (1 - probability);

const anyLevels = (count: number): fc.Arbitrary<number[] | null> =>
  fc.option(fc.array(between(-12, 0), { minLength: count, maxLength: count }));
const anyAmong = fc.record({
  host: anyHost,
  features: fc.subarray([...FEATURES], { maxLength: 3 }),
  purpose: fc.constantFrom('signup', 'outbound', 'list_hygiene', null),
  acceptsAllOdds: fc.oneof(fc.constant(1), between(0.02, 50)),
  domain: anyLevels(DOMAIN_LEVELS),
  list: anyLevels(LIST_LEVELS),
});
const stateOf = ({ domain, list, ...of }: typeof anyAmong extends fc.Arbitrary<infer Among> ? Among : never) =>
  stateAmong(MODEL, of, domain, list);

interface Way {
  readonly kind: 0 | 1;
  readonly weight: number;
  readonly logOdds: number;
}

/** Every level of the domain with every level of the list: how likely both are, and the log-odds of a bounce there. */
function waysOf({ host, features, purpose, acceptsAllOdds, domain, list }: Parameters<typeof stateOf>[0]): Way[] {
  const { kinds, listShares } = tablesAt(MODEL, host);
  const added =
    total(features.map((feature) => MODEL.history.features[feature])) +
    (purpose === null ? 0 : MODEL.history.purposes[purpose]);
  return KINDS.flatMap((kind) =>
    Array.from({ length: DOMAIN_STEPS * LIST_LEVELS }, (_, place) => {
      const [ofDomain, ofList] = [Math.floor(place / LIST_LEVELS), place % LIST_LEVELS];
      const share = kinds[kind].share * (kind === 1 ? acceptsAllOdds : 1);
      const shares = (kinds[kind].levelShares[ofDomain] ?? 0) * (listShares.get(purpose)?.[ofList] ?? 0);
      const said = (domain?.[kind * DOMAIN_STEPS + ofDomain] ?? 0) + (list?.[ofList] ?? 0);
      const logOdds = (kinds[kind].logOdds[place] ?? Number.NaN) + (ofDomain === DEAD ? 0 : added);
      return { kind, weight: share * shares * Math.exp(said), logOdds };
    }),
  );
}

describe('the state of an address when it is first seen', () => {
  it('is the mean over every level of its domain with every level of its list, and the variance of the log-odds there', () => {
    fc.assert(
      fc.property(anyAmong, (among) => {
        const ways = waysOf(among);
        const mean = (of: readonly Way[], figure: (way: Way) => number): number =>
          total(of.map((way) => way.weight * figure(way))) / total(of.map(({ weight }) => weight));
        const rate = (kind: 0 | 1): number =>
          mean(
            ways.filter((way) => way.kind === kind),
            ({ logOdds }) => 1 / (1 + Math.exp(-logOdds)),
          );
        const middle = mean(ways, ({ logOdds }) => logOdds);
        const state = stateOf(among);
        expect(state.acceptsAll).toBeCloseTo(
          mean(ways, ({ kind }) => kind),
          9,
        );
        expect(state.deadStrict).toBeCloseTo(rate(0), 9);
        expect(state.deadAcceptsAll).toBeCloseTo(rate(1), 9);
        expect(state.variance).toBeCloseTo(
          mean(ways, ({ logOdds }) => (logOdds - middle) ** 2),
          7,
        );
      }),
    );
  });

  it('follows from what levels say against one another, however much all of them say', () => {
    fc.assert(
      fc.property(anyAmong, between(-1_000, 1_000), (among, more) => {
        const raised = (values: readonly number[] | null) => values?.map((value) => value + more) ?? null;
        const [state, higher] = [
          stateOf(among),
          stateOf({ ...among, domain: raised(among.domain), list: raised(among.list) }),
        ];
        for (const of of ['acceptsAll', 'deadStrict', 'deadAcceptsAll', 'variance'] as const)
          expect(higher[of]).toBeCloseTo(state[of], 6);
      }),
    );
  });

  it('says that nothing bounces at a kind of domain which its neighbours rule out', () => {
    for (const host of HOSTS) {
      const ruledOut = (kind: 0 | 1): FirstState =>
        stateAmong(
          MODEL,
          { host, features: [], purpose: 'outbound', acceptsAllOdds: 1 },
          Array.from({ length: DOMAIN_LEVELS }, (_, level) => (Math.floor(level / DOMAIN_STEPS) === kind ? -2_000 : 0)),
          null,
        );
      expect(ruledOut(0)).toMatchObject({ acceptsAll: 1, deadStrict: 0 });
      expect(ruledOut(1)).toMatchObject({ acceptsAll: 0, deadAcceptsAll: 0 });
      expect(firstBounce(ruledOut(0))).toBeGreaterThan(0);
      expect(firstBounce(ruledOut(1))).toBeGreaterThan(0);
    }
  });
});

describe('a state with its odds multiplied', () => {
  const anyShare = between(0.001, 0.999);
  const anyState = fc.record({
    acceptsAll: anyShare,
    deadStrict: anyShare,
    deadAcceptsAll: anyShare,
    variance: between(0, 4),
  });

  it('bounces at so many times the odds, whatever its domain accepts, and is as unsure as before', () => {
    fc.assert(
      fc.property(anyState, between(-4, 4).map(Math.exp), (state, factor) => {
        const after = multiplied(state, factor);
        const ratio = (rate: (of: FirstState) => number): number => odds(rate(after)) / odds(rate(state)) / factor;
        expect(ratio(firstBounce)).toBeCloseTo(1, 9);
        expect(ratio(({ deadStrict }) => deadStrict)).toBeCloseTo(1, 9);
        expect(ratio(({ deadAcceptsAll }) => deadAcceptsAll)).toBeCloseTo(1, 9);
        expect(after.variance).toBe(state.variance);
      }),
    );
  });

  it('leaves what its domain accepts as it is among the mailboxes that bounce, and among those that land', () => {
    const oddsAmong = (of: FirstState, rate: (dead: number) => number): number =>
      odds(of.acceptsAll) * (rate(of.deadAcceptsAll) / rate(of.deadStrict));
    fc.assert(
      fc.property(anyState, between(-4, 4).map(Math.exp), (state, factor) => {
        const after = multiplied(state, factor);
        for (const rate of [(dead: number) => dead, (dead: number) => 1 - dead])
          expect(oddsAmong(after, rate) / oddsAmong(state, rate)).toBeCloseTo(1, 7);
      }),
    );
  });

  it('is what neighbours come to who say more than they may, and no other', () => {
    fc.assert(
      fc.property(anyState, anyState, (state, stranger) => {
        const after = bounded(state, stranger, { purpose: 'outbound', around: NO_NEIGHBOURS, own: null });
        const most = 6 * odds(firstBounce(stranger));
        expect(odds(firstBounce(after)) / Math.min(most, odds(firstBounce(state)))).toBeCloseTo(1, 9);
        if (odds(firstBounce(state)) < most) expect(after).toBe(state);
      }),
    );
  });
});

describe('whether a domain accepts everything', () => {
  /** Levels that move the odds of it by so much, for all levels of each kind alike. */
  const movedBy = (factor: number): Levels => ({
    values: Float32Array.from({ length: DOMAIN_LEVELS }, (_, at) => (at < DOMAIN_STEPS ? -Math.log(factor) : 0)),
    at: 0,
    isReported: false,
    stoppedOn: null,
    refused: 0,
    delivered: 0,
  });

  it('follows where its own levels move the odds tenfold, to nine in ten at least; that it does not, to a quarter', () => {
    fc.assert(
      fc.property(anyHost, between(-4, 9).map(Math.exp), (host, factor) => {
        for (const bound of [10, 1 / 4]) fc.pre(Math.abs(Math.log(factor / bound)) > 1e-5);
        const after = factor * odds(tablesAt(MODEL, host).kinds[1].share);
        fc.pre(Math.abs(after - 9) > 1e-4);
        const shown = factor < 1 / 4 ? false : factor > 10 && after > 9 ? true : null;
        expect(acceptsAllByLevels(MODEL, host, movedBy(factor), 0)).toBe(shown);
      }),
    );
  });

  it.each([
    ['a host of whose domains few do', 'google_consumer', 300, null],
    ['the same, where more is seen', 'google_consumer', 1_000, true],
    ['a company’s host', 'google_business', 30, true],
    ['a host most of whose domains do, where little is seen', 'barracuda_business', 9, null],
  ] as const)('is not taken from its host: %s', (_, host, factor, shown) => {
    expect(acceptsAllByLevels(MODEL, host, movedBy(factor), 0)).toBe(shown);
  });

  it('is not known of a domain of which nothing was seen', () => {
    for (const host of HOSTS) expect(acceptsAllByLevels(MODEL, host, null, 0)).toBeNull();
  });
});
