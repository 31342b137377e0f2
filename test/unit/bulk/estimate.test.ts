import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BulkEstimate } from '../../../src/contract/bulk.ts';
import { type EstimateInput, estimate, sampledNumbers } from '../../../src/domain/bulk/estimate.ts';

const INPUT: EstimateInput = {
  unique: 10_000,
  begun: 0,
  skipped: 7,
  quotaLeft: 50_000,
  sample: { addresses: 2_000, cached: 500 },
  priceMicros: [8_000, 3_000],
  ceilingMicros: 20_000,
  expectedMicros: 2_000,
  decision: null,
  providerLeftMicros: null,
  unasked: null,
};

describe('an estimate', () => {
  it('says that nothing is scaled where nothing is left', () => {
    const sample = { addresses: 500, cached: 100 };
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
      no_provider_reason: null,
    });
  });

  const CASES: readonly (readonly [string, Partial<EstimateInput>, Partial<BulkEstimate>])[] = [
    [
      'counts a small file out',
      { unique: 400, sample: { addresses: 400, cached: 399 } },
      { cached: 399, to_verify: 1, cached_estimated: false },
    ],
    [
      'scales the whole file’s share for what is left of it, and says so',
      { unique: 100, begun: 300, sample: { addresses: 400, cached: 200 } },
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
      { unique: 0, sample: { addresses: 0, cached: 0 }, quotaLeft: 0 },
      { cached: 0, to_verify: 0, fits: true, max_cost_usd: 0, cached_estimated: false },
    ],
  ];
  it.each(CASES)('%s', (_, change, expected) => expect(estimate({ ...INPUT, ...change })).toMatchObject(expected));

  it('expects no more than the most, and is a body of the contract', () => {
    const micros = fc.nat({ max: 50_000 });
    const input = fc
      .record({
        unique: fc.nat({ max: 100_000 }),
        share: fc.nat({ max: 2_000 }),
        priceMicros: fc.array(micros),
        ceilingMicros: micros,
        expectedMicros: fc.double({ min: 0, max: 5e4, noNaN: true }),
        decision: fc.option(
          fc.record({ enrichmentMicros: micros, screeningMicros: micros, budgetLeftMicros: fc.integer({ min: -1 }) }),
        ),
      })
      .map(({ share, ...rest }) => {
        const addresses = sampledNumbers(rest.unique).length;
        return { ...INPUT, ...rest, sample: { addresses, cached: Math.min(share, addresses) } };
      });
    fc.assert(
      fc.property(input, (one) => {
        const found = estimate(one);
        expect(BulkEstimate.parse(found)).toEqual(found);
        expect(found.expected_cost_usd).toBeLessThanOrEqual(found.max_cost_usd);
        expect(found.enrichment_max_cost_usd).toBeLessThanOrEqual(found.max_cost_usd);
        expect(found.cached + found.to_verify).toBe(found.verifications);
      }),
    );
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
