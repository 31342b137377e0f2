import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/domain/verification/belief.ts';
import { DOMAIN_LEVELS, LIST_LEVELS } from '../../../src/domain/verification/history.ts';
import type { HistoryTable } from '../../../src/domain/verification/history-table.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import {
  ANSWERS,
  DEAD,
  DOMAIN_STEPS,
  type DomainKind,
  isShared,
  listSharesAround,
  tablesAt,
  VARIANCE_MAX,
} from '../../../src/domain/verification/host-tables.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { anyHost, HOSTS } from '../../support/any-belief.ts';

const KINDS = [0, 1] as const;
const SHARED = HOSTS.filter((host) => host === 'relay' || host === 'disposable' || host.endsWith('_consumer'));
const COMPANIES = HOSTS.filter((host) => !SHARED.includes(host));
const anyCompany = fc.constantFrom(...COMPANIES);

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const logit = (rate: number): number => Math.log(rate / (1 - rate));
const chance = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true });

/** A model that no other test has read: what is worked out once is worked out here. */
const modelWith = (history: Partial<HistoryTable> = {}): Model => ({
  ...SEEDED_MODEL,
  history: { ...SEEDED_MODEL.history, ...history },
});
/** The model with other cells of one host, as a fit has them, or as the table itself. */
const withCells = (model: Model, host: HostClass, cells: readonly Cell[], isTable: boolean): Model => {
  const prior = { ...model.prior, [host]: cells };
  return { ...model, prior, centre: isTable ? prior : model.centre };
};

/** Any cells of the five that hosts have, in any order. */
const anyCells: fc.Arbitrary<Cell[]> = fc
  .tuple(
    ...SEEDED_MODEL.prior.google_business.map(({ acceptsAll, answer }) =>
      fc.record({
        acceptsAll: fc.constant(acceptsAll),
        answer: fc.constant(answer),
        alpha: between(0.01, 50),
        bounced: between(0.1, 90),
        landed: between(20, 900),
      }),
    ),
  )
  .chain((cells) => fc.shuffledSubarray(cells, { minLength: cells.length }));

const cellsOf = (model: Model, host: HostClass, kind: 0 | 1): Cell[] =>
  model.prior[host].filter(({ acceptsAll }) => acceptsAll === (kind === 1));
const bouncesOf = ({ alpha, bounced, landed }: Cell): number => (alpha * bounced) / (bounced + landed);
const rateOf = (cells: readonly Cell[]): number => total(cells.map(bouncesOf)) / total(cells.map(({ alpha }) => alpha));

/** P(bounces) over all levels of domain and list, by what is added to the log-odds of domains that are not given up. */
const meanOver = ({ levelShares, logOdds }: DomainKind, lists: readonly number[], offset = 0): number =>
  total(
    levelShares.flatMap((ofDomain, domain) =>
      lists.map((ofList, list) => {
        const shown = logOdds[domain * LIST_LEVELS + list] ?? Number.NaN;
        return ofDomain * ofList * chance(domain === DEAD ? shown : shown + offset);
      }),
    ),
  );

describe('domains of many people', () => {
  it.each(HOSTS)('are those of relays, disposable services and consumer hosts: %s', (host) => {
    expect(isShared(host)).toBe(SHARED.includes(host));
  });

  it('are never given up, and lie where the table has them, wherever companies’ catch-alls lie', () => {
    const [table, moved] = [modelWith(), modelWith({ acceptsAllLevel: 2.5 })];
    for (const host of SHARED) {
      const { kinds } = tablesAt(moved, host);
      for (const { levelShares } of kinds) expect(levelShares[DEAD]).toBe(0);
      expect(kinds).toEqual(tablesAt(table, host).kinds);
    }
  });
});

describe('the tables of a host', () => {
  it('are made once, for they are asked for with each address', () => {
    const model = modelWith();
    for (const host of HOSTS) expect(tablesAt(model, host)).toBe(tablesAt(model, host));
  });

  it('have a share for each level, which add up to 1, and the odds of each', () => {
    fc.assert(
      fc.property(anyHost, between(-5, 5), between(-4, 4), (host, listLevel, acceptsAllLevel) => {
        const { kinds, listShares } = tablesAt(modelWith({ listLevel, acceptsAllLevel }), host);
        expect(total(kinds.map(({ share }) => share))).toBeCloseTo(1, 12);
        for (const { levelShares, logOdds, odds } of kinds) {
          expect(levelShares).toHaveLength(DOMAIN_LEVELS / 2);
          expect(total(levelShares)).toBeCloseTo(1, 12);
          expect(logOdds).toHaveLength(DOMAIN_STEPS * LIST_LEVELS);
          for (const [at, each] of odds.entries()) expect(Math.log(each)).toBeCloseTo(logOdds[at] ?? Number.NaN, 9);
        }
        for (const shares of listShares.values()) expect(total(shares)).toBeCloseTo(1, 12);
      }),
    );
  });
});

describe('over all levels of domain and list', () => {
  it('a stranger bounces as the table says of each kind of domain, however far the levels spread', () => {
    fc.assert(
      fc.property(
        anyHost,
        anyCells,
        fc.record({
          listSpread: between(0.2, 1.5),
          domainSpread: between(0.2, 1.5),
          sharedSpread: between(0.1, 0.6),
          dead: fc.record({ share: between(0, 0.2), bounces: between(0.5, 0.99) }),
        }),
        (host, cells, spreads) => {
          const model = withCells(modelWith(spreads), host, cells, true);
          const { kinds, listShares } = tablesAt(model, host);
          for (const kind of KINDS) {
            const rate = rateOf(cellsOf(model, host, kind));
            expect(kinds[kind].bounceRate).toBeCloseTo(rate, 12);
            expect(meanOver(kinds[kind], listShares.get(null) ?? [])).toBeCloseTo(rate, 9);
          }
        },
      ),
    );
  });

  it('a stranger of any purpose bounces as a fit says of the host', () => {
    fc.assert(
      fc.property(anyHost, between(0.5, 2), (host, times) => {
        const cells = SEEDED_MODEL.prior[host].map((cell) =>
          cell.answer === 'refuses' ? { ...cell, alpha: times * cell.alpha } : cell,
        );
        fc.pre(Math.abs(times - 1) > 0.01);
        const model = withCells(modelWith(), host, cells, false);
        const { kinds, listShares } = tablesAt(model, host);
        for (const purpose of [null, 'signup', 'outbound', 'list_hygiene'] as const) {
          const offset = purpose === null ? 0 : model.history.purposes[purpose];
          const rates = kinds.map((kind) => kind.share * meanOver(kind, listShares.get(purpose) ?? [], offset));
          expect(total(rates)).toBeCloseTo(rateOf(cells), 9);
        }
      }),
    );
  });

  it('lists stay where they lie under a fit that finds only more domains which accept everything', () => {
    for (const host of HOSTS) {
      const cells = SEEDED_MODEL.prior[host].map((cell) =>
        cell.acceptsAll ? { ...cell, alpha: 0.5 * cell.alpha } : cell,
      );
      const [table, fitted] = [modelWith(), withCells(modelWith(), host, cells, false)];
      expect(tablesAt(fitted, host).kinds[1].share).toBeLessThan(tablesAt(table, host).kinds[1].share);
      expect(tablesAt(fitted, host).listShares).toEqual(tablesAt(table, host).listShares);
    }
  });
});

describe('domains that are given up', () => {
  it('make at most three tenths of a stranger’s bounces, by the account’s rate where that is below the table’s', () => {
    fc.assert(
      fc.property(
        anyCompany,
        fc.record({
          listLevel: between(-4, 3),
          acceptsAllLevel: between(-3, 3),
          dead: fc.record({ share: between(0.001, 0.3), bounces: between(0.4, 0.99) }),
        }),
        (host, history) => {
          const { kinds } = tablesAt(modelWith(history), host);
          const { listLevel, acceptsAllLevel, dead } = history;
          for (const kind of KINDS) {
            const { bounceRate, levelShares, logOdds } = kinds[kind];
            const moved = listLevel + (kind === 1 ? acceptsAllLevel : 0);
            const rate = moved < 0 ? chance(logit(bounceRate) + moved) : bounceRate;
            const bounces = (levelShares[DEAD] ?? 0) * dead.bounces;
            expect(bounces).toBeCloseTo(Math.min(dead.share * dead.bounces, 0.3 * rate), 12);
            // Whatever the list: no more and no less of its mail bounces.
            for (let list = 0; list < LIST_LEVELS; list += 1)
              expect(chance(logOdds[DEAD * LIST_LEVELS + list] ?? 0)).toBeCloseTo(dead.bounces, 12);
          }
        },
      ),
    );
  });
});

/** How far levels lie from the middle one, in log-odds. */
const aroundMiddle = (levels: readonly number[]): number[] => {
  const middle = levels[(levels.length - 1) / 2] ?? Number.NaN;
  return levels.map((level) => level - middle);
};
const listsOf = ({ logOdds }: DomainKind): number[] => aroundMiddle(logOdds.slice(0, LIST_LEVELS));
const domainsOf = ({ logOdds }: DomainKind): number[] =>
  aroundMiddle(Array.from({ length: DEAD }, (_, domain) => logOdds[domain * LIST_LEVELS] ?? Number.NaN));

/** Even steps, the outermost as far out as a mean that lies beyond it. */
const stepsTo = (count: number, reach: number, mean: number): number[] => {
  const even = Array.from({ length: count }, (_, at) => reach * ((2 * at) / (count - 1) - 1));
  return even.with(0, Math.min(-reach, mean)).with(count - 1, Math.max(reach, mean));
};
const expectClose = (found: readonly number[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  for (const [at, value] of found.entries()) expect(value).toBeCloseTo(expected[at] ?? Number.NaN, 9);
};
/** Shares are those of a normal distribution: a level's log falls with the square of its distance in standard deviations. */
function expectNormal(shares: readonly number[], levels: readonly number[], mean: number, spread: number): void {
  const fall = (level: number): number => ((level - mean) / spread) ** 2 / 2;
  const top = shares[0] ?? Number.NaN;
  for (const [at, share] of shares.entries())
    expect(Math.log(share / top)).toBeCloseTo(fall(levels[0] ?? Number.NaN) - fall(levels[at] ?? Number.NaN), 6);
}

describe('where the account’s lists and catch-alls lie elsewhere', () => {
  const { domainSpread } = SEEDED_MODEL.history;
  const anyHistory = fc.record({
    listLevel: between(-4, 4),
    acceptsAllLevel: between(-4, 4),
    listSpread: between(0.5, 1.4),
  });

  it('only the outermost level follows, to as far as they lie', () => {
    fc.assert(
      fc.property(anyCompany, anyHistory, (host, history) => {
        const { kinds } = tablesAt(modelWith(history), host);
        for (const kind of KINDS) {
          const own = kind === 1 ? history.acceptsAllLevel : 0;
          expectClose(listsOf(kinds[kind]), stepsTo(LIST_LEVELS, 2.5 * history.listSpread, history.listLevel));
          expectClose(domainsOf(kinds[kind]), stepsTo(DEAD, 2.1 * domainSpread, own));
        }
      }),
    );
  });

  it('levels are as frequent as their distance from there makes them', () => {
    fc.assert(
      fc.property(anyCompany, anyHistory, (host, history) => {
        const { kinds, listShares } = tablesAt(modelWith(history), host);
        const { listLevel, listSpread } = history;
        const [strict, acceptsAll] = kinds;
        for (const shares of listShares.values()) {
          expectNormal(shares, listsOf(strict), listLevel, listSpread);
          expectClose(shares, listSharesAround(listLevel / listSpread));
        }
        expectNormal(strict.levelShares.slice(0, DEAD), domainsOf(strict), 0, domainSpread);
        expectNormal(
          acceptsAll.levelShares.slice(0, DEAD),
          domainsOf(acceptsAll),
          history.acceptsAllLevel,
          domainSpread,
        );
      }),
    );
  });
});

describe('the server’s answers', () => {
  const anyMistaken = fc.oneof(fc.constant(0), between(0.001, 0.5));
  const columnOf = ({ answer }: Cell): number => ANSWERS.indexOf(answer);

  it('recombine to the host’s cells, of which a share is mistaken for any answer but none', () => {
    fc.assert(
      fc.property(anyHost, anyCells, anyMistaken, (host, cells, mistaken) => {
        const model = withCells(modelWith({ mistaken }), host, cells, true);
        const { kinds } = tablesAt(model, host);
        const all = total(cells.map(({ alpha }) => alpha));
        for (const kind of KINDS) {
          const { share, bounceRate, answers, own } = kinds[kind];
          const mine = cellsOf(model, host, kind);
          expect(share).toBeCloseTo(total(mine.map(({ alpha }) => alpha)) / all, 12);
          for (const state of KINDS) {
            const ofState = share * (state === 1 ? bounceRate : 1 - bounceRate);
            expect(total(answers[state])).toBeCloseTo(1, 12);
            for (const [at, answer] of ANSWERS.entries()) {
              const cell = mine.find((each) => columnOf(each) === at);
              const truly = cell === undefined ? 0 : state === 1 ? bouncesOf(cell) : cell.alpha - bouncesOf(cell);
              const wrongly = answer === 'inconclusive' ? 0 : (mistaken * ofState) / 3;
              const seen = ofState * (answers[state][at] ?? Number.NaN);
              expect(seen).toBeCloseTo(((1 - mistaken) * truly) / all + wrongly, 12);
              expect(seen * (own[state][at] ?? Number.NaN)).toBeCloseTo(((1 - mistaken) * truly) / all, 12);
            }
          }
        }
      }),
    );
  });

  it('are all the server’s own where none is mistaken', () => {
    for (const host of HOSTS)
      for (const { own } of tablesAt(modelWith({ mistaken: 0 }), host).kinds)
        expect(own).toEqual([
          [1, 1, 1, 1],
          [1, 1, 1, 1],
        ]);
  });

  it('tell of a bounce as Bayes has it, and nothing where they are never seen', () => {
    fc.assert(
      fc.property(anyHost, anyCells, anyMistaken, (host, cells, mistaken) => {
        const { kinds } = tablesAt(withCells(modelWith({ mistaken }), host, cells, true), host);
        for (const { bounceRate, answers, cellRates } of kinds)
          for (const at of ANSWERS.keys()) {
            const bounces = bounceRate * (answers[1][at] ?? Number.NaN);
            const seen = bounces + (1 - bounceRate) * (answers[0][at] ?? Number.NaN);
            expect(cellRates[at]).toBeCloseTo(seen === 0 ? 0 : bounces / seen, 9);
          }
      }),
    );
  });

  it('are as sure as so many observations of their rate, and never surer of an unseen one', () => {
    fc.assert(
      fc.property(anyHost, anyCells, (host, cells) => {
        const model = withCells(modelWith(), host, cells, true);
        for (const kind of KINDS) {
          const left = new Set(ANSWERS.keys());
          const variance = tablesAt(model, host).kinds[kind].cellVariance;
          for (const cell of cellsOf(model, host, kind)) {
            const [count, rate] = [cell.bounced + cell.landed, cell.bounced / (cell.bounced + cell.landed)];
            const ofLogOdds = 1 / (count * rate * (1 - rate));
            expect(variance[columnOf(cell)]).toBeCloseTo(Math.min(VARIANCE_MAX, ofLogOdds), 9);
            left.delete(columnOf(cell));
          }
          for (const at of left) expect(variance[at]).toBe(VARIANCE_MAX);
        }
      }),
    );
  });
});
