import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

const BUDGET = 100;
const WAYS = {
  providers: {
    limit: 'providerBudgetMicros',
    used: 'providerMicros',
    settled: (requestId: string, spentMicros: number) => ({
      spendMicros: spentMicros,
      providerMicros: spentMicros,
      providers: { requestId, spentMicros },
    }),
  },
  enrichment: {
    limit: 'enrichmentBudgetMicros',
    used: 'enrichmentMicros',
    settled: (requestId: string, spentMicros: number) => ({ enrichment: { requestId, spentMicros } }),
  },
} as const;

describe.each(['providers', 'enrichment'] as const)('the month’s budget for %s', (budget) => {
  const { limit, used, settled } = WAYS[budget];
  const create = (micros = BUDGET) => createTestOrganisation({ [limit]: micros });
  const reserve = ({ object }: TestOrganisation, requestId: string, totalMicros: number) =>
    object.reserve({ budget, requestId, totalMicros });
  const settle = (organisation: TestOrganisation, requestId: string, micros: number, operationId = requestId) =>
    organisation.commit(operationId, settled(requestId, micros));
  const spent = async (organisation: TestOrganisation) => (await organisation.usage())[used];

  it('makes room for what fits, to the last micro', async () => {
    const organisation = await create();
    expect(await reserve(organisation, 'dc_1', 60)).toBe(true);
    expect(await reserve(organisation, 'dc_2', 41)).toBe(false);
    expect(await reserve(organisation, 'dc_2', 40)).toBe(true);
    expect(await reserve(organisation, 'dc_3', 1)).toBe(false);
    expect(await spent(organisation)).toBe(100);
  });

  it('counts a reservation sent twice once, and a higher one by its difference', async () => {
    const organisation = await create();
    for (const total of [30, 30, 50, 30]) expect(await reserve(organisation, 'dc_1', total)).toBe(true);
    expect(await spent(organisation)).toBe(50);
  });

  it('gets back at the end what was not spent, once', async () => {
    const organisation = await create();
    await reserve(organisation, 'dc_1', 60);
    for (let i = 0; i < 2; i += 1) await settle(organisation, 'dc_1', 25);
    expect(await spent(organisation)).toBe(25);
  });

  it('makes no room for a request that has ended, and forgets the request after an hour', async () => {
    const organisation = await create();
    await organisation.authorize({ operationId: 'dc_1', meter: 'decide' });
    await settle(organisation, 'dc_1', 0);
    expect(await reserve(organisation, 'dc_1', 60)).toBe(false);
    await reserve(organisation, 'dc_2', 60);
    await settle(organisation, 'dc_2', 60);
    expect(await reserve(organisation, 'dc_2', 80)).toBe(false);
    expect(await spent(organisation)).toBe(60);
    vi.setSystemTime(START_MS + HOUR_MS);
    await organisation.object.tick();
    expect(organisation.dump().reservation).toEqual([]);
  });

  it('settles each of two requests under one Idempotency-Key by itself', async () => {
    const organisation = await create();
    await organisation.authorize({ operationId: 'ik_1', bodyHash: 'b', meter: 'decide' });
    for (const requestId of ['dc_1', 'dc_2']) await reserve(organisation, requestId, 20);
    for (const requestId of ['dc_1', 'dc_2']) await settle(organisation, requestId, 15, 'ik_1');
    expect(await spent(organisation)).toBe(30);
  });

  it('makes room for no call when it is 0, a free one included', async () => {
    expect(await reserve(await create(0), 'dc_1', 0)).toBe(false);
  });

  it('keeps counting what a request that died had reserved, and forgets the reservation', async () => {
    const organisation = await create();
    await organisation.authorize({ operationId: 'dc_1', meter: 'decide' });
    await reserve(organisation, 'dc_1', 60);
    vi.setSystemTime(START_MS + HOUR_MS);
    await organisation.object.tick();
    expect(organisation.dump().reservation).toEqual([]);
    expect(await spent(organisation)).toBe(60);
  });

  it('begins at 0 with each UTC month, and last month’s requests change nothing of it', async () => {
    const organisation = await create();
    await reserve(organisation, 'dc_1', 60);
    vi.setSystemTime(START_MS + 30 * DAY_MS);
    expect(await reserve(organisation, 'dc_2', 100)).toBe(true);
    await settle(organisation, 'dc_1', 10);
    expect(await spent(organisation)).toBe(100);
  });

  it('is never passed by any interleaving, and in the end is what was spent', async () => {
    const request = fc.record({
      holds: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
      share: fc.nat(10),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 6 }), fc.infiniteStream(fc.nat(100)), async (requests, picks) => {
        const organisation = await create();
        const open = requests.map(({ holds, share }, i) => ({ id: `dc_${i}`, holds: [...holds], share, held: 0 }));
        let total = 0;
        while (open.length > 0) {
          const at = (picks.next().value ?? 0) % open.length;
          const one = open[at];
          if (one === undefined) break;
          const next = one.holds.shift();
          if (next !== undefined) {
            if (await reserve(organisation, one.id, one.held + next)) one.held += next;
          } else {
            const costs = Math.floor((one.held * one.share) / 10);
            await settle(organisation, one.id, costs);
            total += costs;
            open.splice(at, 1);
          }
          expect(await spent(organisation)).toBeLessThanOrEqual(BUDGET);
        }
        expect(await spent(organisation)).toBe(total);
      }),
      { numRuns: 40 },
    );
  });
});

describe('what the provider budget has left', () => {
  const left = async (organisation: TestOrganisation) => {
    const history = { domain: 'd'.repeat(32), purpose: 'signup' } as const;
    const lookup = { addressHash: 'a'.repeat(64), domain: 'acme.example', history };
    const authorized = await organisation.authorize({ lookup });
    return 'providerLeftMicros' in authorized ? authorized.providerLeftMicros : null;
  };

  it('is below zero where the budget is 0, which even a free call does not fit', async () => {
    expect(await left(await createTestOrganisation({ providerBudgetMicros: 0 }))).toBe(-1);
  });

  it('counts what was spent while it was unlimited, and is null without a limit', async () => {
    const organisation = await createTestOrganisation({ providerBudgetMicros: null });
    expect(await left(organisation)).toBeNull();
    await organisation.commit('vr_1', { spendMicros: 70, providerMicros: 60 });
    await organisation.object.configure({ limits: { providerBudgetMicros: BUDGET } });
    expect(await left(organisation)).toBe(40);
    await organisation.object.configure({ limits: { providerBudgetMicros: null } });
    expect(await left(organisation)).toBeNull();
  });
});
