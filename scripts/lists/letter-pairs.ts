/**
 * Writes `src/domain/screening/placeholder/letter-pairs.ts`: how likely each letter follows another in the names of people.
 * Run it when the source below changes: `node scripts/lists/letter-pairs.ts`. Needs the registry; none of the package's
 * code is run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../command-line.ts';
import { type Package, pinned } from './packages.ts';

commandLine('letter-pairs', 'Counts how often letters follow each other in names.').parse();

const TARGET = join(import.meta.dirname, '../../src/domain/screening/placeholder/letter-pairs.ts');

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** Counts as much as this many pairs seen, evenly spread: no pair is impossible. */
const PRIOR_PAIRS = 2;
/** The code letter of even odds, and nats a letter away from it. */
const [EVEN, STEP_NATS] = ['q', 0.25];

/** First and last names of some fifty languages, as their statistical offices and users gave them. MIT. */
const readNames = (): Package =>
  pinned(
    '@faker-js/faker',
    '10.6.0',
    'sha512-3RQHgEtvL1Frl/d1cSreo7qhJ3Gk1OdNUai/CtZ8G+wYeRQnJih3s9xJ9/kgYekPQRdwgh0HXRPqMlzWGwivIQ==',
  );

interface Names {
  readonly first: readonly string[];
  readonly last: readonly string[];
}

const SPELT_OUT: readonly (readonly [letter: string, ascii: string])[] = [
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ı', 'i'],
];

/** As people write it in an address; names of other scripts fall away. */
const asTyped = (name: string): string =>
  SPELT_OUT.reduce((text, [letter, ascii]) => text.replaceAll(letter, ascii), name.toLowerCase())
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'’ʼʻ‘ -]/g, '');

function namesOf(text: string, field: 'first_name' | 'last_name'): string[] {
  const block = new RegExp(`${field}:\\{([^{}]*)\\}`).exec(text)?.[1] ?? '';
  const strings = Array.from(block.matchAll(/`([^`]*)`/g), ([, string = '']) => string.split('.'));
  return strings
    .flat()
    .map(asTyped)
    .filter((name) => /^[a-z]{2,}$/.test(name));
}

const faker = readNames();
const byLanguage = faker.paths
  .filter((path) => /^dist\/[a-z]{2}[A-Za-z_]*-[^.]+\.js$/.test(path))
  .map((path): Names => {
    const text = faker.text(path);
    return { first: namesOf(text, 'first_name'), last: namesOf(text, 'last_name') };
  });

/** Chinese names come in Han there: the syllables of Hanyu Pinyin (ISO 7098), nearly every initial with every final. */
const PINYIN_INITIALS = 'b p m f d t n l g k h j q x zh ch sh r z c s y w'.split(' ');
const PINYIN_FINALS =
  'a o e i u ai ei ui ao ou iu ie ue an en in un ang eng ing ong ia iao ian iang iong ua uo uai uan uang'.split(' ');
const pinyin = PINYIN_INITIALS.flatMap((initial) => PINYIN_FINALS.map((final) => initial + final));

/** The local parts people make of a name: alone, joined, with an initial. */
function localParts({ first, last }: Names): string[] {
  const joined = Array.from(
    { length: first.length && last.length ? Math.max(first.length, last.length) : 0 },
    (_, i) => {
      // Steps without a common factor with the lists' lengths, mostly: each name meets another.
      const [given = '', family = ''] = [first[(i * 7) % first.length], last[(i * 13) % last.length]];
      return [
        given + family,
        family + given,
        given.charAt(0) + family,
        family + given.charAt(0),
        given + family.charAt(0),
      ];
    },
  );
  return [...first, ...last, ...joined.flat()];
}

const corpus = new Set([...byLanguage, { first: pinyin, last: pinyin }].flatMap(localParts));

/** Of each letter, and of the beginning (last row), which letters follow how often. */
const followers = Array.from({ length: LETTERS.length + 1 }, () => Array.from(LETTERS, () => 0));
for (const local of corpus) {
  let row = followers.at(-1);
  for (const letter of local) {
    const column = LETTERS.indexOf(letter);
    if (row) row[column] = (row[column] ?? 0) + 1;
    row = followers[column];
  }
}

function encoded(counts: readonly number[]): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts
    .map((count) => {
      const share = (count + PRIOR_PAIRS / LETTERS.length) / (total + PRIOR_PAIRS);
      const steps = Math.round(Math.log(share * LETTERS.length) / STEP_NATS);
      return LETTERS[Math.max(0, Math.min(LETTERS.length - 1, LETTERS.indexOf(EVEN) + steps))];
    })
    .join('');
}

writeFileSync(
  TARGET,
  `/** Written by \`node scripts/lists/letter-pairs.ts\` from the names of ${faker.name} ${faker.version} (${faker.licence}) and the pinyin syllables. */

/**
 * How much likelier than by chance a letter follows another in ${corpus.size.toLocaleString('en')} local parts made of names: a row for each
 * letter before (a to z), the last row for the beginning; in it a code letter for each letter after. \`${EVEN}\`: by chance;
 * each letter on or back: ${STEP_NATS} nats more or less.
 */
export const LETTER_PAIRS: readonly string[] = [
${followers.map((counts) => `  '${encoded(counts)}',`).join('\n')}
];
`,
);
process.stdout.write(`${corpus.size} local parts\n`);
