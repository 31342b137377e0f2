/** The Latin letters that one letter of another writing may have, longest first. */
export type Sounds = Readonly<Record<string, readonly string[]>>;

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
  ב: ['b', 'v', 'w'],
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
  ץ: ['tz', 'ts', 'ch', 'z'],
  ק: ['ck', 'k', 'c', 'q'],
  ר: ['r'],
  ש: ['sch', 'sh', 'ch', 's'],
  ת: ['th', 't'],
};

/** Thai, where Pali and Sanskrit names keep sounds that are not spoken. */
const THAI: Sounds = {
  ก: ['k', 'g'],
  ข: ['kh', 'k'],
  ค: ['kh', 'k', 'c', 'g'],
  ฆ: ['kh', 'k', 'g'],
  ง: ['ng', 'n'],
  จ: ['ch', 'j', 'c'],
  ฉ: ['ch'],
  ช: ['ch', 'sh', 'c', 's', 't'],
  ซ: ['s', 'z'],
  ญ: ['y', 'n'],
  ฎ: ['d', 't'],
  ฏ: ['t', 'd'],
  ฐ: ['th', 't'],
  ฑ: ['th', 't', 'd'],
  ฒ: ['th', 't', 'd'],
  ณ: ['n'],
  ด: ['d', 't'],
  ต: ['t', 'd'],
  ถ: ['th', 't'],
  ท: ['th', 't', 'd'],
  ธ: ['dh', 'th', 't', 'd'],
  น: ['n'],
  บ: ['b', 'p'],
  ป: ['p', 'b'],
  ผ: ['ph', 'p'],
  ฝ: ['f'],
  พ: ['bh', 'ph', 'p', 'b', 'v'],
  ฟ: ['ph', 'f'],
  ภ: ['bh', 'ph', 'p', 'b'],
  ม: ['m'],
  ย: ['y', 'i'],
  ร: ['r', 'n', 'l'],
  ล: ['l', 'n'],
  ว: ['w', 'v', 'u', 'o'],
  ศ: ['sh', 's', 't'],
  ษ: ['sh', 's', 't'],
  ส: ['s', 't'],
  ฬ: ['l', 'n'],
};

/** Indian writings have their letters in the order of ISCII, each in a block of its own: one table serves all. */
const DEVANAGARI: Sounds = {
  क: ['k', 'c', 'q'],
  ख: ['kh', 'k'],
  ग: ['gh', 'g'],
  घ: ['gh', 'g'],
  ङ: ['ng', 'n'],
  च: ['ch', 'c'],
  छ: ['chh', 'ch', 's'],
  ज: ['j', 'z', 'g'],
  झ: ['jh', 'j', 'z'],
  ञ: ['ny', 'n', 'y'],
  ट: ['t'],
  ठ: ['th', 't'],
  ड: ['d', 'r'],
  ढ: ['dh', 'rh', 'd', 'r'],
  ण: ['n'],
  त: ['th', 't'],
  थ: ['th', 't'],
  द: ['dh', 'd'],
  ध: ['dh', 'd'],
  न: ['n'],
  ऩ: ['n'],
  प: ['p'],
  फ: ['ph', 'f', 'p'],
  ब: ['bh', 'b', 'v', 'w'],
  भ: ['bh', 'b', 'v'],
  म: ['m'],
  य: ['y', 'j', 'i', 'e'],
  र: ['r'],
  ऱ: ['r', 't'],
  ल: ['l'],
  ळ: ['l'],
  ऴ: ['zh', 'l'],
  व: ['v', 'w', 'b', 'u', 'o'],
  श: ['sh', 's', 'ch'],
  ष: ['sh', 's', 'x'],
  स: ['sh', 's', 'c'],
  ह: ['gh', 'h'],
  ऋ: ['r'],
  'ृ': ['r'],
};

/** Tamil writes voiced and unvoiced with one letter, and Malayalam follows it in names. */
const TAMIL: Sounds = {
  க: ['kh', 'k', 'g', 'c', 'h'],
  ச: ['ch', 'sh', 's', 'c', 'j'],
  ட: ['t', 'd'],
  த: ['th', 'dh', 't', 'd'],
  ப: ['p', 'b', 'f'],
};

const BLOCK = 0x80;
const DEVANAGARI_BLOCK = 0x0900;
const INDIAN_BLOCKS = [0x0980, 0x0a00, 0x0a80, 0x0b00, 0x0b80, 0x0c00, 0x0c80, 0x0d00];

/** A letter's like in another block. */
const inBlock = (letter: string, block: number): string =>
  String.fromCharCode((letter.codePointAt(0) ?? 0) - DEVANAGARI_BLOCK + block);

const INDIAN: Sounds = Object.fromEntries([
  ...Object.entries(DEVANAGARI),
  ...INDIAN_BLOCKS.flatMap((block) =>
    Object.entries(DEVANAGARI).map(([letter, sounds]) => [inBlock(letter, block), sounds] as const),
  ),
  ...Object.entries(TAMIL),
  // Letters without a like in Devanagari: Bengali t, Malayalam’s consonants without a vowel.
  ...Object.entries({ ৎ: ['t'], ൺ: ['n'], ൻ: ['n'], ർ: ['r'], ൽ: ['l'], ൾ: ['l'], ৰ: ['r'], ৱ: ['w', 'v'] }),
]);

/** Consonants. */
export const HARD: Sounds = { ...ARABIC, ...HEBREW, ...THAI, ...INDIAN };

/** Letters that are a vowel, a glide or nothing at all, by what they may begin a word with. */
export const SOFT: Readonly<Record<string, string>> = {
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
  อ: 'aeiou',
  ห: 'h',
};
/** Not voiced before a glide begins a word: אי, עו. */
export const SILENT = /^[اأإعאע]$/;

/** Signs for vowels that stand alone or begin a word, in Indian writings and in Thai: by their place in the block, and by themselves. */
export function isVowelSign(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= DEVANAGARI_BLOCK && code < 0x0d80) {
    const place = code % BLOCK;
    return (place >= 0x04 && place <= 0x14) || (place >= 0x3a && place <= 0x4d) || place === 0x55 || place === 0x71;
  }
  return /[\u0e2f-\u0e4e]/.test(letter);
}

/** Signs that may be pronounced as n or m before a consonant: anusvara and its kin. */
export function isNasal(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  const place = code % BLOCK;
  return code >= DEVANAGARI_BLOCK && code < 0x0d80 && (place === 0x01 || place === 0x02 || place === 0x70);
}
