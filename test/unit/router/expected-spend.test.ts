import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Purpose } from '../../../src/contract/vocabulary.ts';
import { expectedSpend } from '../../../src/domain/router/expected-spend.ts';
import { strangerState } from '../../../src/domain/verification/first-state.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { type RouteInput, route } from '../../../src/domain/router/router.ts';
import { askable, INPUT as FIRST_STEP, HOSTS, stakesFor } from './route-input.ts';

const INPUT: RouteInput = { ...FIRST_STEP, left: { costMicros: 20_000, timeMs: 3_500 } };

describe('the expected spend on an address', () => {
  it('is nothing where the router would not ask: a provider at 2.5 cents about a row of a file', () => {
    const providers = [askable('zerobounce', 25_000)];
    const stakes = stakesFor('list_hygiene');
    const left = { ...INPUT.left, costMicros: 25_000 };
    for (const host of HOSTS) expect(expectedSpend({ ...INPUT, left, host, providers, stakes }, 1)).toBe(0);
  });

  it('is the price of the only provider where that bills every answer, and less where it does not', () => {
    expect(expectedSpend({ ...INPUT, providers: [askable('neverbounce', 400)] }, 1)).toBeCloseTo(400, 6);
    const kickbox = expectedSpend({ ...INPUT, providers: [askable('kickbox', 400)] }, 1);
    expect(kickbox).toBeLessThan(400);
    expect(kickbox).toBeGreaterThan(200);
  });

  it('follows a first answer that leaves a second worth its price', () => {
    const providers = [askable('neverbounce', 3_000), askable('bouncer', 3_000)];
    const spend = expectedSpend({ ...INPUT, providers }, 1);
    expect(spend).toBeGreaterThan(3_000);
    expect(spend).toBeLessThan(6_000);
  });

  it('is less where a provider charges nothing for `unknown`', () => {
    for (const host of ['google_business', 'unknown_business', 'google_consumer'] as const) {
      const spend = (billsUnknown: boolean) =>
        expectedSpend({ ...INPUT, host, providers: [{ ...askable('kickbox', 400), billsUnknown }] }, 1);
      expect(spend(true)).toBeCloseTo(400, 6);
      // At the clearest of them more than one answer of four hundred is `unknown`.
      expect(spend(false)).toBeLessThan(399);
    }
  });

  it('is within the ceiling: a second provider that the first leaves no money for is not counted', () => {
    const providers = [askable('neverbounce', 3_000), askable('bouncer', 3_000)];
    const spend = (costMicros: number) =>
      expectedSpend({ ...INPUT, providers, left: { ...INPUT.left, costMicros } }, 1);
    expect(spend(5_999)).toBeCloseTo(3_000, 6);
    expect(spend(6_000)).toBeGreaterThan(3_001);
  });

  it('counts no provider twice, nor one that was asked before', () => {
    const providers = [askable('neverbounce', 400), askable('bouncer', 400)];
    expect(expectedSpend({ ...INPUT, providers }, 1)).toBeLessThanOrEqual(800 + 1e-6);
    const asked = new Set(['bouncer'] as const);
    expect(expectedSpend({ ...INPUT, providers, asked }, 1)).toBeCloseTo(400, 6);
  });

  it('follows no answers that hardly ever come: over five providers it takes few of all steps there are', () => {
    let steps = 0;
    const providers = PROVIDER_IDS.slice(0, 5).map((id) => {
      const { health, ...rest } = askable(id, 1);
      const counted = () => {
        steps += 1;
        // All would be 90,000.
        if (steps > 30_000) throw new Error('too many steps');
        return health;
      };
      return Object.defineProperty({ ...rest, health }, 'health', { get: counted });
    });
    expect(expectedSpend({ ...INPUT, providers }, 1)).toBeGreaterThan(2);
  });

  describe('of several addresses at one domain', () => {
    const at = (host: RouteInput['host']) => (addresses: number) =>
      expectedSpend(
        {
          ...INPUT,
          host,
          first: strangerState(INPUT.model, host, INPUT.stakes.purpose, INPUT.now),
          providers: [askable('neverbounce', 400)],
        },
        addresses,
      );

    it('falls with their number at a company’s, where the first answer settles some of the others', () => {
      const mean = at('google_business');
      expect(mean(2)).toBeLessThan(0.95 * mean(1));
      expect(mean(1_000)).toBeLessThan(mean(2));
      expect(mean(1_000)).toBeGreaterThan(mean(1) / 2);
    });

    it('stays the same at a domain of many people, where one answer says little of the others', () => {
      const mean = at('google_consumer');
      for (const addresses of [2, 1_000]) expect(mean(addresses)).toBeCloseTo(mean(1), 6);
    });

    it('grows by as much for every further address', () => {
      const mean = at('google_business');
      const further = 2 * mean(2) - mean(1);
      for (const addresses of [3, 10, 1_000])
        expect(addresses * mean(addresses)).toBeCloseTo(mean(1) + (addresses - 1) * further, 6);
    });

    it('is that of one where there is less than one', () => {
      const mean = at('google_business');
      expect(mean(0)).toBe(mean(1));
      expect(mean(0.5)).toBe(mean(1));
    });
  });

  it('is at most what all providers cost, and above zero where the router asks, however many share a domain', () => {
    const input = fc.record({
      host: fc.constantFrom(...HOSTS),
      stakes: fc.constantFrom(...Purpose.options).map(stakesFor),
      providers: fc
        .uniqueArray(fc.constantFrom(...PROVIDER_IDS), { maxLength: 3 })
        .chain((ids) => fc.tuple(...ids.map((id) => fc.integer({ min: 1, max: 15_000 }).map((n) => askable(id, n))))),
    });
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 1_000 }), (some, addresses) => {
        const given: RouteInput = { ...INPUT, ...some };
        const spend = expectedSpend(given, addresses);
        const most = given.providers.reduce((sum, { priceMicros }) => sum + priceMicros, 0);
        expect(spend).toBeLessThanOrEqual(most * (1 + 1e-9));
        expect(spend > 0).toBe(route(given).choice !== 'stop');
      }),
      { numRuns: 200 },
    );
  });
});
