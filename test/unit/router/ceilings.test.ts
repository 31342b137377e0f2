import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Purpose } from '../../../src/contract/vocabulary.ts';
import type { Answer } from '../../../src/domain/belief/facts.ts';
import type { HostClass } from '../../../src/domain/belief/host-class.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../../src/domain/belief/provider-table.ts';
import { type Call, costLeft, route } from '../../../src/domain/router/router.ts';
import { BILLS_UNKNOWN, ProviderHealthTracker } from '../../../src/domain/router/provider-health.ts';
import { preparedFor } from './prepared.ts';
import { askProviders } from '../../../src/services/verification/ask-providers.ts';
import { baselineWith } from '../../support/beliefs.ts';
import { INPUT, stakesFor } from './route-input.ts';
import { type Script, scriptedAll, type VendorCall } from './scripted-provider.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

// At these hosts an answer is worth its price, so the ceilings decide rather than the router.
const anyHost = fc.constantFrom<HostClass>('google_business', 'microsoft_business', 'unknown_business');
const anyPurpose = fc.constantFrom<Purpose[]>('outbound', 'outbound', 'signup', 'signup', 'list_hygiene');
const anyPrice = fc.oneof(fc.nat(8_000), fc.nat(3_000));
const anyCeilingUsd = fc.oneof(
  fc.double({ min: 0, max: 0.03, noNaN: true }),
  fc.double({ min: 0.002, max: 0.01, noNaN: true }),
);

/** Share of a property's runs that exercised the case: a property that never does shows nothing. */
class Seen {
  private runs = 0;
  private readonly times = new Map<string, number>();
  run(what: Readonly<Record<string, boolean>>): void {
    this.runs += 1;
    for (const [name, happened] of Object.entries(what))
      this.times.set(name, (this.times.get(name) ?? 0) + Number(happened));
  }
  share(name: string): number {
    return (this.times.get(name) ?? 0) / this.runs;
  }
}

describe('a request keeps to its ceilings', () => {
  const anyScript: fc.Arbitrary<Script> = fc.record({
    ms: fc.oneof(fc.nat(1_000), fc.nat(8_000)),
    says: fc.constantFrom<Script['says'][]>(
      ...(['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'] as const),
      ...(['server_error', 'malformed', 'unreachable', 'hangs', 'hangs'] as const),
    ),
    priceMicros: anyPrice,
    billsAll: fc.boolean(),
  });
  const anyVendors = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...PROVIDER_IDS), anyScript), {
      selector: ([id]) => id,
      minLength: 3,
      maxLength: PROVIDER_IDS.length,
    })
    .map((entries): Partial<Record<ProviderId, Script>> => Object.fromEntries(entries));
  const anyRequest = fc.record({
    host: anyHost,
    stakes: anyPurpose.map(stakesFor),
    maxCostUsd: anyCeilingUsd,
    deadlineMs: fc.integer({ min: 2_000, max: 12_000 }),
  });
  const anyWontMs = fc.integer({ min: 100, max: 1_500 });

  it('whatever the vendors do and bill in the end', async () => {
    const seen = new Seen();
    await fc.assert(
      fc.asyncProperty(anyVendors, anyRequest, anyWontMs, async (scripts, request, wontMs) => {
        vi.setSystemTime(0);
        const health = new ProviderHealthTracker();
        for (const id of PROVIDER_IDS) for (let i = 0; i < 20; i += 1) health.note(id, wontMs, null, 0);
        const calls: VendorCall[] = [];
        const deps = {
          providers: scriptedAll(scripts, calls),
          health,
          now: () => Date.now(),
          counters: { add: () => undefined },
        };
        let endedAt = -1;
        const running = askProviders(deps, preparedFor(request), async () => 'refused').finally(() => {
          endedAt = Date.now();
        });
        await vi.runAllTimersAsync();
        const { results, failures, spendMicros } = await running;

        const billed = calls.reduce((sum, { billedMicros }) => sum + billedMicros, 0);
        const owed = failures.reduce((sum, { owedMicros }) => sum + owedMicros, 0);
        expect(billed / 1e6).toBeLessThanOrEqual(request.maxCostUsd);
        expect(billed).toBeLessThanOrEqual(spendMicros + owed);
        expect(endedAt).toBeLessThanOrEqual(request.deadlineMs);
        // A vendor is told how long it has, so that it gives up in time and says what it knows.
        for (const { atMs, timeoutMs } of calls) expect(atMs + timeoutMs).toBe(request.deadlineMs);
        expect(calls).toHaveLength(results.length + failures.length);
        expect(new Set(calls.map(({ provider }) => provider)).size).toBe(calls.length);
        const [cheapest = 0] = Object.entries(scripts)
          .filter(([id]) => calls.every(({ provider }) => provider !== id))
          .map(([, { priceMicros = 0 }]) => priceMicros)
          .toSorted((one, other) => one - other);
        seen.run({
          asked: calls.length > 0,
          several: calls.length > 1,
          givenUp: failures.some(({ kind }) => kind === 'abandoned'),
          // The budget, rather than an answer's worth, may have excluded the next one.
          spent: calls.length > 0 && billed + cheapest > request.maxCostUsd * 1e6,
          late: endedAt === request.deadlineMs,
        });
      }),
      { numRuns: 500 },
    );
    expect(seen.share('asked')).toBeGreaterThan(0.4);
    expect(seen.share('several')).toBeGreaterThan(0.2);
    expect(seen.share('givenUp')).toBeGreaterThan(0.1);
    expect(seen.share('spent')).toBeGreaterThan(0.1);
    expect(seen.share('late')).toBeGreaterThan(0.05);
  });
});

describe('the router keeps to the cost ceiling', () => {
  const anyProviders = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...PROVIDER_IDS),
      priceMicros: anyPrice,
      failureRate: fc.double({ min: 0, max: 0.3, noNaN: true }),
    }),
    { selector: ({ id }) => id, minLength: 3, maxLength: PROVIDER_IDS.length },
  );
  /** `free`: an answer or a failure the vendor lets go; `out`: no answer yet, billed in the end. */
  const anyFate = fc.constantFrom('billed', 'billed', 'free', 'failed', 'out', 'out');

  it('when every call that may be billed is', () => {
    const seen = new Seen();
    fc.assert(
      fc.property(
        anyProviders,
        anyHost,
        anyPurpose,
        anyCeilingUsd,
        fc.array(fc.tuple(anyFate, fc.constantFrom(...VERDICTS)), { minLength: 7, maxLength: 7 }),
        (drawn, host, purpose, ceilingUsd, fates) => {
          const providers = drawn.map(({ id, priceMicros, failureRate }) => ({
            id,
            priceMicros,
            billsUnknown: BILLS_UNKNOWN[id],
            health: { typicalMs: 500, latencyMs: 1_500, failureRate, open: false },
          }));
          const calls: Call[] = [];
          const answers: Answer[] = [];
          const asked = new Set<ProviderId>();
          let bill = 0;
          for (const [fate, verdict] of fates) {
            const left = { costMicros: costLeft(ceilingUsd, calls), timeMs: 60_000 };
            const given = { stakes: stakesFor(purpose), asked, providers, left };
            const { choice } = route({ ...INPUT, ...baselineWith(MODEL, host, answers), ...given });
            if (choice === 'stop') break;
            expect(asked.has(choice)).toBe(false);
            asked.add(choice);
            const priceMicros = providers.find(({ id }) => id === choice)?.priceMicros ?? Number.NaN;
            const costMicros = fate === 'free' ? 0 : priceMicros;
            bill += costMicros;
            calls.push({ priceMicros, costMicros: fate === 'out' ? null : costMicros });
            if (fate === 'billed' || fate === 'free') answers.push({ provider: choice, verdict });
          }
          expect(bill / 1e6).toBeLessThanOrEqual(ceilingUsd);
          seen.run({ asked: calls.length > 0, several: calls.length > 1, spent: bill > 0.7e6 * ceilingUsd });
        },
      ),
      { numRuns: 1_000 },
    );
    expect(seen.share('asked')).toBeGreaterThan(0.4);
    expect(seen.share('several')).toBeGreaterThan(0.2);
    expect(seen.share('spent')).toBeGreaterThan(0.04);
  });
});
