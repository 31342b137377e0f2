import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Purpose, type Recommendation } from '../../../src/contract/vocabulary.ts';
import { type Grounds, NO_GROUNDS } from '../../../src/domain/router/recommend.ts';
import { LOSSES, type Losses } from '../../../src/domain/router/losses.ts';
import { recommend } from '../../../src/domain/router/recommend.ts';

const certainOf = (probability: number) => ({ probability, interval: [probability, probability] as const });
const anyPurpose = fc.constantFrom(...Purpose.options);
const anyProbability = fc.double({ min: 0, max: 1, noNaN: true });
const dollars = fc.double({ min: 0, max: 10, noNaN: true });
const anyLosses = fc.record({ bounce: dollars, contactLost: dollars, heldGood: dollars, heldBad: dollars });

/** One answer speaks about the address, and nothing makes it surer than its interval. */
const ANSWERED: Grounds = { ...NO_GROUNDS, areOwn: true };

const at = (belief: Parameters<typeof recommend>[0], purpose: Purpose, grounds: Grounds = ANSWERED) =>
  recommend(belief, { purpose, losses: LOSSES[purpose] }, grounds, false);

const costsAt = (p: number, { bounce, contactLost, heldGood, heldBad }: Losses) => {
  const held = (1 - p) * heldGood + p * heldBad;
  return { send: p * bounce, drop: (1 - p) * contactLost, hold: held, challenge: held };
};

describe('recommend', () => {
  // The public thresholds; each follows from the purpose's losses.
  it.each<[Purpose, below: number, between: Recommendation, above: number]>([
    ['outbound', 0.075, 'hold', 0.7],
    ['signup', 0.1 / 0.7, 'challenge', 2.9 / 3.3],
    ['list_hygiene', 0.075, 'hold', 0.7],
  ])('%s: sends below %d, drops above, between them asks for a %s', (purpose, below, between, above) => {
    const actions = (...all: number[]) => all.map((probability) => at(certainOf(probability), purpose));
    expect(actions(0, below - 1e-6)).toEqual(['send', 'send']);
    expect(actions(below + 1e-6, above - 1e-6)).toEqual([between, between]);
    expect(actions(above + 1e-6, 1)).toEqual(['drop', 'drop']);
  });

  // Halves of these sums are exact.
  it.each<[string, Losses, Recommendation]>([
    ['sends where holding costs the same', { bounce: 1, contactLost: 4, heldGood: 0.5, heldBad: 0.5 }, 'send'],
    ['holds where dropping costs the same', { bounce: 4, contactLost: 1, heldGood: 0.5, heldBad: 0.5 }, 'hold'],
    ['sends where dropping costs the same', { bounce: 1, contactLost: 1, heldGood: 2, heldBad: 2 }, 'send'],
  ])('of two that cost the same is the one that can be undone: it %s', (_, losses, action) => {
    expect(recommend(certainOf(0.5), { purpose: 'outbound', losses }, ANSWERED, false)).toBe(action);
  });

  it('is the cheapest action under any losses where two engines refuse', () => {
    const refused: Grounds = { ...ANSWERED, refusingEngines: 2 };
    fc.assert(
      fc.property(anyPurpose, anyLosses, anyProbability, (purpose, losses, p) => {
        const costs = costsAt(p, losses);
        const action = recommend(certainOf(p), { purpose, losses }, refused, false);
        expect(costs[action]).toBe(Math.min(...Object.values(costs)));
      }),
    );
  });

  it('is the cheapest action that can be undone where it is not sure enough to drop', () => {
    fc.assert(
      fc.property(anyPurpose, anyLosses, anyProbability, (purpose, losses, p) => {
        const { send, hold } = costsAt(p, losses);
        const action = recommend(certainOf(p), { purpose, losses }, NO_GROUNDS, false);
        expect(action === 'send' ? send : hold).toBe(Math.min(send, hold));
      }),
    );
  });

  it.each<[Purpose, low: number]>([
    ['outbound', 0.3],
    ['list_hygiene', 0.3],
    ['signup', 0.5],
  ])(
    '%s: drops where the interval begins above %d, two engines refuse, or the server knows no such user',
    (purpose, low) => {
      const unsure = { probability: 0.95, interval: [low, 1] as const };
      expect(at(unsure, purpose)).not.toBe('drop');
      expect(at({ ...unsure, interval: [low + 1e-6, 1] }, purpose)).toBe('drop');
      expect(at(unsure, purpose, { ...ANSWERED, refusingEngines: 1 })).not.toBe('drop');
      expect(at(unsure, purpose, { ...ANSWERED, refusingEngines: 2 })).toBe('drop');
      expect(at(unsure, purpose, { ...ANSWERED, isUserUnknown: true })).toBe('drop');
    },
  );

  it('never drops for its neighbours alone', () => {
    for (const purpose of Purpose.options) expect(at(certainOf(1), purpose, NO_GROUNDS)).not.toBe('drop');
  });

  it('drops on a terminal reason whatever the probability', () => {
    for (const purpose of Purpose.options)
      expect(recommend(certainOf(0), { purpose, losses: LOSSES[purpose] }, NO_GROUNDS, true)).toBe('drop');
  });

  it('challenges visitors of a signup only', () => {
    fc.assert(
      fc.property(anyPurpose, anyProbability, (purpose, p) => {
        expect(at(certainOf(p), purpose)).not.toBe(purpose === 'signup' ? 'hold' : 'challenge');
      }),
    );
  });
});
