import { expect, it } from 'vitest';
import { EVENTS, isFewerBetter } from '../../../dashboard/app/lib/vocabulary.ts';
import { guardrailText } from '../../../dashboard/app/screens/policy/guardrail-text.ts';
import * as metrics from '../../../src/domain/insights/experiments.ts';

const arm = (name: 'treatment' | 'control', rate: number | null, wide: number) => ({
  arm: name,
  exposures: 400,
  events: 100,
  rate,
  ci: rate === null ? null : [rate - wide / 2, rate + wide / 2],
});

it.each([
  ['activated', 0.31, 0.37, 0.1, '“Activated”, a guardrail, is probably lower: 31% with the rule, 37% without it'],
  ['activated', 0.31, 0.51, 0.1, '“Activated”, a guardrail, is clearly lower: 31% with the rule, 51% without it'],
  ['churned', 0.06, 0.02, 0.01, '“Churned”, a guardrail, is clearly higher: 6% with the rule, 2% without it'],
  ['activated', 0.36, 0.37, 0.1, null],
  ['activated', 0.37, 0.31, 0.1, null],
  ['activated', null, null, 0.1, null],
])('a guarded %s of %s with the rule and %s without it: %#', (event, rate, other, wide, text) => {
  const arms = [arm('treatment', rate, wide), arm('control', other, wide)];
  const loss = guardrailText({ event, arms });
  expect(loss?.text.replaceAll('\u00a0', ' ') ?? null).toBe(text);
  expect(loss?.isClear ?? false).toBe(text?.includes('clearly') ?? false);
});

it('knows of which events fewer are better, as the service does', () => {
  expect(EVENTS.filter(isFewerBetter)).toEqual(EVENTS.filter(metrics.isFewerBetter));
});
