import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Purpose } from '../../../src/contract/vocabulary.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { expectedSpend } from '../../../src/domain/router/expected-spend.ts';
import { type RouteInput, route } from '../../../src/domain/router/router.ts';
import { inputOf } from '../../support/any-belief.ts';
import { askable, INPUT as FIRST_STEP, HOSTS, PLENTY, stakesFor } from './route-input.ts';

const INPUT: RouteInput = { ...FIRST_STEP, left: { costMicros: 20_000, timeMs: 3_500 } };

describe('the expected spend on an address', () => {
  it('is nothing where the router would not ask: of a company that accepts every recipient, or one too dear', () => {
    const spend = (host: RouteInput['host'], priceMicros: number) =>
      expectedSpend({ ...INPUT, ...inputOf({ host }), left: PLENTY, providers: [askable('zerobounce', priceMicros)] });
    expect(spend('barracuda_business', 25_000)).toBe(0);
    expect(spend('google_business', 110_000)).toBe(0);
    expect(spend('google_business', 25_000)).toBeCloseTo(25_000, -4);
  });

  it('counts, for a row of a file that nothing settles, one provider whatever it costs, and nothing for one that is settled', () => {
    const row = { ...INPUT, isFile: true, stakes: stakesFor('list_hygiene'), left: PLENTY };
    const providers = [askable('neverbounce', 150_000)];
    for (const host of HOSTS)
      expect(expectedSpend({ ...row, ...inputOf({ host, purpose: 'list_hygiene' }), providers })).toBeCloseTo(
        150_000,
        3,
      );
    expect(expectedSpend({ ...row, isCatchAll: true, providers })).toBe(0);
    expect(expectedSpend({ ...row, isRuled: true, providers })).toBe(0);
  });

  it('counts, for a row of a file, a second provider where the first leaves it worth its price', () => {
    const row = { ...INPUT, isFile: true, stakes: stakesFor('list_hygiene'), ...inputOf({ purpose: 'list_hygiene' }) };
    const providers = [askable('neverbounce', 3_000), askable('bouncer', 3_000)];
    expect(expectedSpend({ ...row, providers })).toBeGreaterThan(3_100);
  });

  it('is the price of the only provider where that bills every answer, and less where it does not', () => {
    expect(expectedSpend({ ...INPUT, providers: [askable('neverbounce', 400)] })).toBeCloseTo(400, 6);
    const kickbox = expectedSpend({ ...INPUT, providers: [askable('kickbox', 400)] });
    expect(kickbox).toBeLessThan(400);
    expect(kickbox).toBeGreaterThan(200);
  });

  it('follows a first answer that leaves a second worth its price', () => {
    const providers = [askable('neverbounce', 8_000), askable('bouncer', 8_000)];
    const spend = expectedSpend({ ...INPUT, providers });
    expect(spend).toBeGreaterThan(8_000);
    expect(spend).toBeLessThan(16_000);
  });

  it('is less where a provider charges nothing for `unknown`', () => {
    for (const host of ['google_business', 'unknown_business', 'google_consumer'] as const) {
      const spend = (billsUnknown: boolean) =>
        expectedSpend({ ...INPUT, host, providers: [{ ...askable('kickbox', 400), billsUnknown }] });
      expect(spend(true)).toBeCloseTo(400, 6);
      // At the clearest of them more than one answer of four hundred is `unknown`.
      expect(spend(false)).toBeLessThan(399);
    }
  });

  it('is within the ceiling: a second provider that the first leaves no money for is not counted', () => {
    const providers = [askable('neverbounce', 3_000), askable('bouncer', 3_000)];
    const spend = (costMicros: number) => expectedSpend({ ...INPUT, providers, left: { ...INPUT.left, costMicros } });
    expect(spend(5_999)).toBeCloseTo(3_000, 6);
    expect(spend(6_000)).toBeGreaterThan(3_001);
  });

  it('counts no provider twice, nor one that was asked before', () => {
    const providers = [askable('neverbounce', 400), askable('bouncer', 400)];
    expect(expectedSpend({ ...INPUT, providers })).toBeLessThanOrEqual(800 + 1e-6);
    const asked = new Set(['bouncer'] as const);
    expect(expectedSpend({ ...INPUT, providers, asked })).toBeCloseTo(400, 6);
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
    expect(expectedSpend({ ...INPUT, providers })).toBeGreaterThan(2);
  });

  it('is at most what all providers cost, and above zero where the router asks', () => {
    const input = fc.record({
      host: fc.constantFrom(...HOSTS),
      stakes: fc.constantFrom(...Purpose.options).map(stakesFor),
      providers: fc
        .uniqueArray(fc.constantFrom(...PROVIDER_IDS), { maxLength: 3 })
        .chain((ids) => fc.tuple(...ids.map((id) => fc.integer({ min: 1, max: 15_000 }).map((n) => askable(id, n))))),
    });
    fc.assert(
      fc.property(input, (some) => {
        const given: RouteInput = { ...INPUT, ...some };
        const spend = expectedSpend(given);
        const most = given.providers.reduce((sum, { priceMicros }) => sum + priceMicros, 0);
        expect(spend).toBeLessThanOrEqual(most * (1 + 1e-9));
        expect(spend > 0).toBe(route(given).choice !== 'stop');
      }),
      { numRuns: 200 },
    );
  });
});
