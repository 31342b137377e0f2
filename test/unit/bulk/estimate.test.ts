import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BulkEstimate } from '../../../src/contract/bulk.ts';
import { type EstimateInput, estimate, sampledNumbers } from '../../../src/domain/bulk/estimate.ts';

const NOTHING_SETTLED = { terminal: 0, rule: 0, recent: 0, catch_all: 0 };
const sampleOf = (addresses: number, cached: number, change: Partial<EstimateInput['sample']> = {}) => ({
  addresses,
  cached,
  settled: NOTHING_SETTLED,
  expectedMicros: 2_000,
  ...change,
});

const INPUT: EstimateInput = {
  unique: 10_000,
  begun: 0,
  skipped: 7,
  quotaLeft: 50_000,
  sample: sampleOf(2_000, 500, { settled: { ...NOTHING_SETTLED, recent: 500 } }),
  priceMicros: [8_000, 3_000],
  ceilingMicros: 20_000,
  decision: null,
  providerLeftMicros: null,
};

describe('an estimate', () => {
  it('says that nothing is scaled where nothing is left', () => {
    const sample = sampleOf(500, 100);
    const left = (unique: number) => estimate({ ...INPUT, unique, begun: 500, sample }).cached_estimated;
    expect([left(0), left(1)]).toEqual([false, true]);
  });

  it('scales what the sample shows', () => {
    expect(estimate(INPUT)).toEqual({
      rows_unique: 10_000,
      verifications: 10_000,
      skipped: 7,
      cached: 2_500,
      cached_estimated: true,
      to_verify: 7_500,
      quota_remaining: 50_000,
      fits: true,
      max_cost_usd: 110,
      expected_cost_usd: 15,
      enrichment_max_cost_usd: 0,
      provider_budget_remaining_usd: null,
      not_asked: { terminal: 0, rule: 0, recent: 2_500, catch_all: 0, budget: 0, no_provider: 0 },
    });
  });

  const CASES: readonly (readonly [string, Partial<EstimateInput>, Partial<BulkEstimate>])[] = [
    [
      'counts a small file out',
      { unique: 400, sample: sampleOf(400, 399) },
      { cached: 399, to_verify: 1, cached_estimated: false },
    ],
    [
      'scales the whole file’s share for what is left of it, and says so',
      { unique: 100, begun: 300, sample: sampleOf(400, 200) },
      { cached: 50, to_verify: 50, cached_estimated: true },
    ],
    ['fits a quota to the last unit', { quotaLeft: 10_000 }, { fits: true }],
    ['does not fit with one fewer', { quotaLeft: 9_999 }, { fits: false, quota_remaining: 9_999 }],
    ['always fits unmetered', { quotaLeft: null }, { fits: true, quota_remaining: null }],
    ['costs no address more than its ceiling', { priceMicros: [15_000, 15_000] }, { max_cost_usd: 200 }],
    ['costs nothing without a provider', { priceMicros: [] }, { max_cost_usd: 0, expected_cost_usd: 0 }],
    [
      'includes enrichment and screening, as if each address came to them',
      { decision: { enrichmentMicros: 1_000, screeningMicros: 100, budgetLeftMicros: 25_000_000 } },
      { enrichment_max_cost_usd: 10, max_cost_usd: 121, expected_cost_usd: 26 },
    ],
    [
      'as far as its budget goes',
      { decision: { enrichmentMicros: 9_000, screeningMicros: 0, budgetLeftMicros: 25_000_000 } },
      { enrichment_max_cost_usd: 25, max_cost_usd: 135 },
    ],
    [
      'within the one ceiling of an address',
      { decision: { enrichmentMicros: 100_000, screeningMicros: 0, budgetLeftMicros: 9e9 } },
      { enrichment_max_cost_usd: 200, max_cost_usd: 200, expected_cost_usd: 200 },
    ],
    [
      'and an overspent budget, or none, is nothing',
      { decision: { enrichmentMicros: 1, screeningMicros: 0, budgetLeftMicros: -1 } },
      { enrichment_max_cost_usd: 0 },
    ],
    [
      'of nothing is nothing',
      { unique: 0, sample: sampleOf(0, 0), quotaLeft: 0 },
      { cached: 0, to_verify: 0, fits: true, max_cost_usd: 0, cached_estimated: false },
    ],
  ];
  it.each(CASES)('%s', (_, change, expected) => expect(estimate({ ...INPUT, ...change })).toMatchObject(expected));

  it('never expects more than its maximum, and fits the contract', () => {
    const micros = fc.nat({ max: 50_000 });
    const input = fc
      .record({
        unique: fc.nat({ max: 100_000 }),
        share: fc.nat({ max: 2_000 }),
        priceMicros: fc.array(micros),
        ceilingMicros: micros,
        expectedMicros: fc.double({ min: 0, max: 5e4, noNaN: true }),
        settled: fc.record({ terminal: fc.nat(500), rule: fc.nat(500), recent: fc.nat(500), catch_all: fc.nat(500) }),
        providerLeftMicros: fc.option(fc.nat({ max: 1e9 })),
        decision: fc.option(
          fc.record({ enrichmentMicros: micros, screeningMicros: micros, budgetLeftMicros: fc.integer({ min: -1 }) }),
        ),
      })
      .map(({ share, expectedMicros, settled, ...rest }) => {
        const addresses = sampledNumbers(rest.unique).length;
        const sum = Object.values(settled).reduce((total, count) => total + count, 0);
        const sample = sampleOf(addresses, Math.min(share, addresses), {
          expectedMicros,
          settled: sum > addresses ? NOTHING_SETTLED : settled,
        });
        return { ...INPUT, ...rest, sample };
      });
    fc.assert(
      fc.property(input, (one) => {
        const found = estimate(one);
        expect(BulkEstimate.parse(found)).toEqual(found);
        expect(found.expected_cost_usd).toBeLessThanOrEqual(found.max_cost_usd);
        expect(found.enrichment_max_cost_usd).toBeLessThanOrEqual(found.max_cost_usd);
        expect(found.cached + found.to_verify).toBe(found.verifications);
        const unasked = Object.values(found.not_asked).reduce((sum, count) => sum + count, 0);
        // Each of the shares is rounded by itself.
        expect(unasked).toBeLessThanOrEqual(found.verifications + 3);
      }),
    );
  });
});

describe('addresses that no provider will be asked about', () => {
  const notAsked = (change: Partial<EstimateInput>) => estimate({ ...INPUT, ...change }).not_asked;
  const NONE = { terminal: 0, rule: 0, recent: 0, catch_all: 0, budget: 0, no_provider: 0 };
  const settled = { terminal: 100, rule: 10, recent: 200, catch_all: 40 };

  it('are counted by reason, scaled from the sample, and cost nothing', () => {
    const sample = sampleOf(2_000, 0, { settled, expectedMicros: 1_000 });
    expect(estimate({ ...INPUT, sample })).toMatchObject({
      not_asked: { ...NONE, terminal: 500, rule: 50, recent: 1_000, catch_all: 200 },
      expected_cost_usd: 8.25,
    });
  });

  it('are all of them without a provider', () => {
    expect(notAsked({ priceMicros: [] })).toEqual({ ...NONE, no_provider: 10_000 });
  });

  it.each([
    ['unlimited', null, 0],
    ['of as much as they cost', 20_000_000, 0],
    ['of a quarter', 5_000_000, 6_000],
    ['of nothing', 0, 8_500],
    ['that is overspent', -1, 8_500],
  ])('are those beyond the month’s budget: %s', (_, providerLeftMicros, atLeast) => {
    const { budget } = notAsked({
      providerLeftMicros,
      priceMicros: [2_000],
      sample: sampleOf(2_000, 0, { settled: { ...NOTHING_SETTLED, terminal: 300 } }),
    });
    expect(budget).toBe(atLeast);
  });
});

describe('the sample', () => {
  it('is at most 2,000 addresses of all parts of the file, each once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), (unique) => {
        const numbers = sampledNumbers(unique);
        expect(numbers).toHaveLength(Math.min(unique, 2_000));
        expect(new Set(numbers).size).toBe(numbers.length);
        const gaps = numbers.map((number, i) => (numbers[i + 1] ?? unique) - number);
        for (const gap of gaps) expect(gap).toBeLessThanOrEqual(Math.ceil(unique / 2_000));
        expect(numbers[0] ?? 0).toBe(0);
      }),
    );
  });
});
