import { describe, expect, it } from 'vitest';
import { createProviderTypoTest } from '../../../../src/domain/screening/typo/suggest.ts';
import { isProviderTypo, suggestDomain } from '../../../support/lists.ts';

describe("a provider's domain, mistyped", () => {
  it.each([
    ['two letters swapped', 'outolok.com'],
    ['a letter left out', 'outlok.com'],
    ['a letter doubled', 'hotmaill.de'],
    ['of a smaller provider', 'earthlimk.net'],
    ['its suffix only', 'hotmail.cm'],
    ['under another suffix that people type out of habit', 'gmail.net'],
  ])('is recognised: %s (%s)', (_, domain) => {
    expect(isProviderTypo(domain)).toBe(true);
  });

  it.each([
    ['a throwaway service', 'mailinator.com'],
    ['a name of its own near a provider', 'trashgmail.com'],
    ["a provider's name under a suffix that was chosen", 'gmail.press'],
    ["a provider's name below a hosting suffix", 'outlook.edu.pl'],
    ['a look-alike in another script', 'xn--yaho-sqa.com'],
    ['a typo that is not sure', 'gamail.com'],
    ['the provider itself', 'gmail.com'],
    ['an unknown domain whose ending can be put right', 'brightfoundry.con'],
  ])('is not seen in %s (%s)', (_, domain) => {
    expect(isProviderTypo(domain)).toBe(false);
  });

  it('is not seen in a domain that is known to be in use', () => {
    expect(createProviderTypoTest(suggestDomain, (domain) => domain === 'outlok.com')('outlok.com')).toBe(false);
  });
});
