import { expect, it } from 'vitest';
import { verdictOf } from '../../../dashboard/app/screens/learning/verdict.ts';

const bin = (predicted: number, observed: number, count = 100, wide = 0.02) => ({
  predicted,
  observed,
  count,
  ci: [observed - wide / 2, observed + wide / 2],
});
const held = bin(0.1, 0.1);

it.each([
  ['nothing', [], 'fitted', null],
  ['groups that all hold', [held, held], 'fitted', 'Your numbers hold in every group.'],
  ['few groups that miss', [held, held, bin(0.2, 0.1)], 'fitted', 'Your numbers hold in most groups: 2 of 3.'],
  [
    'half of the groups that miss',
    [held, bin(0.2, 0.1)],
    'fitted',
    'Your numbers are too high: 15% were predicted to bounce, 10% bounced. Each outcome that arrives mends this a little.',
  ],
  [
    'numbers above what happened',
    [held, bin(0.1, 0.05), bin(0.3, 0.1)],
    'fitted',
    'Your numbers are too high: 17% were predicted to bounce, 8.3% bounced. Each outcome that arrives mends this a little.',
  ],
  [
    'numbers below what happened',
    [bin(0.1, 0.3), bin(0.2, 0.5)],
    'prior',
    'Your numbers are too low: 15% were predicted to bounce, 40% bounced. Outcomes that you report mend this.',
  ],
  [
    'numbers on both sides of it',
    [bin(0.1, 0.3), bin(0.4, 0.1)],
    'fitted',
    'Your numbers miss to both sides: 25% were predicted to bounce, 20% bounced. Each outcome that arrives mends this a little.',
  ],
] as const)('the verdict follows from the figures: %s', (_title, bins, state, text) => {
  const verdict = verdictOf({ bins: bins.map((each) => ({ ...each })), state });
  expect(verdict?.text.replaceAll('\u00a0', ' ') ?? null).toBe(text);
  expect(verdict?.isGood ?? true).toBe(text === null || text.startsWith('Your numbers hold'));
});
