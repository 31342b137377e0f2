import { describe, expect, it } from 'vitest';
import { usd } from '../../src/domain/metering/usage.ts';
import { accountsAt } from '../../test/support/vendors/accounts.ts';
import { together, unaccounted, virtualRows } from '../spending-limits/figures.ts';
import type { ServedRequest } from '../spending-limits/served-request.ts';
import { simulate } from '../spending-limits/simulation.ts';

const REQUESTS = 400;
const MARGIN_MS = 100;

const billedOver = (served: readonly ServedRequest[]) =>
  served.filter(({ billedMicros, maxCostUsd }) => usd(billedMicros) > maxCostUsd);

describe.each([
  { seed: 11, factor: 1 },
  { seed: 12, factor: 0.2 },
  { seed: 13, factor: 0.05 },
])('before failing vendors at $factor of their prices', ({ seed, factor }) => {
  it('no request is billed over its limit or answered late, and its answer and trace account for what was billed', async () => {
    const { served, calls } = await simulate(seed, REQUESTS, accountsAt(factor));
    expect(billedOver(served)).toEqual([]);
    expect(served.filter(({ wallMs, maxLatencyMs }) => wallMs > maxLatencyMs + MARGIN_MS)).toEqual([]);
    expect(served.filter(({ claimedMicros, billedMicros }) => claimedMicros > billedMicros)).toEqual([]);
    expect(unaccounted(served)).toEqual([]);
    const most = ({ claimedMicros, owedMicros }: ServedRequest) => usd(claimedMicros + (owedMicros ?? 0));
    expect(served.filter((request) => most(request) > request.maxCostUsd)).toEqual([]);
    // The limits were exercised: money and time were spent up to them.
    expect(calls).toBeGreaterThan(REQUESTS / 10);
    expect(served.some(({ billedMicros, maxCostUsd }) => billedMicros > 0 && usd(billedMicros) >= maxCostUsd / 2)).toBe(
      true,
    );
    expect(served.some(({ wallMs, maxLatencyMs }) => wallMs > 100 && wallMs > maxLatencyMs - 20)).toBe(true);
  });
});

describe('a simulation', () => {
  it('is the same from the same seed', async () => {
    const [one, other] = [await simulate(5, 100, accountsAt(1)), await simulate(5, 100, accountsAt(1))];
    expect(other).toEqual(one);
  });

  it('shows it when vendors charge more than the configured price', async () => {
    const { served } = await simulate(11, REQUESTS, accountsAt(0.2), accountsAt(0.4));
    expect(billedOver(served)).not.toEqual([]);
  });
});

describe('the figures', () => {
  const request: ServedRequest = {
    maxCostUsd: 0.01,
    billedMicros: 8e3,
    claimedMicros: 4e3,
    owedMicros: 4e3,
    maxLatencyMs: 500,
    wallMs: 510,
    latencyMs: 490,
    degraded: false,
  };
  const valuesOf = (served: readonly ServedRequest[]) =>
    Object.fromEntries(
      virtualRows(together([{ served, calls: 1, bareMs: [] }])).map(({ name, value }) => [name, value]),
    );

  it('are the worst of all requests', () => {
    const values = valuesOf([request, { ...request, billedMicros: 10_001 }, { ...request, wallMs: 650 }]);
    expect(values['most billed over max_cost_usd']).toBeCloseTo(1e-6, 12);
    expect(values['requests billed over max_cost_usd']).toBe(1);
    expect(values['billed beyond cost_usd and may_cost_usd']).toBe(1);
    expect(values['longest over max_latency_ms']).toBe(150);
    expect(values['of it in cost_usd']).toBeCloseTo(12_000 / 26_001, 12);
  });

  it('count what was left below a limit as less than nothing', () => {
    expect(valuesOf([request])['most billed over max_cost_usd']).toBeCloseTo(-0.002, 12);
  });
});
