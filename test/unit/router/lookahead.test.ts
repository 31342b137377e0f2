import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PerAnswer, State } from '../../../src/domain/belief/posterior.ts';
import { type Actions, askingCost, lookAhead, type Option, stopValue } from '../../../src/domain/router/lookahead.ts';
import { LOSSES, type Open } from '../../../src/domain/router/losses.ts';

const perAnswer = (one: fc.Arbitrary<number>): fc.Arbitrary<PerAnswer> => fc.tuple(one, one, one, one);
/** Most are far from one another, so that an answer changes what is best. */
const anyMass = fc.double({ min: -6, max: 0, noNaN: true }).map(Math.exp);
/** A belief whose masses add up to 1. */
const anyState: fc.Arbitrary<State> = fc.tuple(perAnswer(anyMass), perAnswer(anyMass)).map(([bounce, land]) => {
  const total = [...bounce, ...land].reduce((sum, mass) => sum + mass, 0);
  const shares = (masses: PerAnswer) => masses.map((mass) => mass / total) as unknown as PerAnswer;
  return { bounce: shares(bounce), land: shares(land) };
});
/** A provider that costs nothing and never fails, with two verdicts that often tell the server’s answers apart. */
const anyOption: fc.Arbitrary<Option> = perAnswer(fc.constantFrom(0.01, 0.5, 0.99)).map((one) => ({
  verdicts: [one, one.map((share) => 1 - share) as unknown as PerAnswer],
  refusal: 0,
  billsUnknown: true,
  price: 0,
  time: 0,
  failureRate: 0,
}));
const anyOpen: fc.Arbitrary<Open> = fc.record({ send: fc.boolean(), drop: fc.boolean() });
const anyActions: fc.Arbitrary<Actions> = fc.record({
  losses: fc.constantFrom(...Object.values(LOSSES)),
  now: anyOpen,
  later: anyOpen,
});
const ALL: Open = { send: true, drop: true };
const anyRate = fc.double({ min: 0, max: 1, noNaN: true });
const failing = (option: Option, failureRate: number): Option => ({ ...option, failureRate });

describe('what is expected of asking', () => {
  it('lies between that of a provider that always answers and that of one that never does, by how often it fails', () => {
    fc.assert(
      fc.property(anyState, anyOption, anyActions, anyRate, (state, option, actions, rate) => {
        const value = (failureRate: number) => lookAhead(state, failing(option, failureRate), [], actions);
        expect(value(rate)).toBeCloseTo((1 - rate) * value(0) + rate * value(1), 9);
      }),
    );
  });

  it('counts a second provider for as much less as that one fails', () => {
    // The server refuses or accepts, nothing tells which; the first provider does not know, the second mostly does.
    const state: State = { bounce: [0, 0.5, 0, 0], land: [0.5, 0, 0, 0] };
    const asking = (accepts: number, refuses: number): Option => ({
      verdicts: [
        [accepts, refuses, 0.5, 0.5],
        [1 - accepts, 1 - refuses, 0.5, 0.5],
      ],
      billsUnknown: true,
      price: 0,
      time: 0,
      failureRate: 0,
    });
    const value = (failureRate: number) =>
      lookAhead(state, asking(0.5, 0.5), [failing(asking(0.95, 0.05), failureRate)], {
        losses: LOSSES.outbound,
        now: ALL,
        later: ALL,
      });
    expect(value(0)).toBeGreaterThan(0);
    expect(value(1)).toBeGreaterThan(2 * value(0));
    for (const rate of [0.1, 0.5, 0.9]) expect(value(rate)).toBeCloseTo((1 - rate) * value(0) + rate * value(1), 9);
  });

  it('costs the price, but for the answers that are not billed', () => {
    // Half of all answers are `unknown`, the last verdict.
    const half: PerAnswer = [0.5, 0.5, 0.5, 0.5];
    const option: Option = {
      verdicts: [half, half],
      billsUnknown: true,
      price: 0.01,
      time: 0,
      failureRate: 0,
    };
    fc.assert(
      fc.property(anyState, (state) => {
        expect(askingCost(state, option)).toBeCloseTo(0.01, 9);
        expect(askingCost(state, { ...option, billsUnknown: false })).toBeCloseTo(0.005, 9);
      }),
    );
  });
});

describe('the actions that count', () => {
  const gone: State = { bounce: [0, 0.99, 0, 0], land: [0.01, 0, 0, 0] };
  const { losses } = { losses: LOSSES.outbound };
  const open = (send: boolean, drop: boolean): Open => ({ send, drop });

  it.each<[what: string, open: Open, costs: number]>([
    ['all of them: to drop is cheapest', ALL, 0.01 * losses.contactLost],
    ['all but to drop: to hold', open(true, false), losses.heldGood],
    ['none but to hold', open(false, false), losses.heldGood],
  ])('now are those that a recommendation may choose from: %s', (_, now, costs) => {
    expect(stopValue(gone, { losses }, now)).toBeCloseTo(costs, 9);
  });

  it('after a refusal include to drop, and after another answer only what the facts left open before', () => {
    const half: State = { bounce: [0, 0.5, 0, 0], land: [0.5, 0, 0, 0] };
    const bounces: PerAnswer = [0.01, 0.99, 0.5, 0.5];
    const lands: PerAnswer = [0.99, 0.01, 0.5, 0.5];
    // The verdict that tells of a bounce is `undeliverable`, or `deliverable`.
    const telling = (isRefusal: boolean): Option => ({
      verdicts: isRefusal ? [lands, bounces] : [bounces, lands],
      billsUnknown: true,
      price: 0,
      time: 0,
      failureRate: 0,
    });
    const value = (isRefusal: boolean, later: Open) =>
      lookAhead(half, telling(isRefusal), [], { losses, now: open(true, false), later });
    expect(value(true, open(true, false))).toBeLessThan(value(false, open(true, false)));
    expect(value(false, ALL)).toBeCloseTo(value(true, open(true, false)), 9);
  });
});
