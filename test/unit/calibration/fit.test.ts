import { describe, expect, it } from 'vitest';
import { fittedModel } from '../../../src/domain/calibration/calibrate.ts';
import { logLikelihood } from '../../../src/domain/calibration/expectation.ts';
import { fit, POOLING_STRENGTH, pooled, tableRates } from '../../../src/domain/calibration/fit.ts';
import { fittedTables } from '../../../src/domain/calibration/fitted-model.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import { noCounts, ratesOf, rowsFrom } from '../../../src/domain/calibration/tables.ts';
import type { Belief } from '../../../src/domain/verification/belief.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderId } from '../../../src/domain/verification/provider.ts';
import { believeStranger } from '../../support/beliefs.ts';
import { drawnAccount, patternOf } from './accounts.ts';

/** The table taken at its own weights. */
function fitted(patterns: readonly TracePattern[]): Model {
  const tables = fittedTables(SEEDED_MODEL, fit(SEEDED_MODEL, patterns, 1), 1);
  return { ...SEEDED_MODEL, version: 'fit', calibration: 'fitted', ...tables, centre: tables.prior };
}

describe('a fit', () => {
  const said = {
    host: 'google_business',
    answers: [{ provider: 'zerobounce', verdict: 'deliverable' }],
  } as const satisfies Partial<TracePattern>;
  const believe = (patterns: readonly TracePattern[]): Belief =>
    believeStranger(fitted(patterns), said.host, said.answers);
  const probability = (patterns: readonly TracePattern[]): number => believe(patterns).probability;

  it('expects the more bounces the more were seen, and the fewer the more landed', () => {
    const rising = [0, 2, 10, 40].map((bounced) => probability(patternOf(said, bounced, 60)));
    expect(rising).toEqual([...rising].sort((one, other) => one - other));
    expect(new Set(rising).size).toBe(rising.length);
    expect(probability(patternOf(said, 10, 600))).toBeLessThan(probability(patternOf(said, 10, 60)));
  });

  it('is the surer the more was seen', () => {
    const width = (count: number): number => {
      const [low, high] = believe(patternOf(said, count, 99 * count)).interval;
      return high - low;
    };
    expect(width(10)).toBeLessThan(width(1));
  });

  it('is one and the same from the same traces', () => {
    const patterns = drawnAccount(5, 300);
    const { model } = fittedModel(SEEDED_MODEL, patterns);
    expect(fittedModel(SEEDED_MODEL, patterns).model).toEqual(model);
    expect(fittedModel(SEEDED_MODEL, patterns.slice(1)).model.version).not.toBe(model.version);
  });

  it('learns nothing from traces without an answer and without an outcome', () => {
    const patterns = drawnAccount(5, 300);
    const silent = { ...patternOf({ host: 'google_business', answers: [] }, 0, 0)[0], weight: 1e6 } as TracePattern;
    expect(fitted([...patterns, silent])).toEqual(fitted(patterns));
  });

  it('leaves hosts without a trace as the table has them, to the last digit', () => {
    const { prior } = fitted(patternOf(said, 5, 500));
    expect(prior.google_business).not.toEqual(SEEDED_MODEL.prior.google_business);
    expect(prior.yahoo_consumer).toEqual(SEEDED_MODEL.prior.yahoo_consumer);
  });
});

const tracesOf = (
  host: TracePattern['host'],
  answers: TracePattern['answers'],
  [bounced, landed, silent]: readonly [number, number, number],
): TracePattern => ({
  fold: 0,
  host,
  answers,
  acceptsAllOdds: 1,
  weight: bounced + landed + silent,
  bounced: { count: bounced, weight: bounced },
  landed: { count: landed, weight: landed },
});
const ratesAt = (host: TracePattern['host'], patterns: readonly TracePattern[], trust = 1) => {
  const rates = fit(SEEDED_MODEL, patterns, trust).hosts.get(host)?.rates;
  if (rates === undefined) throw new Error('the host has traces');
  return rates;
};
const HOST = 'google_business';
const CATCH_ALL = (provider: ProviderId): TracePattern['answers'] => [{ provider, verdict: 'catch_all' }];

describe('the rates of a host', () => {
  it.each([HOST, 'yahoo_consumer'] as const)('add up to 1 over its cells, by the table and by a fit: %s', (host) => {
    const total = ({ shares }: ReturnType<typeof tableRates>): number => shares.reduce((sum, share) => sum + share, 0);
    expect(total(tableRates(SEEDED_MODEL, host))).toBeCloseTo(1, 12);
    expect(total(ratesAt(host, [tracesOf(host, CATCH_ALL('kickbox'), [3, 30, 5])]))).toBeCloseTo(1, 12);
  });

  it.each([
    ['bounces alone', [40, 0, 0]],
    ['landings alone', [0, 4_000, 0]],
    ['more bounces than landings', [40, 10, 0]],
    ['as many of both', [20, 20, 0]],
  ] as const)('learn from outcomes without an answer: %s', (_, outcomes) => {
    expect(ratesAt(HOST, [tracesOf(HOST, [], outcomes)]).bounceRates).not.toEqual(
      tableRates(SEEDED_MODEL, HOST).bounceRates,
    );
  });

  it('learn from answers without an outcome how often the server says what', () => {
    const { shares } = ratesAt(HOST, [tracesOf(HOST, CATCH_ALL('kickbox'), [0, 0, 500])]);
    expect(shares[3]).toBeGreaterThan(2 * (tableRates(SEEDED_MODEL, HOST).shares[3] ?? Number.NaN));
  });

  it('are the likeliest under table and traces: no small move makes both together likelier', () => {
    const patterns = [tracesOf(HOST, [], [60, 500, 0])];
    const found = fit(SEEDED_MODEL, patterns, 1).hosts.get(HOST);
    if (found === undefined) throw new Error('the host has traces');
    const { seed, rates, patterns: seen } = found;
    const scoreOf = ({ shares, bounceRates }: Pick<typeof rates, 'shares' | 'bounceRates'>): number =>
      shares.reduce(
        (sum, share, cell) => {
          const rate = bounceRates[cell] ?? Number.NaN;
          const [bounced, landed] = [seed.bounced[cell] ?? Number.NaN, seed.landed[cell] ?? Number.NaN];
          return (
            sum +
            (seed.shares[cell] ?? Number.NaN) * Math.log(share) +
            bounced * Math.log(rate) +
            landed * Math.log(1 - rate)
          );
        },
        logLikelihood({ ...rates, shares, bounceRates }, seen),
      );
    const best = scoreOf(rates);
    for (const factor of [0.97, 1.03])
      rates.shares.forEach((_, cell) => {
        const moved = rates.shares.map((share, at) => (at === cell ? share * factor : share));
        const total = moved.reduce((sum, share) => sum + share, 0);
        expect(scoreOf({ ...rates, shares: moved.map((share) => share / total) })).toBeLessThan(best);
        const bounceRates = rates.bounceRates.map((rate, at) =>
          at === cell ? (rate * factor) / (rate * factor + 1 - rate) : rate,
        );
        expect(scoreOf({ ...rates, bounceRates })).toBeLessThan(best);
      });
  });
});

describe('the rows of providers over all hosts', () => {
  const table = rowsFrom((provider) => SEEDED_MODEL.providers[provider].anyHost);
  const elsewhere = tracesOf('microsoft_business', CATCH_ALL('kickbox'), [5, 50, 300]);

  it('are the table’s where the table is trusted beyond all traces', () => {
    const { anyHost } = fit(SEEDED_MODEL, [elsewhere], 1e9);
    const rates = ratesOf(table);
    anyHost.forEach((rate, place) => {
      expect(rate).toBeCloseTo(rates[place] ?? Number.NaN, 6);
    });
  });

  it('are the row at a host where the provider was never asked, and carry the table’s own row there along', () => {
    const kickbox = 20 * 2;
    const [asked, silent] = [tracesOf(HOST, [], [1, 100, 0]), tracesOf('yahoo_consumer', [], [1, 100, 0])];
    const { hosts, anyHost } = fit(SEEDED_MODEL, [elsewhere, asked, silent], 1);
    const own = (host: TracePattern['host']) => hosts.get(host)?.rates.rows.slice(kickbox, kickbox + 20) ?? [];
    own(HOST).forEach((rate, at) => {
      expect(rate).toBeCloseTo(anyHost[kickbox + at] ?? Number.NaN, 9);
    });
    const before = fit(SEEDED_MODEL, [silent], 1);
    const tabled = before.hosts.get('yahoo_consumer')?.rates.rows ?? [];
    const oddsBy = (rates: ArrayLike<number>, from: number, at: number): number =>
      (rates[from + at] ?? Number.NaN) / (rates[from + 8 + (at % 4)] ?? Number.NaN);
    own('yahoo_consumer').forEach((_, at) => {
      const moved = oddsBy(own('yahoo_consumer'), 0, at) / oddsBy(tabled, kickbox, at);
      expect(moved).toBeCloseTo(oddsBy(anyHost, kickbox, at) / oddsBy(before.anyHost, kickbox, at), 6);
    });
  });

  it('learn nothing from hosts where the table has the provider’s row apart', () => {
    const apart = tracesOf('yahoo_consumer', CATCH_ALL('kickbox'), [5, 50, 300]);
    expect(fit(SEEDED_MODEL, [apart], 1).anyHost).toEqual(fit(SEEDED_MODEL, [], 1).anyHost);
    expect(fit(SEEDED_MODEL, [elsewhere], 1).anyHost).not.toEqual(fit(SEEDED_MODEL, [], 1).anyHost);
  });

  it.each([
    ['all of what is rare', 1e-6, 1e-6],
    ['half of as many as the tie is worth', POOLING_STRENGTH, POOLING_STRENGTH / 2],
    ['never more than the tie is worth', 1e9, POOLING_STRENGTH],
  ])('take from one host %s', (_, count, taken) => {
    const [host] = fit(SEEDED_MODEL, [elsewhere], 1).hosts.values();
    if (host === undefined) throw new Error('the host has traces');
    const rows = noCounts().rows.fill(0);
    rows[1] = count;
    const gained = pooled(table, [{ host, counts: { ...noCounts(), rows } }]).map((now, at) => now - (table[at] ?? 0));
    expect((gained[1] ?? Number.NaN) / taken).toBeCloseTo(1, 6);
    expect(gained.filter((gain) => gain !== 0)).toHaveLength(1);
  });
});
