import { describe, expect, it } from 'vitest';
import { evidenceSteps, evidenceText, factorText, probabilityAt } from '../../../dashboard/app/lib/evidence-words.ts';
import { FEATURES } from '../../../src/domain/belief/facts.ts';

const SETTING = { purpose: 'signup', host: 'Google Workspace' };
const logOdds = (probability: number) => Math.log(probability / (1 - probability));

describe('the steps of the evidence', () => {
  it('begin where the log-odds begin, follow each other, and end at the number', () => {
    const number = 0.31;
    const pieces = [
      { code: 'stranger', shift: -2 },
      { code: 'role', shift: 0.5 },
      { code: 'answer', shift: logOdds(number) + 1.5, provider: 'zerobounce', verdict: 'risky' as const },
    ];
    const steps = evidenceSteps(pieces, SETTING);
    expect(steps[0]).toMatchObject({ from: -2, to: -2, text: 'Start: new address at Google Workspace' });
    expect(steps[2]?.from).toBe(steps[1]?.to);
    expect(probabilityAt(steps.at(-1)?.to ?? 0)).toBeCloseTo(number, 12);
    expect(steps[2]?.text).toBe('ZeroBounce says “risky”');
  });

  it.each([
    [Math.log(2), '× 2'],
    [-Math.log(4.04), '÷ 4'],
    [Math.log(135), '× 140'],
    [0.01, 'no change'],
  ])('a shift of %d moves the odds %s', (to, shown) => {
    expect(factorText({ text: '', from: 0, to })).toBe(shown);
  });

  it.each([
    ...FEATURES,
    'shared_flag',
    'domain_bounces',
    'domain_delivers',
    'list_bounces',
    'list_delivers',
    'neighbours_bound',
    'bounced_before',
    'full_before',
    'deferred_before',
    'delivered_before',
    'complained_before',
    'confirmed',
    'paid',
    'age',
  ])('%s is named in words, not by its code', (code) => {
    expect(evidenceText({ code, shift: 1 }, SETTING)).not.toContain('_');
  });
});
