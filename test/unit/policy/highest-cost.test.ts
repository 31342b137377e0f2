import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/contract/policy.ts';
import { type HighestCost, highestCost } from '../../../src/domain/policy/evaluate.ts';
import { is, PROFILE, policyOf, rule } from './facts.ts';

const SOURCES = [
  { prices: { company: 10, person: 20, both: 40 } },
  { prices: { company: 100, person: 280, both: 280 } },
];
const COMPANY = is('company.country', 'eq', 'DE');
const PERSON = is('person.seniority', 'eq', 'executive');

describe('what a decision may cost', () => {
  it.each<[string, Condition[], HighestCost]>([
    [
      'reads nothing that is paid for',
      [is('verification.esp', 'eq', 'unknown')],
      { enrichmentMicros: 0, screeningMicros: 0 },
    ],
    ['reads companies: each vendor once', [COMPANY, COMPANY], { enrichmentMicros: 110, screeningMicros: 0 }],
    ['reads people', [PERSON], { enrichmentMicros: 300, screeningMicros: 0 }],
    [
      'reads both, in whatever depth',
      [{ any: [COMPANY, { not: PERSON }] }],
      { enrichmentMicros: 320, screeningMicros: 0 },
    ],
    [
      'reads the fit: what the profile is made of',
      [is('icp.fit', 'eq', 'strong')],
      { enrichmentMicros: 320, screeningMicros: 0 },
    ],
    ['reads screening', [is('screening.placeholder', 'eq', true)], { enrichmentMicros: 0, screeningMicros: 7 }],
  ])('by a policy that %s', (_, conditions, expected) => {
    const policy = policyOf(
      conditions.map((when, i) => rule(`r${i}`, when)),
      PROFILE,
    );
    expect(highestCost(policy, SOURCES, 7)).toEqual(expected);
  });
});
