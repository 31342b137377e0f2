import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Purpose, type Recommendation } from '../../../src/contract/vocabulary.ts';
import { LOSSES, recommend } from '../../../src/domain/verification/recommend.ts';

const certainOf = (probability: number) => ({ probability, interval: [probability, probability] as const });
const anyPurpose = fc.constantFrom(...Purpose.options);
const anyProbability = fc.double({ min: 0, max: 1, noNaN: true });

describe('recommend', () => {
  // The public thresholds; each follows from the purpose's losses.
  it.each<[Purpose, below: number, between: Recommendation, above: number]>([
    ['outbound', 0.075, 'hold', 0.7],
    ['signup', 0.06 / 0.33, 'challenge', 2.94 / 2.97],
    ['list_hygiene', 0.16, 'hold', 0.6],
  ])('%s: sends below %d, drops above, between them asks for a %s', (purpose, below, between, above) => {
    const at = (probability: number) => recommend(certainOf(probability), purpose, false);
    expect([0, below - 1e-6].map(at)).toEqual(['send', 'send']);
    expect([below + 1e-6, above - 1e-6].map(at)).toEqual([between, between]);
    expect([above + 1e-6, 1].map(at)).toEqual(['drop', 'drop']);
  });

  it('is the cheapest action when the interval is narrow', () => {
    fc.assert(
      fc.property(anyPurpose, anyProbability, (purpose, p) => {
        const { bounce, contactLost, heldGood, heldBad } = LOSSES[purpose];
        const held = (1 - p) * heldGood + p * heldBad;
        const cost = { send: p * bounce, drop: (1 - p) * contactLost, hold: held, challenge: held };
        expect(cost[recommend(certainOf(p), purpose, false)]).toBe(Math.min(...Object.values(cost)));
      }),
    );
  });

  it('drops only when the whole interval lies where a drop beats a send', () => {
    fc.assert(
      fc.property(anyPurpose, anyProbability, (purpose, low) => {
        const { bounce, contactLost } = LOSSES[purpose];
        const dropped = recommend({ probability: 1, interval: [low, 1] }, purpose, false) === 'drop';
        expect(dropped).toBe(low * bounce > (1 - low) * contactLost);
      }),
    );
    expect(recommend({ probability: 0.9, interval: [0.1, 1] }, 'outbound', false)).toBe('hold');
    expect(recommend({ probability: 0.995, interval: [0.9, 1] }, 'signup', false)).toBe('challenge');
  });

  it('drops on a terminal reason whatever the probability', () => {
    for (const purpose of Purpose.options) expect(recommend(certainOf(0), purpose, true)).toBe('drop');
  });

  it('challenges visitors of a signup only', () => {
    fc.assert(
      fc.property(anyPurpose, anyProbability, (purpose, p) => {
        expect(recommend(certainOf(p), purpose, false)).not.toBe(purpose === 'signup' ? 'hold' : 'challenge');
      }),
    );
  });
});
