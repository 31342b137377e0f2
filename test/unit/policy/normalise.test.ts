import { describe, expect, it } from 'vitest';
import { countryCode, isCountryCode } from '../../../src/domain/policy/countries.ts';
import { EMPLOYEES_RANGES } from '../../../src/contract/words.ts';
import { employeesRange, seniority } from '../../../src/integrations/enrichment/adapter.ts';

describe('a country', () => {
  it.each([
    ['DE', 'DE'],
    ['us', 'US'],
    ['united states', 'US'],
    ['The Gambia', 'GM'],
    ['côte d’ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['bosnia and herzegovina', 'BA'],
    ['Bosnia & Herzegovina', 'BA'],
    ['St. Lucia', 'LC'],
    ['St Lucia', 'LC'],
    ['East Timor', 'TL'],
    [' the Gambia ', 'GM'],
    [' gm ', 'GM'],
    ['saint lucia', 'LC'],
    ['curaçao', 'CW'],
    ['democratic republic of the congo', 'CD'],
    ['czechia', 'CZ'],
    ['turkey', 'TR'],
    ['Türkiye', 'TR'],
    ['cocos (keeling) islands', 'CC'],
    ['  Hong Kong ', 'HK'],
    ['atlantis', null],
    ['XX', null],
    ['', null],
    [null, null],
  ])('%j is %j', (text, code) => {
    expect(countryCode(text)).toBe(code);
  });

  it('has a name of its own wherever the runtime knows one', () => {
    const names = new Intl.DisplayNames(['en'], { type: 'region' });
    const codes = [
      'DE',
      'FR',
      'GB',
      'US',
      'JP',
      'BR',
      'ZA',
      'AE',
      'KR',
      'NZ',
      'VN',
      'MK',
      'SZ',
      'CV',
      'TL',
      'PS',
      'MO',
    ];
    for (const code of codes) expect(countryCode(names.of(code) ?? null)).toBe(code);
  });

  it('is a code in upper case only', () => {
    expect(['DE', 'XK', 'de', 'DEU', 'UK', ''].map(isCountryCode)).toEqual([true, true, false, false, false, false]);
  });
});

describe('a number of employees', () => {
  it.each([
    [1, '1-10'],
    [10, '1-10'],
    [11, '11-50'],
    [200, '51-200'],
    [201, '201-500'],
    [1_000, '501-1000'],
    [5_000, '1001-5000'],
    [10_000, '5001-10000'],
    [10_001, '10001+'],
    [2_000_000, '10001+'],
    ['251-1K', '201-500'],
    ['10K-50K', '10001+'],
    [' 11-50 ', '11-50'],
    [0, null],
    [-5, null],
    [Number.NaN, null],
    ['many', null],
    ['constructor', null],
    [null, null],
  ])('%j is in %j', (size, range) => {
    expect(employeesRange(size)).toBe(range);
  });

  it('keeps a range that is already one of ours', () => {
    expect(EMPLOYEES_RANGES.map(employeesRange)).toEqual(EMPLOYEES_RANGES);
  });
});

describe('a seniority', () => {
  it.each([
    [['manager', 'director'], 'director'],
    [['senior', 'cxo'], 'executive'],
    [['owner'], 'executive'],
    [['entry'], 'junior'],
    [['Senior '], 'senior'],
    [['wizard', 'manager', null], 'manager'],
    [['constructor'], null],
    [[null], null],
    [[], null],
  ])('of %j is %j', (words, rank) => {
    expect(seniority(words)).toBe(rank);
  });
});
