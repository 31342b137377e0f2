import { allFakers, type Faker } from '@faker-js/faker';
import anyAscii from 'any-ascii';

/** A name and a local part that fits it by construction. */
export interface GeneratedPair {
  readonly locale: string;
  readonly pattern: string;
  readonly name: string;
  readonly local: string;
}

/** A local part with one key wrong, and what its owner meant to type. */
export interface PlantedSlip extends GeneratedPair {
  readonly meant: string;
}

/** Writings that leave vowels out or have signs for syllables: no rule makes a usual romanisation of them. */
const OTHER_WRITINGS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Holds what every locale shares, and no names. */
const WITHOUT_NAMES = new Set(['base']);
const SEED = 20_261_122;
const PEOPLE = 60;
const SLIPS = 60;

/** A name, and its letters in an address. */
interface Word {
  readonly written: string;
  readonly ascii: string;
  readonly initial: string;
}

function word(written: string): Word {
  const ascii = anyAscii(written)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return { written, ascii, initial: ascii.charAt(0) };
}

const firstName = (faker: Faker): Word => word(faker.person.firstName());
const lastName = (faker: Faker): Word => word(faker.person.lastName());
const digits = (faker: Faker): string => String(faker.number.int({ min: 1, max: 2_010 }));

interface Drawn {
  readonly name: string;
  /** Pattern to local part. */
  readonly locals: Readonly<Record<string, string>>;
}

/** Kinds of people, each with the addresses usual for it. */
const KINDS: Readonly<Record<string, (faker: Faker) => Drawn>> = {
  plain(faker) {
    const [first, last, number] = [firstName(faker), lastName(faker), digits(faker)];
    const [f, l] = [first.initial, last.initial];
    return {
      name: `${first.written} ${last.written}`,
      locals: {
        first: first.ascii,
        firstNN: first.ascii + number,
        last: last.ascii,
        'last.NN': `${last.ascii}.${number}`,
        'first.last': `${first.ascii}.${last.ascii}`,
        'first.lastNN': `${first.ascii}.${last.ascii}${number}`,
        'last.first': `${last.ascii}.${first.ascii}`,
        first_last: `${first.ascii}_${last.ascii}`,
        'first-last': `${first.ascii}-${last.ascii}`,
        firstlast: first.ascii + last.ascii,
        firstlastNN: first.ascii + last.ascii + number,
        lastfirst: last.ascii + first.ascii,
        'f.last': `${f}.${last.ascii}`,
        flast: f + last.ascii,
        flastNN: f + last.ascii + number,
        'last.f': `${last.ascii}.${f}`,
        lastf: last.ascii + f,
        'first.l': `${first.ascii}.${l}`,
        firstl: first.ascii + l,
        'l.first': `${l}.${first.ascii}`,
        flNN: f + l + number,
      },
    };
  },
  'family name first'(faker) {
    const [first, last] = [firstName(faker), lastName(faker)];
    return {
      name: `${last.written}${faker.helpers.arrayElement([', ', ' '])}${first.written}`,
      locals: {
        first: first.ascii,
        last: last.ascii,
        'first.last': `${first.ascii}.${last.ascii}`,
        flast: first.initial + last.ascii,
      },
    };
  },
  'two given names'(faker) {
    const [first, second, last] = [firstName(faker), firstName(faker), lastName(faker)];
    return {
      name: `${first.written}${faker.helpers.arrayElement(['-', ' '])}${second.written} ${last.written}`,
      locals: {
        first: first.ascii,
        second: second.ascii,
        firstsecond: first.ascii + second.ascii,
        'firstsecond.last': `${first.ascii}${second.ascii}.${last.ascii}`,
        'first-second.last': `${first.ascii}-${second.ascii}.${last.ascii}`,
        'first.last': `${first.ascii}.${last.ascii}`,
        'second.last': `${second.ascii}.${last.ascii}`,
        'first.s.last': `${first.ascii}.${second.initial}.${last.ascii}`,
        'fs.last': `${first.initial}${second.initial}.${last.ascii}`,
        fslast: first.initial + second.initial + last.ascii,
        flast: first.initial + last.ascii,
        last: last.ascii,
      },
    };
  },
  'two family names'(faker) {
    const [first, last, second] = [firstName(faker), lastName(faker), lastName(faker)];
    return {
      name: `${first.written} ${last.written}${faker.helpers.arrayElement(['-', ' '])}${second.written}`,
      locals: {
        first: first.ascii,
        last: last.ascii,
        lastsecond: last.ascii + second.ascii,
        'first.last': `${first.ascii}.${last.ascii}`,
        'first.second': `${first.ascii}.${second.ascii}`,
        'first.lastsecond': `${first.ascii}.${last.ascii}${second.ascii}`,
        'first.last-second': `${first.ascii}.${last.ascii}-${second.ascii}`,
        flast: first.initial + last.ascii,
        flastsecond: first.initial + last.ascii + second.ascii,
        fls: first.initial + last.initial + second.initial,
      },
    };
  },
  'a particle'(faker) {
    const [first, last] = [firstName(faker), lastName(faker)];
    const particle = word(faker.helpers.arrayElement(['van der', 'van', 'de', 'von', 'de la', 'al', 'di', 'dos']));
    return {
      name: `${first.written} ${particle.written} ${last.written}`,
      locals: {
        'first.p.last': `${first.ascii}.${particle.written.replace(' ', '.')}.${last.ascii}`,
        'first.plast': `${first.ascii}.${particle.ascii}${last.ascii}`,
        'first.last': `${first.ascii}.${last.ascii}`,
        first: first.ascii,
        flast: first.initial + last.ascii,
        fplast: first.initial + particle.ascii + last.ascii,
        plast: particle.ascii + last.ascii,
        fp: first.initial + particle.initial,
      },
    };
  },
  'an initial the name lacks'(faker) {
    const [first, last, m] = [firstName(faker), lastName(faker), faker.string.alpha({ casing: 'lower' })];
    return {
      name: `${first.written} ${last.written}`,
      locals: {
        'first.m.last': `${first.ascii}.${m}.${last.ascii}`,
        'fm.last': `${first.initial}${m}.${last.ascii}`,
        fmlast: first.initial + m + last.ascii,
      },
    };
  },
  'a middle name'(faker) {
    const [first, middle, last] = [firstName(faker), word(faker.person.middleName()), lastName(faker)];
    const title = faker.helpers.arrayElement(['', '', 'Dr. ', 'Mr ']);
    return {
      name: `${title}${first.written} ${middle.written} ${last.written}`,
      locals: {
        first: first.ascii,
        middle: middle.ascii,
        last: last.ascii,
        'first.last': `${first.ascii}.${last.ascii}`,
        'middle.last': `${middle.ascii}.${last.ascii}`,
        'first.m.last': `${first.ascii}.${middle.initial}.${last.ascii}`,
        fmlast: first.initial + middle.initial + last.ascii,
        flast: first.initial + last.ascii,
        'first.middle': `${first.ascii}.${middle.ascii}`,
      },
    };
  },
};

/** The locales whose names can be read letter by letter. Each draws by a seed of its own: several share a list of names. */
function* locales(): Generator<readonly [locale: string, faker: Faker]> {
  for (const [i, [locale, faker]] of Object.entries(allFakers).entries()) {
    if (WITHOUT_NAMES.has(locale)) continue;
    faker.seed(SEED + i);
    if (!OTHER_WRITINGS.test(faker.person.firstName() + faker.person.lastName())) yield [locale, faker];
  }
}

/** Names of every alphabetic locale of the library with the addresses of their owners. */
export function generatedPairs(): GeneratedPair[] {
  const pairs: GeneratedPair[] = [];
  for (const [locale, faker] of locales()) {
    for (let i = 0; i < PEOPLE; i += 1) {
      for (const [kind, draw] of Object.entries(KINDS)) {
        const { name, locals } = draw(faker);
        for (const [pattern, local] of Object.entries(locals)) {
          pairs.push({ locale, pattern: `${kind}: ${pattern}`, name, local });
        }
      }
    }
  }
  return pairs;
}

const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** The keys around a key, a row above and below included. */
function around(key: string): string {
  const row = ROWS.findIndex((keys) => keys.includes(key));
  const column = ROWS[row]?.indexOf(key) ?? 0;
  return ROWS.slice(Math.max(0, row - 1), row + 2)
    .flatMap((keys) => Array.from(keys.slice(Math.max(0, column - 1), column + 2)))
    .filter((near) => near !== key)
    .join('');
}

/** What a hand does wrong with the key at a place. */
const HAND: readonly ((text: string, at: number, near: string) => string)[] = [
  (text, at, near) => text.slice(0, at) + near + text.slice(at + 1),
  (text, at, near) => text.slice(0, at) + near + text.slice(at),
  (text, at) => text.slice(0, at) + text.charAt(at) + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
];

const SLIPPED = ['first.last', 'last.first', 'firstlast', 'first_last', 'f.last', 'flast', 'first.lastNN'];

/** One slip of the hand in an address that has both names. */
export function plantedSlips(): PlantedSlip[] {
  const slips: PlantedSlip[] = [];
  for (const [locale, faker] of locales()) {
    for (let i = 0; i < SLIPS; i += 1) {
      const { name, locals } = KINDS.plain?.(faker) ?? { name: '', locals: {} };
      for (const pattern of SLIPPED) {
        const meant = locals[pattern] ?? '';
        const places = Array.from(meant).flatMap((letter, at) => (/[a-z]/.test(letter) ? [at] : []));
        const at = faker.helpers.arrayElement(places);
        const near = faker.helpers.arrayElement(Array.from(around(meant.charAt(at))));
        const local = faker.helpers.arrayElement(HAND)(meant, at, near);
        // An address begins with no dot.
        if (local !== meant && !local.startsWith('.')) slips.push({ locale, pattern, name, local, meant });
      }
    }
  }
  return slips;
}
