import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlanInput, planCall } from '../../../src/domain/policy/enrichment.ts';

const prices = (company: number, person: number, both: number) => ({ company, person, both });
const HUNTER = { id: 'hunter', prices: prices(15, 15, 30) } as const;
const FLAT_HUNTER = { id: 'hunter', prices: prices(10, 10, 10) } as const;
const PDL = { id: 'pdl', prices: prices(100, 280, 280) } as const;

type Wanted = readonly ('company' | 'person')[];
const plan = (needs: Wanted, mayNeed: Wanted, vendors: PlanInput['vendors'], leftMicros: number) =>
  planCall({ needs: new Set(needs), mayNeed: new Set([...needs, ...mayNeed]), vendors, leftMicros });

describe('the next call', () => {
  it.each<readonly [string, Wanted, Wanted, PlanInput['vendors'], number, ReturnType<typeof planCall>]>([
    ['goes to the cheapest', ['company'], [], [PDL, HUNTER], 1_000, { vendor: 'hunter', wants: 'company' }],
    [
      'asks for no person when a company will do',
      ['company'],
      [],
      [FLAT_HUNTER],
      1_000,
      { vendor: 'hunter', wants: 'company' },
    ],
    ['brings both in one', ['company', 'person'], [], [HUNTER, PDL], 1_000, { vendor: 'hunter', wants: 'both' }],
    ['goes elsewhere where the cheapest was asked', ['person'], [], [PDL], 1_000, { vendor: 'pdl', wants: 'person' }],
    [
      'takes nothing along that another can be asked for, though it costs nothing more',
      ['company'],
      ['person'],
      [FLAT_HUNTER, PDL],
      1_000,
      { vendor: 'hunter', wants: 'company' },
    ],
    [
      'leaves to another what it can ask later',
      ['company'],
      ['person'],
      [HUNTER, PDL],
      1_000,
      { vendor: 'hunter', wants: 'company' },
    ],
    [
      'takes along what no other source could be asked',
      ['company'],
      ['person'],
      [HUNTER],
      1_000,
      { vendor: 'hunter', wants: 'both' },
    ],
    [
      'takes along what another would be too dear for',
      ['company'],
      ['person'],
      [HUNTER, PDL],
      200,
      { vendor: 'hunter', wants: 'both' },
    ],
    [
      'takes nothing along that does not fit',
      ['company'],
      ['person'],
      [HUNTER],
      20,
      { vendor: 'hunter', wants: 'company' },
    ],
    [
      'brings a part where both do not fit',
      ['company', 'person'],
      [],
      [HUNTER],
      20,
      { vendor: 'hunter', wants: 'company' },
    ],
    ['takes along what fits to the micro', ['company'], ['person'], [HUNTER], 30, { vendor: 'hunter', wants: 'both' }],
    [
      'takes along what another would be too dear for once it is paid',
      ['company'],
      ['person'],
      [HUNTER, PDL],
      294,
      { vendor: 'hunter', wants: 'both' },
    ],
    [
      'leaves to another what still fits to the micro once it is paid',
      ['company'],
      ['person'],
      [HUNTER, PDL],
      295,
      { vendor: 'hunter', wants: 'company' },
    ],
    ['fits to the micro', ['company'], [], [HUNTER], 15, { vendor: 'hunter', wants: 'company' }],
    ['is none a micro short', ['company'], [], [HUNTER], 14, null],
    ['is none when every source was asked', ['company'], [], [], 1_000, null],
    ['is none when no source may be asked', ['company'], [], [{ id: 'hunter', prices: prices(0, 0, 0) }], -1, null],
    [
      'is free at nothing left',
      ['company'],
      [],
      [{ id: 'hunter', prices: prices(0, 0, 0) }],
      0,
      { vendor: 'hunter', wants: 'company' },
    ],
  ])('%s', (_, needs, mayNeed, vendors, left, expected) => {
    expect(plan(needs, mayNeed, vendors, left)).toEqual(expected);
  });

  it('fits what is left, brings something wanted, and nothing that cannot be wanted', () => {
    const price = fc.integer({ min: 0, max: 50 });
    const anyPrices = fc.record({ company: price, person: price, both: price });
    const wanted = fc.constantFrom<Wanted[]>(['company'], ['person'], ['company', 'person']);
    fc.assert(
      fc.property(
        wanted,
        wanted,
        anyPrices,
        anyPrices,
        fc.integer({ min: -1, max: 120 }),
        (needs, later, one, two, left) => {
          const vendors = [{ id: 'hunter', prices: one } as const, { id: 'pdl', prices: two } as const];
          const call = plan(needs, later, vendors, left);
          const affordable =
            needs.some((want) => [one, two].some((each) => each[want] <= left)) ||
            (needs.length === 2 && [one, two].some((each) => each.both <= left));
          expect(call !== null).toBe(affordable);
          if (call === null) return;
          expect(call.vendor === 'hunter' ? one[call.wants] : two[call.wants]).toBeLessThanOrEqual(left);
          const brought = call.wants === 'both' ? (['company', 'person'] as const) : [call.wants];
          expect(brought.some((want) => needs.includes(want))).toBe(true);
          expect([...needs, ...later]).toEqual(expect.arrayContaining([...brought]));
        },
      ),
    );
  });
});
