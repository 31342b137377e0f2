import { describe, expect, it } from 'vitest';
import { cover } from '../../../../src/domain/screening/names/cover.ts';
import { readLocalPart } from '../../../../src/domain/screening/names/letters.ts';
import { parseName } from '../../../../src/domain/screening/names/parse-name.ts';
import { lengthsAt, skeletonOf, readName, type Token } from '../../../../src/domain/screening/names/tokens.ts';
import { nameTables } from '../../../support/name-tables.ts';

const { roman, nicknames } = nameTables;

/** One character that NFKC makes eighteen of. */
const LIGATURE = 'ﷺ';

describe('the work on one name', () => {
  it.each([
    ['ligatures', LIGATURE.repeat(300)],
    ['syllables of several letters', '쌍'.repeat(300)],
    ['plain letters', 'a'.repeat(320)],
  ])('reads at most the 64 letters a local part has: %s', (_, local) => {
    const { text, starts, places } = readLocalPart(roman, local);
    expect(text.length).toBeLessThanOrEqual(64);
    expect(text.length).toBeGreaterThan(50);
    expect([starts.length, places.length]).toEqual([text.length + 1, text.length]);
  });

  it.each([
    ['ligatures', LIGATURE.repeat(200)],
    ['a word of ligatures without a blank', 'ﷲ'.repeat(200)],
    ['plain letters', 'a'.repeat(200)],
  ])('reads at most 64 characters of a word: %s', (_, name) => {
    const words = parseName(nameTables, name, 'chinese');
    expect(words).not.toEqual([]);
    for (const { written } of words) expect(Array.from(written).length).toBeLessThanOrEqual(64);
  });

  it.each([null, 'spelling', 'nickname'] as const)('looks at a bounded number of forms: edits %s', (edits) => {
    const { tokens } = readName(nameTables, 'Alexander Alexandra Alexis Aleksandr Sasha Sandra Lex Alex', 'chinese');
    let looks = 0;
    const counted = tokens.map((token): Token => ({
      ...token,
      get spellings() {
        looks += token.spellings.length;
        return token.spellings;
      },
      get nicknames() {
        looks += token.nicknames.length;
        return token.nicknames;
      },
    }));
    for (const local of ['alexsashasandraalexsashasandraalexsashasandra', 'lasx'.repeat(16), LIGATURE.repeat(9)]) {
      looks = 0;
      cover(
        { isGivenName: nicknames.isGivenName, isBorne: nicknames.isGivenName },
        readLocalPart(roman, local),
        counted,
        { truncation: true, edits },
      );
      expect(looks).toBeGreaterThan(0);
      expect(looks).toBeLessThan(50_000);
    }
  });

  it.each([
    ['one consonant again and again', 'س'.repeat(9) + 'م', 's'.repeat(64)],
    ['vowels and a consonant that sound alike', 'اح'.repeat(8) + 'م', 'h'.repeat(64)],
    ['consonants that begin one another', 'सह'.repeat(4) + 'म', 'sh'.repeat(32)],
    ['nasals that may be left out', 'ं'.repeat(30) + 'क', 'n'.repeat(64)],
    ['nasals between vowel signs', `क${'ंाँा'.repeat(7)}क`, `k${'n'.repeat(63)}`],
  ])('puts vowels into a word in a bounded number of ways: %s', (_, written, text) => {
    const skeleton = skeletonOf(written);
    expect(skeleton).not.toBeNull();
    const started = performance.now();
    for (let pos = 0; pos < text.length; pos += 1) if (skeleton !== null) lengthsAt(skeleton, text, pos);
    // Milliseconds; without the bounds, minutes.
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('reads no word of more consonants, or of more parts, than a name has', () => {
    expect(skeletonOf('ं'.repeat(32) + 'क')).toBeNull();
    expect(skeletonOf('م'.repeat(10))).not.toBeNull();
    expect(skeletonOf('م'.repeat(11))).toBeNull();
  });
});
