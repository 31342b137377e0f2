import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leavesDoubt, modelName } from '../../../../src/domain/screening/model.ts';

describe('a name as the model gets it', () => {
  it.each([
    ['as typed', "Seán O'Brien-Müller", "Seán O'Brien-Müller"],
    ['composed', 'Zoe\u0308', 'Zoë'],
    ['without zero-width characters', 'A\u200bd\u200da\ufeff', 'Ada'],
    ['without direction marks', '\u202eAda\u202c \u2067Lovelace\u2069', 'Ada Lovelace'],
    ['right-to-left names whole', 'علی رضا', 'علی رضا'],
    ['without control characters', 'Ada\u0000\u001b[31m', 'Ada[31m'],
    ['on one line', 'Ada\r\n\tLovelace\u2028King', 'Ada Lovelace King'],
    ['without halves of surrogate pairs', 'Ada\ud83d', 'Ada'],
    ['with its emoji', 'Ada 🎉', 'Ada 🎉'],
    ['empty when nothing is seen', '\u200b\u00ad\u2060', ''],
  ])('is %s', (_, name, sent) => {
    expect(modelName(name)).toBe(sent);
  });

  it('is 200 whole characters at most', () => {
    expect(Array.from(modelName('👩'.repeat(500)))).toHaveLength(200);
    expect(modelName('👩'.repeat(500)).isWellFormed()).toBe(true);
  });

  it('shows every character it has, whatever was typed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        expect(modelName(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
    );
  });
});

describe('doubt about a name', () => {
  it.each([
    ['none where the address has it', 'Ada Lovelace', 'match', false],
    ['where the address has it but the name is odd', 'Test Test', 'match', true],
    ['where the address has it but the name is of an invented figure', 'Mickey Mouse', 'match', true],
    ['for an invented figure, family name first and with marks', 'NÖEL, Père', 'partial', true],
    ['none for a name that a person bears too', 'James Bond', 'match', false],
    ['none for half the name of a figure', 'Minnie Driver', 'match', false],
    ['none where the address has part of it', 'Ada Lovelace', 'partial', false],
    ['none where the address has it mistyped', 'Ada Lovelace', 'typo', false],
    ['where the address has part of it but the name is odd', 'Asdf Lovelace', 'partial', true],
    ['for digits in it', 'Ada 4711', 'typo', true],
    ['for signs in it', 'Ada <b>', 'partial', true],
    ['none for the signs of names', "J. R. D'Arc-Smith, Jr.", 'partial', false],
    ['where the address says another', 'Ada Lovelace', 'mismatch', true],
    ['where nothing could be compared', '李小龙', 'not_checked', true],
    ['for a name of one Han character', '李', 'mismatch', true],
    ['none for a single letter: no name to judge', 'X', 'mismatch', false],
    ['for digits alone', '123 456', 'mismatch', true],
    ['for digits alone that the address has', '4711', 'match', true],
    ['none for punctuation', '---', 'mismatch', false],
    ['none where nothing is seen', '', 'not_checked', false],
    ['none for emoji', '🎉🎉', 'mismatch', false],
  ] as const)('%s', (_, name, match, doubt) => {
    expect(leavesDoubt(name, match)).toBe(doubt);
  });
});
