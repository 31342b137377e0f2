import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/contract/vocabulary.ts';
import { verdictOf } from '../../../src/domain/answer/answer-shown.ts';
import { CERTAIN_BOUNCE } from '../../../src/domain/belief/posterior.ts';

describe('verdictOf', () => {
  it.each<[probability: number, Verdict]>([
    [0, 'valid'],
    [0.0199, 'valid'],
    [0.02, 'likely_valid'],
    [0.0999, 'likely_valid'],
    [0.1, 'risky'],
    [0.4999, 'risky'],
    [0.5, 'likely_invalid'],
    [0.8999, 'likely_invalid'],
    [0.9, 'invalid'],
    [1, 'invalid'],
  ])('%d is %s, however wide its interval', (probability, verdict) => {
    for (const interval of [
      [probability, probability],
      [0, 1],
    ] as const)
      expect(verdictOf({ probability, interval }, false)).toBe(verdict);
  });

  it('is unknown when degraded, however sure the prior', () => {
    expect(verdictOf({ probability: 0.01, interval: [0, 0.02] }, true)).toBe('unknown');
  });

  it('is invalid where a finding or a rule has settled it', () => {
    expect(verdictOf(CERTAIN_BOUNCE, false)).toBe('invalid');
  });
});
