/**
 * Writes `src/domain/screening/placeholder/letter-pairs.json`: how likely each letter follows another in the names of people.
 * Run it when a source below changes: `node scripts/lists/letter-pairs.ts`. Needs the registry; none of a package’s
 * code is run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../command-line.ts';
import { type Package, pinned, readFileTypes } from './sources.ts';
import { namesIn, TABLES } from './tables.ts';

commandLine('letter-pairs', 'Counts how often letters follow each other in names.').parse();

const TARGET = join(import.meta.dirname, '../../src/domain/screening/placeholder/letter-pairs.json');

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

/** How often each letter follows each letter, and the beginning (last row). */
function followersIn(locals: Iterable<string>): number[][] {
  const followers = Array.from({ length: LETTERS.length + 1 }, () => Array.from(LETTERS, () => 0));
  for (const local of locals) {
    let row = followers.at(-1);
    for (const letter of local) {
      const column = LETTERS.indexOf(letter);
      if (row) row[column] = (row[column] ?? 0) + 1;
      row = followers[column];
    }
  }
  return followers;
}

const totalOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** How much likelier than by chance each follower is, in nats. */
function likelier(counts: readonly number[]): number[] {
  const total = totalOf(counts);
  return counts.map((count) =>
    Math.log(((count + PRIOR_PAIRS / LETTERS.length) / (total + PRIOR_PAIRS)) * LETTERS.length),
  );
}

const encoded = (nats: readonly number[]): string =>
  nats
    .map((likelihood) => {
      const steps = Math.round(likelihood / STEP_NATS);
      return LETTERS[Math.max(0, Math.min(LETTERS.length - 1, LETTERS.indexOf(EVEN) + steps))];
    })
    .join('');

const pairs = followersIn(corpus).map((counts) => likelier(counts));

/** People who write short leave out all vowels, or keep the one in front; y is one of them or not. */
const WITHOUT_VOWELS = [/[aeiou]/g, /[aeiouy]/g, /(?<!^)[aeiou]/g, /(?<!^)[aeiouy]/g] as const;
const CONSONANTS = 'bcdfghjklmnpqrstvwxyz';
/** Counts as much as this many triples seen, spread as the last two letters say. */
const PRIOR_TRIPLES = 300;
/** Weight of pairs in names written out: they are the better guide for languages that the source lacks. */
const WRITTEN_OUT_SHARE = 0.3;

const desks = namesIn(TABLES.roleNames).map((name) => name.replaceAll('-', ''));

const fileTypes = readFileTypes();
const types = Object.values(JSON.parse(fileTypes.text('db.json')) as Record<string, { extensions?: string[] }>);
const shortForms = [...new Set(types.flatMap(({ extensions = [] }) => extensions))].filter(
  (name) => name.length > 1 && Array.from(name).every((letter) => CONSONANTS.includes(letter)),
);
/** With how many others each is joined (`sqlxml`): more would outweigh the names. */
const SHORT_FORMS_JOINED = 20;
const programs = shortForms.flatMap((name, i) =>
  Array.from({ length: SHORT_FORMS_JOINED }, (_, k) => name + shortForms[(i * 7 + k * 31 + 1) % shortForms.length]),
);

const shortened = WITHOUT_VOWELS.flatMap((vowels) => {
  const short = (names: readonly string[]): string[] => names.map((name) => name.replaceAll(vowels, ''));
  return [...byLanguage, { first: desks, last: desks }].flatMap(({ first, last }) =>
    localParts({ first: short(first), last: short(last) }),
  );
});
const isVowel = (letter: string): boolean => !CONSONANTS.includes(letter);
/** A vowel in front says nothing of the letters behind it. */
const vowelless = new Set(
  [...shortened, ...programs]
    .map((local) => (isVowel(local.charAt(0)) ? local.slice(1) : local))
    .filter((local) => local.length > 1),
);
const start = CONSONANTS.length;
const places = start + 1;
const counted = Array.from({ length: places * places }, () => Array.from(CONSONANTS, () => 0));
for (const local of vowelless) {
  let [before, last] = [start, start];
  for (const letter of local) {
    const column = CONSONANTS.indexOf(letter);
    const row = counted[before * places + last];
    if (row) row[column] = (row[column] ?? 0) + 1;
    [before, last] = [last, column];
  }
}

/** How much likelier than by chance each consonant follows two letters (or the beginning), in nats. */
function tripleNats(before: number, last: number): number[] {
  const seen = counted[before * places + last] ?? [];
  const afterLast = Array.from(CONSONANTS, (_, column) =>
    totalOf(counted.map((row, i) => (i % places === last ? (row[column] ?? 0) : 0))),
  );
  const [seenInAll, lastInAll] = [totalOf(seen), totalOf(afterLast)];
  const writtenOut = pairs[last === start ? LETTERS.length : LETTERS.indexOf(CONSONANTS.charAt(last))] ?? [];
  return Array.from(CONSONANTS, (letter, column) => {
    const pair = ((afterLast[column] ?? 0) + PRIOR_PAIRS / CONSONANTS.length) / (lastInAll + PRIOR_PAIRS);
    const triple = ((seen[column] ?? 0) + PRIOR_TRIPLES * pair) / (seenInAll + PRIOR_TRIPLES);
    return Math.log(triple * CONSONANTS.length) + WRITTEN_OUT_SHARE * (writtenOut[LETTERS.indexOf(letter)] ?? 0);
  });
}

const contexts = [...Array(places).keys()];
const triples = contexts.map((before) => contexts.map((last) => encoded(tripleNats(before, last))).join(''));

const count = (names: { readonly size: number }): string => names.size.toLocaleString('en');
const table = {
  about: `Written by \`node scripts/lists/letter-pairs.ts\` from ${count(corpus)} local parts made of the names of ${faker.name} ${faker.version} (${faker.licence}) and the pinyin syllables, and ${count(vowelless)} names and names of desks without their vowels and file types of ${fileTypes.name} ${fileTypes.version} (${fileTypes.licence}).`,
  pairs: pairs.map(encoded),
  consonants: CONSONANTS,
  vowellessTriples: triples,
};
writeFileSync(TARGET, `${JSON.stringify(table, null, 2)}\n`);
process.stdout.write(`${corpus.size} local parts, ${vowelless.size} without vowels\n`);
