import { describe, expect, it } from 'vitest';
import { usd } from '../../src/domain/metering/usage.ts';
import { accountsAt } from '../../test/support/vendors/accounts.ts';
import { together, unaccounted, virtualRows } from '../spending-limits/figures.ts';
import type { Outcome } from '../spending-limits/outcome.ts';
import { simulate } from '../spending-limits/simulation.ts';

const REQUESTS = 400;
const MARGIN_MS = 100;

const billedOver = (outcomes: readonly Outcome[]) =>
  outcomes.filter(({ billedMicros, maxCostUsd }) => usd(billedMicros) > maxCostUsd);

describe.each([
  { seed: 11, factor: 1 },
  { seed: 12, factor: 0.2 },
  { seed: 13, factor: 0.05 },
])('before failing vendors at $factor of their prices', ({ seed, factor }) => {
  it('no request is billed over its limit or answered late, and its answer and trace account for what was billed', async () => {
    const { outcomes, calls } = await simulate(seed, REQUESTS, accountsAt(factor));
    expect(billedOver(outcomes)).toEqual([]);
    expect(outcomes.filter(({ wallMs, maxLatencyMs }) => wallMs > maxLatencyMs + MARGIN_MS)).toEqual([]);
    expect(outcomes.filter(({ claimedMicros, billedMicros }) => claimedMicros > billedMicros)).toEqual([]);
    expect(unaccounted(outcomes)).toEqual([]);
    const most = ({ claimedMicros, owedMicros }: Outcome) => usd(claimedMicros + (owedMicros ?? 0));
    expect(outcomes.filter((outcome) => most(outcome) > outcome.maxCostUsd)).toEqual([]);
    // The limits were put to the test: money was spent up to them, and time.
    expect(calls).toBeGreaterThan(REQUESTS / 10);
    expect(
      outcomes.some(({ billedMicros, maxCostUsd }) => billedMicros > 0 && usd(billedMicros) >= maxCostUsd / 2),
    ).toBe(true);
    expect(outcomes.some(({ wallMs, maxLatencyMs }) => wallMs > 100 && wallMs > maxLatencyMs - 20)).toBe(true);
  });
});

describe('a simulation', () => {
  it('is the same from the same seed', async () => {
    const [one, other] = [await simulate(5, 100, accountsAt(1)), await simulate(5, 100, accountsAt(1))];
    expect(other).toEqual(one);
  });

  it('shows it when vendors charge more than the service was told', async () => {
    const { outcomes } = await simulate(11, REQUESTS, accountsAt(0.2), accountsAt(0.4));
    expect(billedOver(outcomes)).not.toEqual([]);
  });
});

describe('the figures', () => {
  const outcome: Outcome = {
    maxCostUsd: 0.01,
    billedMicros: 8e3,
    claimedMicros: 4e3,
    owedMicros: 4e3,
    maxLatencyMs: 500,
    wallMs: 510,
    latencyMs: 490,
    degraded: false,
  };
  const valuesOf = (outcomes: readonly Outcome[]) =>
    Object.fromEntries(
      virtualRows(together([{ outcomes, calls: 1, bareMs: [] }])).map(({ name, value }) => [name, value]),
    );

  it('are the worst of all requests', () => {
    const values = valuesOf([outcome, { ...outcome, billedMicros: 10_001 }, { ...outcome, wallMs: 650 }]);
    expect(values['most billed over max_cost_usd']).toBeCloseTo(1e-6, 12);
    expect(values['requests billed over max_cost_usd']).toBe(1);
    expect(values['billed beyond cost_usd and may_cost_usd']).toBe(1);
    expect(values['longest over max_latency_ms']).toBe(150);
    expect(values['of it in cost_usd']).toBeCloseTo(12_000 / 26_001, 12);
  });

  it('count what was left below a limit as less than nothing', () => {
    expect(valuesOf([outcome])['most billed over max_cost_usd']).toBeCloseTo(-0.002, 12);
  });
});
