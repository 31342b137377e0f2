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
  ['groups that all hold', [held, held], 'fitted', 'Bounce risks are accurate in every group.'],
  ['few groups that miss', [held, held, bin(0.2, 0.1)], 'fitted', 'Bounce risks are accurate in 2 of 3 groups.'],
  [
    'half of the groups that miss',
    [held, bin(0.2, 0.1)],
    'fitted',
    'Bounce risks are too high: 15% predicted, 10% bounced. Each new outcome improves them.',
  ],
  [
    'numbers above what happened',
    [held, bin(0.1, 0.05), bin(0.3, 0.1)],
    'fitted',
    'Bounce risks are too high: 17% predicted, 8.3% bounced. Each new outcome improves them.',
  ],
  [
    'numbers below what happened',
    [bin(0.1, 0.3), bin(0.2, 0.5)],
    'prior',
    'Bounce risks are too low: 15% predicted, 40% bounced. Report outcomes to improve them.',
  ],
  [
    'numbers on both sides of it',
    [bin(0.1, 0.3), bin(0.4, 0.1)],
    'fitted',
    'Bounce risks are off in both directions: 25% predicted, 20% bounced. Each new outcome improves them.',
  ],
] as const)('the verdict follows from the figures: %s', (_title, bins, state, text) => {
  const verdict = verdictOf({ bins: bins.map((each) => ({ ...each })), state });
  expect(verdict?.text.replaceAll('\u00a0', ' ') ?? null).toBe(text);
  expect(verdict?.isGood ?? true).toBe(text === null || text.startsWith('Bounce risks are accurate'));
});
