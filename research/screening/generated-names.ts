import { allFakers, type Faker } from '@faker-js/faker';
import anyAscii from 'any-ascii';
import { NICKNAMES } from '../../scripts/lists/tables.ts';

/** A name and a local part that fits it by construction. */
export interface GeneratedPair {
  readonly locale: string;
  readonly pattern: string;
  readonly name: string;
  readonly local: string;
}

/** A local part with one wrong key, and the intended one. */
export interface PlantedTypo extends GeneratedPair {
  readonly meant: string;
}

/** Writings that leave vowels out or have signs for syllables: no rule makes a usual romanisation of them. */
const OTHER_WRITINGS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thaana}\p{Script=Devanagari}\p{Script=Thai}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** The shared base locale, which has no names. */
const WITHOUT_NAMES = new Set(['base']);
const SEED = 20_261_122;
const PEOPLE = 60;
const TYPOS = 60;

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

/** How many family names are drawn for one that begins with the letter that a given name ends in. */
const DRAWS = 40;
/** Short forms alone: a family name of the locale is written behind them. */
const NICKNAME_GROUPS = NICKNAMES.flatMap(({ lines }) => lines).map((group) => group.split(' '));
/** Syllables of Korean given names, each in the spellings that its people use. */
const KOREAN = [
  'ji jee',
  'woo u wu',
  'soo su',
  'joo ju',
  'hyun hyeon',
  'young yeong',
  'jung jeong',
  'sung seong',
  'kyung gyeong',
  'hee hui',
  'jun joon',
  'yoon yun',
  'min',
  'jin',
  'eun',
  'ha',
].map((spellings) => spellings.split(' '));

/** Without the vowels behind its first letter; as it is where too little would be left. */
function withoutVowels({ ascii, initial }: Word): string {
  const short = initial + ascii.slice(1).replace(/[aeiouy]/g, '');
  return short.length < 3 ? ascii : short;
}

const twice = ({ ascii }: Word): string => ascii + ascii.slice(-1);

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
  'one letter for two'(faker) {
    const first = firstName(faker);
    const drawn = Array.from({ length: DRAWS }, () => lastName(faker));
    const last = drawn.find(({ initial }) => initial === first.ascii.slice(-1));
    if (last === undefined) return { name: '', locals: {} };
    const joined = first.ascii + last.ascii.slice(1);
    return {
      name: `${first.written} ${last.written}`,
      locals: { firstlast: joined, firstlastNN: joined + digits(faker) },
    };
  },
  'cut short'(faker) {
    const [first, last, number] = [firstName(faker), lastName(faker), digits(faker)];
    const [first3, last3] = [first.ascii.slice(0, 3), last.ascii.slice(0, 3)];
    return {
      name: `${first.written} ${last.written}`,
      locals: {
        'last.3first': `${last.ascii}.${first3}`,
        'last.3firstNN': `${last.ascii}.${first3}${number}`,
        last3first: last.ascii + first3,
        '3first.last': `${first3}.${last.ascii}`,
        '3firstlast': first3 + last.ascii,
        'first.3last': `${first.ascii}.${last3}`,
        first3last: first.ascii + last3,
        '3first3last': first3 + last3,
        '3last3first': last3 + first3,
      },
    };
  },
  'letters repeated on purpose'(faker) {
    const [first, last] = [firstName(faker), lastName(faker)];
    return {
      name: `${first.written} ${last.written}`,
      locals: {
        firstt: twice(first),
        lastt: twice(last),
        'firstt.lastt': `${twice(first)}.${twice(last)}`,
        'first.lasttt': `${first.ascii}.${twice(last)}${last.ascii.slice(-1)}`,
        firstlasttt: first.ascii + twice(last) + last.ascii.slice(-1),
        'ffirst.llast': `${first.initial}${first.ascii}.${last.initial}${last.ascii}`,
      },
    };
  },
  'without vowels'(faker) {
    const [first, last] = [firstName(faker), lastName(faker)];
    const [short, lastShort] = [withoutVowels(first), withoutVowels(last)];
    return {
      name: `${first.written} ${last.written}`,
      locals: {
        'frst.last': `${short}.${last.ascii}`,
        'first.lst': `${first.ascii}.${lastShort}`,
        'frst.lst': `${short}.${lastShort}`,
        frstlst: short + lastShort,
        'f.lst': `${first.initial}.${lastShort}`,
      },
    };
  },
  'a nickname'(faker) {
    const [formal = '', short = ''] = faker.helpers.arrayElements(faker.helpers.arrayElement(NICKNAME_GROUPS), 2);
    const last = lastName(faker);
    return {
      name: `${formal} ${last.written}`,
      locals: {
        nick: short,
        'nick.last': `${short}.${last.ascii}`,
        nicklast: short + last.ascii,
        'last.nick': `${last.ascii}.${short}`,
      },
    };
  },
  'a Korean name in Latin letters'(faker) {
    const syllables = faker.helpers.arrayElements(KOREAN, 2);
    const [name, local] = [0, 1].map(() => syllables.map((spellings) => faker.helpers.arrayElement(spellings)));
    if (name === undefined || local === undefined) return { name: '', locals: {} };
    const last = word(faker.helpers.arrayElement(['Kim', 'Park', 'Choi', 'Kang', 'Yoon', 'Shin']));
    return {
      name: `${name.join(faker.helpers.arrayElement(['-', ' ', '']))} ${last.written}`,
      locals: {
        first: local.join(''),
        'first.last': `${local.join('')}.${last.ascii}`,
        firstlast: local.join('') + last.ascii,
        'fs.last': `${local.map((syllable) => syllable.charAt(0)).join('')}.${last.ascii}`,
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

const MAX_NEIGHBOURS = 40;

/** Whether one letter more, less, other or moved by a place makes one of the other. */
export function isOneApart(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || one === other) return false;
  let same = 0;
  while (same < short.length && short.charAt(same) === long.charAt(same)) same += 1;
  const rest = short.slice(same + (short.length === long.length ? 1 : 0));
  if (rest === long.slice(same + 1)) return true;
  const swapped = long.slice(0, same) + long.charAt(same + 1) + long.charAt(same) + long.slice(same + 2);
  return short === swapped;
}

/**
 * Addresses of people whose given or family name is one letter from that of somebody else, who is named beside them. `isWanted`: the
 * names in the address.
 */
export function neighbouringPairs(isWanted: (ascii: string) => boolean = () => true): GeneratedPair[] {
  const pairs: GeneratedPair[] = [];
  for (const [locale, faker] of locales()) {
    for (const kind of ['given', 'family'] as const) {
      const draw = kind === 'given' ? firstName : lastName;
      const drawn = new Map(Array.from({ length: 400 }, () => draw(faker)).map((one) => [one.ascii, one]));
      const words = [...drawn.values()].filter(({ ascii }) => ascii.length > 1);
      const near = words.flatMap((one) =>
        words
          .filter(({ ascii }) => isWanted(ascii) && isOneApart(one.ascii, ascii))
          .map((other) => [one, other] as const),
      );
      for (const [one, other] of near.slice(0, MAX_NEIGHBOURS)) {
        const [named, beside] = kind === 'given' ? [one, lastName(faker)] : [firstName(faker), one];
        const [first, last] = kind === 'given' ? [other, beside] : [named, other];
        const name = `${named.written} ${beside.written}`;
        const pattern = `${kind} name one letter away`;
        pairs.push({ locale, pattern, name, local: `${first.ascii}.${last.ascii}` });
        pairs.push({ locale, pattern, name, local: first.ascii + last.ascii });
        pairs.push({ locale, pattern, name, local: `${last.ascii}.${first.ascii}` });
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

/** The typing errors at one key. */
const HAND: readonly ((text: string, at: number, near: string) => string)[] = [
  (text, at, near) => text.slice(0, at) + near + text.slice(at + 1),
  (text, at, near) => text.slice(0, at) + near + text.slice(at),
  (text, at) => text.slice(0, at) + text.charAt(at) + text.slice(at),
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2),
];

const SLIPPED = ['first.last', 'last.first', 'firstlast', 'first_last', 'f.last', 'flast', 'first.lastNN'];

/** One typo of the hand in an address that has both names. */
export function plantedTypos(): PlantedTypo[] {
  const typos: PlantedTypo[] = [];
  for (const [locale, faker] of locales()) {
    for (let i = 0; i < TYPOS; i += 1) {
      const { name, locals } = KINDS.plain?.(faker) ?? { name: '', locals: {} };
      for (const pattern of SLIPPED) {
        const meant = locals[pattern] ?? '';
        const places = Array.from(meant).flatMap((letter, at) => (/[a-z]/.test(letter) ? [at] : []));
        const at = faker.helpers.arrayElement(places);
        const near = faker.helpers.arrayElement(Array.from(around(meant.charAt(at))));
        const local = faker.helpers.arrayElement(HAND)(meant, at, near);
        // An address begins with no dot.
        if (local !== meant && !local.startsWith('.')) typos.push({ locale, pattern, name, local, meant });
      }
    }
  }
  return typos;
}
