/** The Latin letters that one letter of a writing without vowels may have, longest first. */
type Sounds = Readonly<Record<string, readonly string[]>>;

/** Consonants of Arabic, Persian and Urdu in the romanisations of passports, of the press, and of French and English use. */
const ARABIC: Sounds = {
  ب: ['b', 'p'],
  پ: ['p'],
  ت: ['t'],
  ط: ['t'],
  ٹ: ['t'],
  ث: ['th', 's', 't'],
  ج: ['dj', 'dg', 'j', 'g'],
  چ: ['tch', 'ch'],
  ح: ['h'],
  خ: ['kh', 'k', 'h', 'x'],
  د: ['d'],
  ڈ: ['d'],
  ذ: ['dh', 'th', 'z', 'd'],
  ر: ['r'],
  ڑ: ['r', 'd'],
  ز: ['z'],
  ژ: ['zh', 'j'],
  س: ['s', 'c'],
  ش: ['sh', 'ch', 's'],
  ص: ['s', 'c'],
  ض: ['dh', 'd', 'z'],
  ظ: ['dh', 'th', 'z', 'd'],
  غ: ['gh', 'g', 'r'],
  ف: ['ph', 'f', 'v'],
  ق: ['gh', 'k', 'q', 'g', 'c'],
  ك: ['ck', 'k', 'c', 'q'],
  ک: ['ck', 'k', 'c', 'q'],
  گ: ['g'],
  ل: ['l'],
  م: ['m'],
  ن: ['n'],
  ں: ['n'],
};

/** Hebrew, with and without the dot that hardens ב, כ and פ. */
const HEBREW: Sounds = {
  ב: ['b', 'v'],
  ג: ['g', 'j'],
  ד: ['d'],
  ז: ['z'],
  ח: ['ch', 'kh', 'h'],
  ט: ['t'],
  כ: ['kh', 'ch', 'ck', 'k', 'c', 'h'],
  ך: ['kh', 'ch', 'ck', 'k', 'c', 'h'],
  ל: ['l'],
  מ: ['m'],
  ם: ['m'],
  נ: ['n'],
  ן: ['n'],
  ס: ['s', 'c'],
  פ: ['ph', 'p', 'f'],
  ף: ['ph', 'f', 'p'],
  צ: ['tz', 'ts', 'cz', 'ch', 'z', 'c'],
  ץ: ['tz', 'ts', 'z'],
  ק: ['ck', 'k', 'c', 'q'],
  ר: ['r'],
  ש: ['sch', 'sh', 'ch', 's'],
  ת: ['th', 't'],
};

const HARD: Sounds = { ...ARABIC, ...HEBREW };

/** Letters that are a vowel, a glide or nothing at all, by what they may begin a word with. */
const SOFT: Readonly<Record<string, string>> = {
  ا: 'aeiou',
  أ: 'aeiou',
  إ: 'aeiou',
  آ: 'a',
  ع: 'aeiou',
  ء: 'aeiou',
  ئ: 'aeiou',
  ؤ: 'aeiou',
  و: 'wvou',
  ي: 'yije',
  ی: 'yije',
  ى: 'yia',
  ے: 'yie',
  ه: 'h',
  ہ: 'h',
  ھ: 'h',
  ة: 'ath',
  א: 'aeiou',
  ע: 'aeiou',
  ה: 'h',
  ו: 'vwou',
  י: 'yije',
};
/** Not voiced before a glide begins a word: אי, עו. */
const SILENT = /^[اأإعאע]$/;

/** No name has more; bounds the work on the pattern. */
const MAX_HARD = 8;
const VOWELS = 'aeiouy';

/** How a word may be written in Latin letters, its vowels put in. */
export interface Skeleton {
  /** Sticky. */
  readonly pattern: RegExp;
  readonly initials: readonly string[];
}

/** The article, joined to the name in Arabic, which the sun letters change. */
const ARTICLE = /^ال(?=.{3})/u;

/** What stands between two consonants. Without letters that the next may begin with: there is one way to read a text. */
function vowels(soft: string, next: readonly string[]): string {
  const glides = soft === '' ? '' : 'wvj';
  const h = /[هہھةהح]/.test(soft) ? 'ht' : '';
  const first = new Set(next.map((sound) => sound.charAt(0)));
  const letters = [...VOWELS, ...glides, ...h].filter((letter) => !first.has(letter)).join('');
  return `[${letters}]{0,${soft === '' ? 3 : 4}}`;
}

/** One or both of a doubled letter. */
const sounds = (alternatives: readonly string[]): string =>
  `(?:${alternatives.map((sound) => (sound.length === 1 && sound !== 'h' ? `${sound}{1,2}` : sound)).join('|')})`;

/** Reads a word of Arabic, Persian, Urdu or Hebrew; null for another script, and where there are too few consonants or too many. */
export function skeletonOf(written: string): Skeleton | null {
  const article = ARTICLE.test(written);
  const letters = [...written.replace(/[\p{M}\u0640'-]/gu, '').replace(ARTICLE, '')];
  if (!letters.every((letter) => letter in HARD || letter in SOFT)) return null;
  const hard = letters.filter((letter) => letter in HARD).length;
  if (hard === 0 || hard > MAX_HARD) return null;
  const [head = ''] = letters;
  const begins = SILENT.test(head) ? `${SOFT[head]}${SOFT[letters[1] ?? ''] ?? ''}` : SOFT[head];
  let source = article ? '(?:[aeou][lrstdzn]h?)?' : '';
  if (begins !== undefined) source += `[${begins}]`;
  let soft = begins === undefined ? '' : head;
  letters.forEach((letter, i) => {
    const alternatives = HARD[letter];
    if (alternatives === undefined) soft += letter;
    else {
      if (i > 0) source += vowels(soft, alternatives);
      source += sounds(alternatives);
      soft = '';
    }
  });
  source += vowels(soft, []);
  const initials = begins === undefined ? (HARD[head] ?? []) : [...begins];
  return { pattern: new RegExp(source, 'y'), initials: [...initials, ...(article ? ['a', 'e'] : [])] };
}

/** A shorter one is in too many words. */
const MIN_READ = 3;

/** How many letters at a place may be the word: the longest, then without the vowels at its end. */
export function lengthsAt({ pattern }: Skeleton, text: string, pos: number): number[] {
  pattern.lastIndex = pos;
  const [found] = pattern.exec(text) ?? [];
  const lengths: number[] = [];
  if (found === undefined) return lengths;
  const stem = found.replace(/[aeiouyh]+$/, '').length;
  for (let length = found.length; length >= Math.max(stem, MIN_READ); length -= 1) lengths.push(length);
  return lengths;
}
