import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});
afterEach(() => {
  vi.useRealTimers();
});

const BUDGET = 100;
const create = (providerBudgetMicros: number | null = BUDGET) => createTestOrganisation({ providerBudgetMicros });
const reserve = ({ object }: TestOrganisation, requestId: string, totalMicros: number) =>
  object.reserve({ budget: 'providers', requestId, totalMicros });
const settle = (organisation: TestOrganisation, requestId: string, spentMicros: number) =>
  organisation.commit(requestId, {
    spendMicros: spentMicros,
    providerMicros: spentMicros,
    providers: { requestId, spentMicros },
  });
const spent = async (organisation: TestOrganisation) => (await organisation.usage()).providerMicros;
const left = async (organisation: TestOrganisation) => {
  const history = { domain: 'd'.repeat(32), purpose: 'signup' } as const;
  const lookup = { addressHash: 'a'.repeat(64), domain: 'acme.example', history };
  const authorized = await organisation.authorize({ lookup });
  return 'providerLeftMicros' in authorized ? authorized.providerLeftMicros : null;
};

describe('the month’s provider budget', () => {
  it('makes room for what fits, to the last micro', async () => {
    const organisation = await create();
    expect(await reserve(organisation, 'vr_1', 60)).toBe(true);
    expect(await reserve(organisation, 'vr_2', 41)).toBe(false);
    expect(await reserve(organisation, 'vr_2', 40)).toBe(true);
    expect(await reserve(organisation, 'vr_3', 1)).toBe(false);
    expect(await left(organisation)).toBe(0);
  });

  it('gets back at the end what was not spent, once', async () => {
    const organisation = await create();
    await reserve(organisation, 'vr_1', 60);
    for (let i = 0; i < 2; i += 1) await settle(organisation, 'vr_1', 25);
    expect(await spent(organisation)).toBe(25);
    expect((await organisation.usage()).spendMicros).toBe(25);
    expect(await left(organisation)).toBe(75);
  });

  it('counts what was spent without a reservation, while it was unlimited', async () => {
    const organisation = await create(null);
    expect(await left(organisation)).toBeNull();
    await organisation.commit('vr_1', { spendMicros: 70, providerMicros: 60 });
    await organisation.object.configure({ limits: { providerBudgetMicros: BUDGET } });
    expect(await left(organisation)).toBe(40);
    await organisation.object.configure({ limits: { providerBudgetMicros: null } });
    expect(await left(organisation)).toBeNull();
  });

  it('makes room for no call when it is 0, a free one included', async () => {
    const organisation = await create(0);
    expect(await left(organisation)).toBe(-1);
    expect(await reserve(organisation, 'vr_1', 0)).toBe(false);
  });

  it('keeps counting what a request that died had reserved, and forgets the reservation', async () => {
    const organisation = await create();
    await reserve(organisation, 'vr_1', 60);
    vi.setSystemTime(START_MS + HOUR_MS);
    await organisation.authorize({ operationId: 'vr_2', meter: 'verify' });
    vi.setSystemTime(START_MS + 2 * HOUR_MS);
    await organisation.object.tick();
    expect(organisation.dump().reservation).toEqual([]);
    expect(await spent(organisation)).toBe(60);
  });

  it('starts over with each UTC month', async () => {
    const organisation = await create();
    await reserve(organisation, 'vr_1', 100);
    vi.setSystemTime(Date.UTC(2027, 0, 1));
    expect(await left(organisation)).toBe(100);
  });

  it('is never passed, whatever requests reserve, spend and leave undone', async () => {
    const step = fc.record({
      request: fc.integer({ min: 1, max: 4 }),
      micros: fc.integer({ min: 0, max: 60 }),
      ends: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const organisation = await create();
        const granted = new Map<string, number>();
        for (const { request, micros, ends } of steps) {
          const id = `vr_${request}`;
          if (ends) await settle(organisation, id, Math.min(micros, granted.get(id) ?? 0));
          else if (await reserve(organisation, id, micros)) granted.set(id, Math.max(micros, granted.get(id) ?? 0));
          expect(await spent(organisation)).toBeLessThanOrEqual(BUDGET);
        }
      }),
      { numRuns: 60 },
    );
  });
});
