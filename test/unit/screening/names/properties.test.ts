import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchName } from '../../../../scripts/lists/shipped.ts';
import { NAME_SUFFIXES, TITLES } from '../../../../src/domain/screening/names/parse-name.ts';
import { nameTables } from '../../../support/name-tables.ts';

const { nicknamesOf } = nameTables.nicknames;

const GIVEN = ['Clara', 'Rolf', 'Ishaan', 'Miriam', 'Tobias', 'Annelie', 'Wendell', 'Priya', 'Kasper', 'Leonor'];
const FAMILY = [
  'Hoffstad',
  'Overbeck',
  'Lindqvist',
  'Arrieta',
  'Corvoisier',
  'Banerjee',
  'Wisniowski',
  'Thorne',
  'Meulen',
  'Quiroga',
];
const MARKED = [
  'Jörg',
  'Łukasz',
  'Zoë',
  'Renée',
  'Çağla',
  'Søren',
  'Núria',
  'Šárka',
  'Đorđe',
  'Müller',
  'Peña',
  'Dvořák',
];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const SHAPES: readonly ((given: string, family: string) => string)[] = [
  (given, family) => `${given}.${family}`,
  (given, family) => `${given}${family}`,
  (given, family) => `${family}.${given}`,
  (given, family) => `${given}_${family}85`,
  (given, family) => `${given}-${family}+news`,
  (given, family) => `${given.charAt(0)}${family}`,
  (given, family) => `${given.charAt(0)}.${family}`,
  (given, family) => `${family}${given.charAt(0)}`,
];

const given = fc.constantFrom(...GIVEN);
const family = fc.constantFrom(...FAMILY);
const person = fc
  .record({ given, family, shape: fc.constantFrom(...SHAPES) })
  .map(({ given: first, family: last, shape }) => ({
    name: `${first} ${last}`,
    turned: `${last}, ${first}`,
    reversed: `${last} ${first}`,
    local: shape(first.toLowerCase(), last.toLowerCase()),
  }));
const typo = fc.record({
  kind: fc.constantFrom('replace', 'insert', 'remove', 'swap'),
  at: fc.nat({ max: 40 }),
  letter: fc.constantFrom(...LETTERS),
});

/** One letter of the text wrong; separators, digits and the tag stay. */
function slipped(text: string, { kind, at, letter }: { kind: string; at: number; letter: string }): string {
  const places = [...text].flatMap((character, i) =>
    /[a-z]/.test(character) && !text.slice(0, i).includes('+') ? [i] : [],
  );
  const place = places[at % places.length] ?? 0;
  switch (kind) {
    case 'replace':
      return text.slice(0, place) + letter + text.slice(place + 1);
    case 'insert':
      return text.slice(0, place) + letter + text.slice(place);
    case 'remove':
      return text.slice(0, place) + text.slice(place + 1);
    default:
      return text.slice(0, place) + text.charAt(place + 1) + text.charAt(place) + text.slice(place + 2);
  }
}

const RUNS = { numRuns: 400 };
const unmarked = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

describe('of a name and an address that fit', () => {
  it('the order of the name does not matter', () => {
    fc.assert(
      fc.property(person, ({ name, turned, reversed, local }) => {
        for (const written of [name, turned, reversed]) expect(matchName(written, local).match).toBe('match');
      }),
      RUNS,
    );
  });

  it('case does not matter', () => {
    fc.assert(
      fc.property(person, ({ name, local }) => {
        expect(matchName(name.toUpperCase(), local).match).toBe('match');
        expect(matchName(name.toLowerCase(), local.toUpperCase()).match).toBe('match');
      }),
      RUNS,
    );
  });

  it('one typo is never a mismatch', () => {
    fc.assert(
      fc.property(person, typo, ({ name, local }, edit) => {
        expect(matchName(name, slipped(local, edit)).match).not.toBe('mismatch');
      }),
      { numRuns: 3_000 },
    );
  });

  it('a corrected typo fits', () => {
    fc.assert(
      fc.property(person, typo, ({ name, local }, edit) => {
        const { match, correctedLocalPart } = matchName(name, slipped(local, edit));
        fc.pre(match === 'typo');
        expect(matchName(name, correctedLocalPart ?? '').match).toBe('match');
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('one letter behind a given name', () => {
  it('is an initial: no other name is suggested', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...GIVEN, 'Robert', 'Mary', 'Hans', 'Marco'),
        fc.constantFrom(...LETTERS),
        (first, letter) => {
          fc.pre(!first.endsWith(letter));
          expect(matchName(first, first.toLowerCase() + letter).correctedLocalPart).toBeNull();
        },
      ),
      RUNS,
    );
  });
});

/** The usual addresses of somebody with these names: no letter is wrong. */
const RIGHT: readonly ((first: string, last: string, number: number) => string)[] = [
  (first) => first,
  (first, _, number) => `${first}${number}`,
  (_, last) => last,
  (_, last, number) => `${last}.${number}`,
  (first, last) => `${first}.${last}`,
  (first, last) => `${last}_${first}`,
  (first, last, number) => `${first}${last}${number}`,
  (first, last) => first.charAt(0) + last,
  (first, last) => `${first.charAt(0)}.${last}`,
  (first, last) => last + first.charAt(0),
  (first, last) => first + last.charAt(0),
  (first, last) => `${last.charAt(0)}.${first}`,
];

describe('an address that is right', () => {
  // Two names that begin alike are the hard ones: names of chance letters are as often as not.
  const word = fc
    .string({ unit: fc.constantFrom(...'aeiobdklmnrst'), minLength: 4, maxLength: 9 })
    // `Dott Rossi` is addressed so rather than called so: a title is no part of the name.
    .filter((letters) => /[aeio]/.test(letters) && !TITLES.has(letters) && !NAME_SUFFIXES.has(letters));
  const names = fc.oneof(given, family, word);

  it('is never corrected', () => {
    fc.assert(
      fc.property(names, names, fc.constantFrom(...RIGHT), fc.nat({ max: 2_010 }), (first, last, write, number) => {
        const local = write(first.toLowerCase(), last.toLowerCase(), number);
        const { match, correctedLocalPart } = matchName(`${first} ${last}`, local);
        expect(correctedLocalPart).toBeNull();
        expect(match).not.toBe('mismatch');
      }),
      { numRuns: 3_000 },
    );
  });

  it('is never corrected beside a second name, whichever of them it has', () => {
    fc.assert(
      fc.property(
        names,
        names,
        names,
        fc.constantFrom(...RIGHT),
        fc.nat({ max: 2_010 }),
        (one, two, three, write, number) => {
          const words = [one, two, three].map((name) => name.toLowerCase());
          for (const [i, j] of [
            [0, 1],
            [0, 2],
            [1, 2],
          ] as const) {
            const local = write(words[i] ?? '', words[j] ?? '', number);
            expect(matchName(`${one} ${two} ${three}`, local).correctedLocalPart).toBeNull();
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('marks on letters', () => {
  it('do not matter, in the name or in the address', () => {
    const marked = fc.constantFrom(...MARKED);
    fc.assert(
      fc.property(marked, family, (first, last) => {
        const plain = unmarked(first);
        expect(matchName(`${first} ${last}`, `${plain}.${last}`).match).toBe('match');
        expect(matchName(`${plain} ${last}`, `${first}.${last}`).match).toBe('match');
        expect(matchName(`${first.normalize('NFD')} ${last}`, `${first}.${last}`).match).toBe('match');
      }),
      RUNS,
    );
  });
});

describe('nicknames', () => {
  it.each(['robert', 'bob', 'sasha', 'alexander', 'pepe', 'jose', 'peggy', 'gianni', 'wojtek', 'mohammed'])(
    'of %s fit it both ways',
    (name) => {
      const others = nicknamesOf(name);
      expect(others).not.toEqual([]);
      for (const other of others) {
        expect(nicknamesOf(other)).toContain(name);
        expect(matchName(`${name} Hoffstad`, `${other}.hoffstad`).match).toBe('match');
        expect(matchName(`${other} Hoffstad`, `${name}.hoffstad`).match).toBe('match');
      }
    },
  );
});

describe('any text at all', () => {
  it('gets an answer, a correction only with a typo', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ maxLength: 64 }), (name, local) => {
        const { match, correctedLocalPart } = matchName(name, local);
        expect(correctedLocalPart !== null).toBe(match === 'typo');
      }),
      RUNS,
    );
  });
});
