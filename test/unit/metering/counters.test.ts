import { describe, expect, it } from 'vitest';
import { addTotals, reportProviders } from '../../../src/domain/metering/counter-totals.ts';

const total = (count: number, sum: number, max: number) => ({ count, sum, max });

describe('addTotals', () => {
  it('adds counts and sums, and keeps the largest', () => {
    expect(addTotals({ a: total(1, 5, 5), b: total(1, 1, 1) }, { a: total(2, 7, 6), c: total(1, 0, 0) })).toEqual({
      a: total(3, 12, 6),
      b: total(1, 1, 1),
      c: total(1, 0, 0),
    });
  });
});

describe('reportProviders', () => {
  it.each([
    ['nothing was counted', {}, []],
    ['other counters', { 'object_ms:authorize': total(3, 9, 4) }, []],
    [
      'answers and several kinds of failure',
      {
        'provider_ms:hunter': total(3, 300, 200),
        'provider_failed:hunter:timeout': total(1, 1, 1),
        'provider_failed:hunter:rate_limited': total(2, 2, 1),
        'provider_spend_micros:hunter': total(3, 30, 10),
      },
      [{ provider: 'hunter', calls: 6, failed: 3, meanMs: 100, maxMs: 200 }],
    ],
    [
      'several providers, in order of their names',
      {
        'provider_ms:kickbox': total(1, 5, 5),
        'provider_ms:bouncer': total(1, 7, 7),
        'provider_failed:hunter:timeout': total(1, 1, 1),
        'provider_failed:abstract:timeout': total(1, 1, 1),
      },
      [
        { provider: 'abstract', calls: 1, failed: 1, meanMs: null, maxMs: null },
        { provider: 'bouncer', calls: 1, failed: 0, meanMs: 7, maxMs: 7 },
        { provider: 'hunter', calls: 1, failed: 1, meanMs: null, maxMs: null },
        { provider: 'kickbox', calls: 1, failed: 0, meanMs: 5, maxMs: 5 },
      ],
    ],
    [
      'failures alone',
      { 'provider_failed:kickbox:timeout': total(2, 2, 1) },
      [{ provider: 'kickbox', calls: 2, failed: 2, meanMs: null, maxMs: null }],
    ],
  ])('%s', (_, counters, report) => {
    expect(reportProviders(counters)).toEqual(report);
  });
});
