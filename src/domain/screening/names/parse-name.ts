import type { NameTables, NativeReading, Romaniser } from './tables.ts';

/** Words in names that are not names themselves: lower case, delimited by spaces, dots and commas. */
const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/**
 * Titles of European, Arabic and Indian languages. Those that are names too (Dame, Sheikh, Pan, Kumari) are left out: a
 * name of three words matches by two.
 */
export const TITLES = wordSet(
  'dr mr mrs ms mx miss prof professor sir rev reverend hon capt col maj lt sgt herr frau fraulein fräulein dipl ing ' +
    'mag mme mlle madame monsieur mademoiselle maître sr sra srta señor señora señorita senhor senhora dra dott dottssa sig ' +
    'signor signora avv dhr mevr mw hr fru mgr bc judr mudr phdr г-н г-жа господин госпожа shri ' +
    'smt shrimati',
);

/** Generations, degrees, honours, Japanese honorifics. Short family names (`Ma`, `Do`) are left out. */
export const NAME_SUFFIXES = wordSet(
  'jr sr snr jnr junior senior ii iii iv 2nd 3rd phd dphil md mba msc bsc llb llm jd esq esquire cpa cfa cissp pmp dds ' +
    'dvm obe mbe cbe frcs frs filho neto sobrinho fils père san sama sensei 先生 女士 小姐 さん 様 씨 님',
);

/** Suffixes that are names too: without a comma before them they are ordinary words (`Marina Neto`). */
const SUFFIXES_AND_NAMES = wordSet('junior senior md neto filho sobrinho');

/** Part of a family name: Dutch, German, Romance, Arabic, Hebrew, Nordic, Irish, Malay, Vietnamese middle words. */
const PARTICLES = wordSet(
  "van von de der den des del della dello dei degli di da das do dos du d' la las le les lo los el al ul as ash ad ibn bin " +
    "ben bint binti bat abu abd af av zu zum zur vom ter ten te op het 't y e i und st saint san santa mac mc o' ó ní nic ap " +
    'thi thị van văn bte a/l a/p',
);

/** Announce another name: the maiden name counts as one more. */
const MAIDEN_WORDS = wordSet('née nee né born geb geborene épouse aka alias dite dit');

/** How much of the sound a script writes, for comparing romanisations. Kanji are Han read as Japanese. */
export type Writing = 'latin' | 'alphabet' | 'hangul' | 'han' | 'kanji' | 'kana' | 'consonants';

export type HanReading = 'chinese' | 'japanese';

/** Given or family name by the order of the name, or null. */
export type NameRole = 'given' | 'family' | null;

/** One word of a name: a unit counts once, however many words it is written with (`Jean-Pierre`, 小明). */
export interface NameWord {
  /** NFKC, lower case, letters and apostrophes. */
  readonly written: string;
  readonly writing: Writing;
  readonly unit: number;
  readonly role: NameRole;
  /** `van`, `al`, `Dr`, `Jr`: may be in an address, never stands for a name. */
  readonly particle: boolean;
  /** The unit that a particle's first letter may stand for (`kv` of Kevin van Leeuwen); null for other words. */
  readonly heads: number | null;
}

/** A joining particle heads the next name. */
const headed = (words: readonly NameWord[], joining: ReadonlySet<NameWord>): readonly NameWord[] =>
  words.map((word, i) =>
    joining.has(word) ? { ...word, heads: words.slice(i).find(({ particle }) => !particle)?.unit ?? null } : word,
  );

const SCRIPTS: readonly (readonly [RegExp, Writing])[] = [
  [/\p{Script=Han}/u, 'han'],
  [/\p{Script=Hangul}/u, 'hangul'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'kana'],
  [/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Georgian}\p{Script=Armenian}]/u, 'alphabet'],
  [/\p{Script=Latin}/u, 'latin'],
];

/** Every other script omits vowels, or any-ascii does (the inherent vowels of Devanagari and its kin). */
const writingOf = (word: string): Writing => SCRIPTS.find(([script]) => script.test(word))?.[1] ?? 'consonants';

const MAX_WORDS = 8;
/** A local part's maximum; counted after NFKC, which makes words of single characters. */
const MAX_WORD_LETTERS = 64;
// Zero-width and direction characters, and their marks.
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Cs}\p{Co}]/gu;
const APOSTROPHES = /[’‘ʼʻ`´′＇]/g;
const WORD_BREAK = /[^\p{L}\p{M}'-]+/u;

/** Two-syllable Chinese family names, and family names before one-character given ones. */
const COMPOUND_HAN_SURNAMES = new Set(
  '欧阳 歐陽 司马 司馬 诸葛 諸葛 上官 司徒 东方 東方 皇甫 尉迟 尉遲 公孙 公孫 慕容 令狐 夏侯 端木 长孙 長孫 宇文 轩辕 軒轅 南宫 南宮'.split(
    ' ',
  ),
);

interface Segment {
  readonly words: readonly string[];
  readonly role: NameRole;
}

/** Words between spaces; dots end initials (`J.R.R.`), a lone hyphen or apostrophe is no word. */
const wordsIn = (roman: Romaniser, text: string): string[] =>
  text
    .split(WORD_BREAK)
    .map((word) => word.slice(0, MAX_WORD_LETTERS))
    .filter((word) => roman.letters(word.replace(/['-]/g, '')) !== '');

/** `Smith, John` reverses the order; suffixes and a maiden name after a comma (`John Smith, PhD`) don't. */
function segmentsOf(roman: Romaniser, text: string): Segment[] {
  const [first = [], ...others] = text
    .split(/[,،、，]/)
    .map((part) => wordsIn(roman, part))
    .filter((words) => words.length > 0);
  const rest = others.flat();
  const goesOn = rest.every((word) => NAME_SUFFIXES.has(word)) || (rest.length > 1 && MAIDEN_WORDS.has(rest[0] ?? ''));
  if (goesOn) return [{ words: [...first, ...rest], role: null }];
  return [
    { words: first, role: 'family' },
    { words: rest, role: 'given' },
  ];
}

/** The range of the name itself, between titles and suffixes. */
function withoutTitles(words: readonly string[]): { from: number; to: number } {
  let from = 0;
  let to = words.length;
  while (to - from > 1 && TITLES.has(words[from] ?? '')) from += 1;
  const isSuffix = (word: string): boolean => NAME_SUFFIXES.has(word) && !SUFFIXES_AND_NAMES.has(word);
  while (to - from > 1 && isSuffix(words[to - 1] ?? '')) to -= 1;
  return { from, to };
}

/** A name without spaces in a script that needs none: family name first, one character or a known longer one. */
function splitSyllables(nativeReading: NativeReading, word: string, alone: boolean): readonly (readonly string[])[] {
  const characters = Array.from(word);
  if (!alone || characters.length < 2 || characters.length > 5) return [[word]];
  for (const length of [3, 2]) {
    const head = characters.slice(0, length).join('');
    if (characters.length >= length && (COMPOUND_HAN_SURNAMES.has(head) || nativeReading(head) !== null)) {
      const tail = characters.slice(length).join('');
      return tail === '' ? [[head]] : [[head], syllables(nativeReading, tail)];
    }
  }
  return [[characters[0] ?? ''], syllables(nativeReading, characters.slice(1).join(''))];
}

const syllables = (nativeReading: NativeReading, word: string): readonly string[] =>
  nativeReading(word) === null ? Array.from(word) : [word];

/** The words of one written word: syllables of Han and Hangul, halves of a hyphenated name. */
function partsOf(
  nativeReading: NativeReading,
  word: string,
  writing: Writing,
  alone: boolean,
): readonly (readonly string[])[] {
  if (writing === 'han' || writing === 'hangul') {
    const clean = word.replace(/['-]/g, '');
    if (alone) return splitSyllables(nativeReading, clean, alone);
    return [COMPOUND_HAN_SURNAMES.has(clean) ? [clean] : syllables(nativeReading, clean)];
  }
  return [word.split('-').filter((half) => half !== '' && half !== "'")];
}

/** The longest Japanese family names, in characters. */
const MAX_FAMILY_NAME = 3;

/** A Japanese name without a space: the longest known family name first, or the kanji before the kana. */
function kanjiParts({ japanese }: NameTables, word: string, alone: boolean): readonly (readonly string[])[] {
  const [, kanji = word, kana = ''] = /^([^\p{Script=Hiragana}\p{Script=Katakana}]+)(.+)$/u.exec(word) ?? [];
  if (!alone) return [[word]];
  if (kana !== '' && kana.length > 1) return [[kanji], [kana]];
  for (let length = Math.min(MAX_FAMILY_NAME, word.length - 1); length > 1; length -= 1) {
    if (japanese.isFamilyName(word.slice(0, length))) return [[word.slice(0, length)], [word.slice(length)]];
  }
  return word.length > 1 ? [[word.charAt(0)], [word.slice(1)]] : [[word]];
}

const writingOfJapanese = (part: string): Writing => (/\p{Script=Han}/u.test(part) ? 'kanji' : 'kana');

/**
 * The words of a name, where words of one unit share a number. Empty for a text without a letter; at most eight words.
 */
export function parseName(tables: NameTables, name: string, han: HanReading): readonly NameWord[] {
  const { roman, nativeReading } = tables;
  const text = name.normalize('NFKC').replace(INVISIBLE, '').replace(APOSTROPHES, "'").toLowerCase();
  const segments = segmentsOf(roman, text);
  const found: NameWord[] = [];
  const joining = new Set<NameWord>();
  let unit = 0;
  for (const { words, role } of segments) {
    const { from, to } = withoutTitles(words);
    words.forEach((word, at) => {
      const alone = segments.length === 1 && to - from === 1;
      const written = writingOf(word);
      const writing = written === 'han' && han === 'japanese' ? 'kanji' : written;
      // `Ben Smith` and `Van Morrison` are names: a particle is between names, or before a family name.
      const joins = PARTICLES.has(word) && at < to - 1 && (at > from || role === 'family');
      // `Max Born` is a name: a maiden word is after one name and before another.
      const leads = MAIDEN_WORDS.has(word) && at < to - 1 && (at > from || role === 'given');
      const aside = joins || leads || at < from || at >= to;
      const groups =
        writing === 'kanji' ? kanjiParts(tables, word, alone) : partsOf(nativeReading, word, writing, alone);
      for (const group of groups) {
        group.forEach((part, i) => {
          const particle = aside || (i < group.length - 1 && PARTICLES.has(part));
          const named: NameWord = {
            written: part,
            writing: writing === 'kanji' ? writingOfJapanese(part) : writing,
            unit,
            role,
            particle,
            heads: null,
          };
          found.push(named);
          if (joins) joining.add(named);
        });
        unit += 1;
      }
    });
  }
  return headed(found.slice(0, MAX_WORDS), joining);
}
