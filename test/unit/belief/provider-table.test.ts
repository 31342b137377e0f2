import { describe, expect, it } from 'vitest';
import type { ServerAnswer } from '../../../src/domain/belief/prior-table.ts';
import { PROVIDER_IDS, type ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { PROVIDER_TABLE, totalOf, VERDICTS, type VerdictCounts } from '../../../src/domain/belief/provider-table.ts';

const ROWS = PROVIDER_IDS.flatMap((id) => [
  [`${id} at any host`, PROVIDER_TABLE[id].anyHost] as const,
  ...Object.entries(PROVIDER_TABLE[id].hosts).map(([host, rows]) => [`${id} at ${host}`, rows] as const),
]);

const rate = (row: VerdictCounts, verdict: ProviderVerdict): number =>
  (row[VERDICTS.indexOf(verdict)] ?? 0) / totalOf(row);

/** The verdict that matches each server's answer. */
const RIGHT = {
  accepts: 'deliverable',
  refuses: 'undeliverable',
  accepts_all: 'catch_all',
} as const satisfies Partial<Record<ServerAnswer, ProviderVerdict>>;

describe('the provider table', () => {
  it.each(ROWS)('%s counts no row for more than 40 observations, and no verdict for impossible', (_name, rows) => {
    for (const row of Object.values(rows)) {
      expect(Math.min(...row)).toBeGreaterThan(0);
      expect(totalOf(row)).toBeLessThanOrEqual(40);
    }
  });

  it.each(ROWS)('%s tells what the server said rather than anything else that is not `unknown`', (_name, rows) => {
    for (const [answer, right] of Object.entries(RIGHT) as [keyof typeof RIGHT, ProviderVerdict][]) {
      for (const verdict of VERDICTS) {
        if (verdict === right || verdict === 'unknown') continue;
        expect(rate(rows[answer], right)).toBeGreaterThan(rate(rows[answer], verdict));
        // Each verdict is most likely under its own answer.
        expect(rate(rows[answer], right)).toBeGreaterThan(rate(rows.inconclusive, right));
      }
    }
  });

  it.each(ROWS)('%s is most often silent where the server is', (_name, rows) => {
    const silent = rate(rows.inconclusive, 'unknown');
    for (const answer of ['accepts', 'refuses', 'accepts_all'] as const)
      expect(silent).toBeGreaterThanOrEqual(rate(rows[answer], 'unknown'));
  });

  it.each(PROVIDER_IDS)('%s is better at no host class than over all hosts', (id) => {
    const { anyHost, hosts } = PROVIDER_TABLE[id];
    for (const rows of Object.values(hosts)) {
      for (const [answer, right] of Object.entries(RIGHT) as [keyof typeof RIGHT, ProviderVerdict][])
        expect(rate(rows[answer], right)).toBeLessThanOrEqual(rate(anyHost[answer], right));
    }
  });

  // 20 observations: 10 in 100 unknown; of the rest 1 in 100 refused (biz-genius), 2 catch-all, 1.5 risky.
  it('has the row of ZeroBounce where the server accepts as the figures say', () => {
    const [deliverable, undeliverable, catchAll, risky, unknown] = PROVIDER_TABLE.zerobounce.anyHost.accepts;
    expect(unknown).toBeCloseTo(2, 12);
    expect(undeliverable).toBeCloseTo(18 * 0.01, 12);
    expect(catchAll).toBeCloseTo(18 * 0.02, 12);
    expect(risky).toBeCloseTo(18 * 0.015, 12);
    expect(deliverable).toBeCloseTo(18 * 0.955, 12);
  });
});
