import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Purpose } from '../../../src/contract/vocabulary.ts';
import { expectedSpend } from '../../../src/domain/verification/expected-spend.ts';
import { PROVIDER_IDS } from '../../../src/domain/verification/provider.ts';
import { type RouteInput, route } from '../../../src/domain/verification/router.ts';
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
