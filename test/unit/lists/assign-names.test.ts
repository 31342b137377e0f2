import { describe, expect, it } from 'vitest';
import { assignNames, type NameInputs } from '../../../scripts/lists/assign-names.ts';
import { NAME_SETS } from '../../../src/domain/lists/lists.ts';

const CURATED = { role: [], qualifiers: [], notRole: [], despiteFirstName: [], shared: [], household: [] };
const assign = (roleNames: string[], firstNames: string[], curated: Partial<NameInputs['curated']> = {}) =>
  assignNames({ roleNames, firstNames, curated: { ...CURATED, ...curated } });

describe('assignment of local parts to sets', () => {
  it('keeps of the collected names those that are functions, and says why of the others', () => {
    const { sets, exclusions } = assign(['sales', '2026', 'ca', 'alexa', 'asdf', 'family'], ['Alexa'], {
      notRole: ['asdf'],
      household: ['family'],
    });
    expect([...sets]).toEqual([
      ['sales', NAME_SETS.role],
      ['family', NAME_SETS.shared | NAME_SETS.household],
    ]);
    expect(exclusions.map(({ name, why }) => [name, why])).toEqual([
      ['2026', 'digits only: a year'],
      ['ca', 'two letters: initials or a country'],
      ['alexa', 'a first name'],
      ['asdf', 'no role by a curated table'],
      ['family', 'a household, no function'],
    ]);
  });

  it('takes our own names as they are, two letters and first names included', () => {
    const { sets } = assign(['hr', 'web'], ['Web'], { role: ['hr'], despiteFirstName: ['web'] });
    expect([...sets.keys()]).toEqual(['hr', 'web']);
  });

  it('writes dots and underscores between words as hyphens', () => {
    expect([...assign(['no.reply', 'all_staff'], []).sets.keys()]).toEqual(['no-reply', 'all-staff']);
  });
});
