import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chargedQuota,
  DEFAULT_LIMITS,
  emptyUsage,
  type Limits,
  METERS,
  micros,
  monthBounds,
  monthBudgets,
  screeningQuota,
  type Usage,
  usd,
  utcMonth,
  vendorSpendUsd,
  verificationQuota,
} from '../../../src/domain/metering/usage.ts';

const usageOf = (calls: Partial<Usage['calls']>): Usage => {
  const empty = emptyUsage('2026-11');
  return { ...empty, calls: { ...empty.calls, ...calls } };
};
const limitsOf = (change: Partial<Limits>): Limits => ({ ...DEFAULT_LIMITS, ...change });

describe('verificationQuota', () => {
  it('counts verify, decide and bulk, and nothing else', () => {
    const usage = usageOf({ verify: 1, decide: 20, bulk: 300, check: 4_000, screen: 50_000 });
    expect(verificationQuota(usage, DEFAULT_LIMITS)).toEqual({
      limit: 50_000,
      used: 321,
      remaining: 49_679,
      unmetered: false,
    });
  });

  it.each([
    ['some left', 10, 4, { limit: 10, used: 4, remaining: 6, unmetered: false }],
    ['spent', 10, 10, { limit: 10, used: 10, remaining: 0, unmetered: false }],
    ['lowered below what is used', 10, 25, { limit: 10, used: 25, remaining: 0, unmetered: false }],
    ['0: unmetered', 0, 25, { limit: 0, used: 25, remaining: null, unmetered: true }],
    ['less than 0: unmetered', -1, 25, { limit: -1, used: 25, remaining: null, unmetered: true }],
  ])('%s', (_, limit, used, quota) => {
    expect(verificationQuota(usageOf({ verify: used }), limitsOf({ verificationQuota: limit }))).toEqual(quota);
    expect(screeningQuota(usageOf({ screen: used }), limitsOf({ screeningAllowance: limit }))).toEqual(quota);
  });

  it('never reports less than zero left', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(), (limit, used) => {
        const { remaining, unmetered } = verificationQuota(
          usageOf({ bulk: used }),
          limitsOf({ verificationQuota: limit }),
        );
        expect(unmetered).toBe(remaining === null);
        expect(remaining ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('chargedQuota', () => {
  const limits = limitsOf({ verificationQuota: 100, screeningAllowance: 7 });
  it.each([
    ['verify', 100],
    ['decide', 100],
    ['bulk', 100],
    ['screen', 7],
    ['check', null],
  ] as const)('charges %s to the quota of %s', (meter, limit) => {
    expect(chargedQuota(meter, emptyUsage('2026-11'), limits)?.limit ?? null).toBe(limit);
  });

  it('counts every meter', () => {
    expect(METERS).toEqual(['verify', 'check', 'screen', 'decide', 'bulk']);
  });
});

describe('a month', () => {
  it.each([
    ['the first instant of a year', Date.UTC(2027, 0, 1), '2027-01'],
    ['the last millisecond before it', Date.UTC(2027, 0, 1) - 1, '2026-12'],
    ['a leap day', Date.UTC(2028, 1, 29, 23, 59, 59), '2028-02'],
  ])('is UTC: %s', (_, ms, month) => {
    expect(utcMonth(ms)).toBe(month);
  });

  it.each([
    ['2026-12', Date.UTC(2026, 11, 1), Date.UTC(2027, 0, 1)],
    ['2028-02', Date.UTC(2028, 1, 1), Date.UTC(2028, 2, 1)],
  ])('%s reaches to the first instant of the next', (month, fromMs, toMs) => {
    expect(monthBounds(month)).toEqual({ fromMs, toMs });
  });

  it('holds every one of its instants, and sorts as text as months do', () => {
    const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });
    fc.assert(
      fc.property(instant, instant, (a, b) => {
        const { fromMs, toMs } = monthBounds(utcMonth(a));
        expect(fromMs <= a && a < toMs).toBe(true);
        if (utcMonth(a) < utcMonth(b)) expect(a).toBeLessThan(b);
      }),
    );
  });
});

describe('money', () => {
  it.each([
    [0, 0],
    [0.02, 20_000],
    [0.0000005, 1],
    [25, 25_000_000],
    [0.1 + 0.2, 300_000],
  ])('%d dollars are %i micros', (dollars, whole) => {
    expect(micros(dollars)).toBe(whole);
  });

  it('has at most six decimals in dollars, and comes back whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (whole) => {
        expect(micros(usd(whole))).toBe(whole);
        expect(String(usd(whole))).toMatch(/^\d+(\.\d{1,6})?$|^\d(\.\d+)?e-6$/);
      }),
    );
  });
});

describe('what the month has cost', () => {
  const usage: Usage = {
    ...emptyUsage('2026-11'),
    spendMicros: 1_500_000,
    providerMicros: 1_500_000,
    enrichmentMicros: 250_000,
  };
  const limits: Limits = { ...DEFAULT_LIMITS, enrichmentBudgetMicros: 25_000_000 };

  it('is the sum of all vendors, in dollars', () => {
    expect(vendorSpendUsd(usage)).toBe(1.75);
  });

  it.each([
    ['unlimited', null, null],
    ['spent by all but a cent', 1_510_000, 1.51],
    ['nothing', 0, 0],
  ])('stands beside its budgets: of providers %s', (_, providerBudgetMicros, limit_usd) => {
    expect(monthBudgets(usage, { ...limits, providerBudgetMicros })).toEqual({
      providers: { limit_usd, used_usd: 1.5 },
      enrichment: { limit_usd: 25, used_usd: 0.25 },
    });
  });
});
