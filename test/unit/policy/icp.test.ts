import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enrichmentOfIcp, icpFit } from '../../../src/domain/policy/compile.ts';
import { anyWorld, COMPANY, PERSON, PROFILE } from './facts.ts';

const EMPTY = { industries: [], employees_ranges: [], countries: [], seniorities: [] };
const ABROAD = { ...COMPANY, country: 'US' };
const ELSE = { ...COMPANY, industry: 'Banking', employees_range: '1-10' as const, country: 'US' };
const NAMED = { ...COMPANY, industry: null, employees_range: null, country: null };

describe('the fit', () => {
  it.each([
    ['strong when all matches', PROFILE, COMPANY, PERSON, 'strong'],
    ['partial when something does not', PROFILE, ABROAD, PERSON, 'partial'],
    ['partial when something is not known', PROFILE, COMPANY, null, 'partial'],
    ['partial when only the person is known and matches', PROFILE, null, PERSON, 'partial'],
    ['none when what is known does not match', PROFILE, ELSE, null, 'none'],
    ['none when nothing of both matches', PROFILE, ELSE, { seniority: 'junior' } as const, 'none'],
    ['unknown when nothing is known', PROFILE, null, null, 'unknown'],
    ['unknown when only the name is known', PROFILE, NAMED, null, 'unknown'],
    ['unknown without a profile', null, COMPANY, PERSON, 'unknown'],
    ['unknown with a profile that asks nothing', EMPTY, COMPANY, PERSON, 'unknown'],
    ['strong by the one dimension that is set', { ...EMPTY, countries: ['DE'] }, COMPANY, null, 'strong'],
    ['blind to case', { ...EMPTY, industries: ['COMPUTER software'] }, COMPANY, null, 'strong'],
  ])('is %s', (_, profile, company, person, fit) => {
    expect(icpFit(profile, company, person)).toBe(fit);
  });

  it.each([
    [null, []],
    [EMPTY, []],
    [{ ...EMPTY, countries: ['DE'] }, ['company']],
    [{ ...EMPTY, seniorities: ['senior'] }, ['person']],
    [PROFILE, ['company', 'person']],
  ] as const)('of %j needs %j', (profile, needs) => {
    expect([...enrichmentOfIcp(profile as typeof PROFILE | null)]).toEqual(needs);
  });

  it('does not depend on what the profile does not ask for', () => {
    fc.assert(
      fc.property(anyWorld, ({ company, person }) => {
        const profile = { ...EMPTY, countries: ['DE'] };
        expect(icpFit(profile, company, person)).toBe(icpFit(profile, company, null));
      }),
    );
  });
});
