import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, type Evidence, filtered, placeOf } from '../../../src/domain/belief/chain.ts';
import { ANSWER_COUNT, type HostTables, MODEL, tablesAt } from '../../../src/domain/belief/model.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { anyHost, HOSTS } from '../../support/any-belief.ts';

const YEAR_MS = 365 * DAY_MS;
const ANSWERS = Array.from({ length: ANSWER_COUNT }, (_, answer) => answer);

/** Says nothing: an address is first seen then. */
const looked = (at: number): Evidence => ({ at, byAnswer: null, lands: 1, bounces: 1 });

const massesOf = (masses: readonly number[], kind: 0 | 1, first: 0 | 1, now: 0 | 1): number[] =>
  ANSWERS.map((answer) => masses[placeOf(kind, first, now) + answer] ?? Number.NaN);
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

describe('a time that passes', () => {
  it('loses no mass and makes none, of any kind of domain and first state', () => {
    fc.assert(
      fc.property(anyHost, fc.nat(30 * YEAR_MS), (host, age) => {
        const masses = filtered(tablesAt(MODEL, host), [looked(-age)], 0);
        expect(Math.min(...masses)).toBeGreaterThanOrEqual(0);
        for (const kind of BITS)
          for (const first of BITS) {
            const both = BITS.map((now) => total(massesOf(masses, kind, first, now)));
            expect(total(both)).toBeCloseTo(1, 9);
          }
      }),
    );
  });

  it('moves a day’s part of a year’s rate between bouncing and landing', () => {
    for (const host of HOSTS) {
      const tables = tablesAt(MODEL, host);
      const masses = filtered(tables, [looked(-DAY_MS)], 0);
      const { churn } = tables.kinds[0];
      expect(total(massesOf(masses, 0, 0, 1)) * 365).toBeCloseTo(churn, 3);
      expect(total(massesOf(masses, 0, 1, 0)) * 365).toBeCloseTo(tables.recovery, 2);
    }
  });

  it('does the same in one step and in several', () => {
    fc.assert(
      fc.property(anyHost, fc.nat(3 * YEAR_MS), fc.nat(3 * YEAR_MS), (host, one, other) => {
        const tables = tablesAt(MODEL, host);
        const at = -one - other;
        const [whole, parts] = [[looked(at)], [looked(at), looked(-other)]].map((seen) => filtered(tables, seen, 0));
        for (const first of BITS)
          for (const now of BITS)
            expect(total(massesOf(parts ?? [], 0, first, now))).toBeCloseTo(
              total(massesOf(whole ?? [], 0, first, now)),
              9,
            );
      }),
    );
  });

  it('leaves every mailbox as it is, where none dies and none comes back', () => {
    const { kinds, ...tables } = tablesAt(MODEL, 'google_business');
    const [strict, acceptsAll] = kinds;
    const still: HostTables = {
      ...tables,
      recovery: 0,
      kinds: [
        { ...strict, churn: 0 },
        { ...acceptsAll, churn: 0 },
      ],
    };
    const masses = filtered(still, [looked(-YEAR_MS)], 0);
    for (const first of BITS) {
      expect(total(massesOf(masses, 0, first, first))).toBeCloseTo(1, 12);
      expect(total(massesOf(masses, 0, first, first === 0 ? 1 : 0))).toBe(0);
    }
  });

  it('moves the server’s answer half-way to the host’s shares in one half-life', () => {
    const tables = tablesAt(MODEL, 'google_business');
    const refused: Omit<Evidence, 'at'> = { byAnswer: [0, 1, 0, 0], lands: 1, bounces: 1 };
    const shareAfter = (years: number): number => {
      const masses = filtered(tables, [{ ...refused, at: -years * YEAR_MS }], 0);
      const bounces = massesOf(masses, 0, 1, 1);
      return (bounces[1] ?? 0) / total(bounces);
    };
    const end = tables.kinds[0].answers[1][1] ?? 0;
    expect(shareAfter(0)).toBe(1);
    expect(shareAfter(1 / 365)).toBeGreaterThan(0.95);
    const half = shareAfter(Math.LN2 / tables.redraw);
    expect(half).toBeGreaterThan(end + 0.4 * (1 - end));
    expect(half).toBeLessThan(end + 0.6 * (1 - end));
    expect(shareAfter(100)).toBeCloseTo(end, 2);
  });

  it('is reported to the observer, except steps without time', () => {
    const told: boolean[] = [];
    filtered(tablesAt(MODEL, 'google_business'), [looked(-5), looked(-5), looked(-1)], 0, (_, isAge) =>
      told.push(isAge),
    );
    expect(told).toEqual([false, false, true, false, true]);
  });

  it('ends at the last fact, where no later time is named', () => {
    const [tables, seen] = [tablesAt(MODEL, 'google_business'), [looked(-2 * YEAR_MS), looked(-YEAR_MS)]];
    expect(filtered(tables, seen, null)).toEqual(filtered(tables, seen, -YEAR_MS));
  });
});
