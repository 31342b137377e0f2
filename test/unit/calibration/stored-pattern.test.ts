import { describe, expect, it } from 'vitest';
import { patternFrom, type StoredPattern } from '../../../src/domain/calibration/stored-pattern.ts';

const STORED: StoredPattern = [3, 'yahoo_consumer', 'hunter:risky kickbox:deliverable', 0.25, 2.5e6, 1, 5e5, 2, 1.5e6];
const having = (change: Partial<{ [at: number]: StoredPattern[number] }>): StoredPattern =>
  STORED.map((value, at) => change[at] ?? value) as unknown as StoredPattern;

describe('patternFrom', () => {
  it('reads what the store grouped', () => {
    expect(patternFrom(STORED)).toEqual({
      fold: 3,
      host: 'yahoo_consumer',
      acceptsAllOdds: Math.exp(0.25),
      weight: 2.5,
      answers: [
        {
          provider: 'hunter',
          verdict: 'risky',
        },
        {
          provider: 'kickbox',
          verdict: 'deliverable',
        },
      ],
      bounced: {
        count: 1,
        weight: 0.5,
      },
      landed: {
        count: 2,
        weight: 1.5,
      },
    });
  });

  it('takes a trace without an answer for one', () => {
    expect(patternFrom(having({ 2: '' }))?.answers).toEqual([]);
  });

  it('counts one answer of each provider', () => {
    const twice = patternFrom(having({ 2: 'kickbox:deliverable kickbox:unknown' }));
    expect(twice?.answers).toEqual([{ provider: 'kickbox', verdict: 'unknown' }]);
  });

  it.each([
    { what: 'host class', stored: having({ 1: 'nowhere' }) },
    { what: 'provider', stored: having({ 2: 'kickbox:deliverable newcomer:deliverable' }) },
    { what: 'verdict', stored: having({ 2: 'kickbox:maybe' }) },
    { what: 'word', stored: having({ 2: 'kickbox' }) },
  ])('leaves out what names an unknown $what', ({ stored }) => {
    expect(patternFrom(stored)).toBeNull();
  });
});
