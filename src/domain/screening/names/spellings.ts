import LETTERS from './letters.json' with { type: 'json' };
import type { NameWord, Writing } from './parse-name.ts';
import type { NameTables, Romaniser } from './tables.ts';

/** Small kana modify the preceding syllable: きょ is kyo, しゅ is shu, っ doubles the next consonant. */
export function kanaLetters(roman: Romaniser, written: string): string {
  let letters = '';
  let doubled = false;
  for (const sign of written) {
    const sound = roman.letter(sign);
    if (/[ゃゅょャュョ]/.test(sign))
      letters = letters.replace(/i$/, '') + (/(?:sh|ch|j)i$/.test(letters) ? sound.slice(1) : sound);
    else if (/[っッ]/.test(sign)) doubled = true;
    else {
      letters += doubled ? sound.charAt(0) + sound : sound;
      doubled = false;
    }
  }
  return letters;
}

/** Syllables of Korean given names, each with the spellings in use; Revised Romanization has one of them. */
const ROWS =
  'u woo wu|su soo|ju joo|du doo|gu goo koo|hyeon hyun|yeong young yung|jeong jung|seong sung|gyeong kyung kyeong|hyeong hyung|' +
  'myeong myung|hui hee|jun joon|yun yoon youn|hun hoon|gyu kyu|geun keun|gi ki|gwang kwang|geon gun kun|seon sun|seop sub sup|' +
  'seok suk sok|suk sook|cheol chul|beom bum|yeol yul|hyeok hyuk|uk wook|won weon|i yi ee|ri lee|mi mee|a ah|jae jai|hye hae|' +
  'tae tai|sik shik|yeon youn|seo suh|eun un|ji jee|jin jean|min|ha|ho|ye|na|ra|bin|chan|do|dong|hwan|il|in|nam|sang|yong|rim lim|ran';

const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.split('|')
    .map((row) => row.split(' '))
    .flatMap((spellings) => spellings.map((syllable) => [syllable, spellings] as const)),
);

const of = (syllable: string): readonly string[] => SPELLINGS.get(syllable) ?? [];

/** Other spellings of a word of one or two of these syllables (`jiwoo`: `jiu`, `jeewoo` …). */
function koreanSpellings(word: string): string[] {
  const found = new Set(of(word));
  for (let at = 1; at < word.length; at += 1) {
    const seconds = of(word.slice(at));
    for (const first of seconds.length === 0 ? [] : of(word.slice(0, at)))
      for (const second of seconds) found.add(first + second);
  }
  found.delete(word);
  return [...found];
}

/**
 * Alternative letters: without the key on the keyboard; in passports (ICAO 9303) and standards (ISO 9) other than the
 * table's BGN; in common spellings where the table is strict (`Fyodor`, `Halkias`); of Ukrainians and Belarusians, who
 * read г as h and и as y; of Western Armenians, whose stops are reversed; and in Greek names by way of Latin.
 */
const { latin, icao9303, iso9, colloquial, ukrainian, westernArmenian, latinisedGreek } = LETTERS.written;

const ALTERNATIVES: Readonly<Record<Writing, readonly Readonly<Record<string, string>>[]>> = {
  latin: [latin],
  alphabet: [icao9303, iso9, colloquial, ukrainian, westernArmenian, latinisedGreek],
  hangul: [],
  han: [],
  kanji: [],
  kana: [],
  consonants: [],
};

/** Names have two or three such letters. */
const MAX_ALTERNATIVES = 4;

/** Vowels that Greek and Armenian write with two letters. */
const VOWEL_PAIRS: readonly (readonly [RegExp, string])[] = [
  [/oy/g, 'ou'],
  [/ow/g, 'u'],
  [/ay(?=[^aeiou]|$)/g, 'av'],
  [/ey(?=[^aeiou]|$)/g, 'ev'],
];
/** The same before a voiceless consonant, and the Armenian one in French spelling. */
const OTHER_VOWEL_PAIRS: readonly (readonly [RegExp, string])[] = [
  [/oy|ow/g, 'ou'],
  [/ay(?=[^aeiou]|$)/g, 'af'],
  [/ey(?=[^aeiou]|$)/g, 'ef'],
];
/** Greek stops, and the nasal before them. */
const STOPS: readonly (readonly [RegExp, string])[] = [
  [/mp/g, 'b'],
  [/^nt/, 'd'],
  [/^gk/, 'g'],
  [/gg|gk/g, 'ng'],
  [/gx/g, 'nx'],
  [/gch/g, 'nch'],
];

const LONG_VOWELS: readonly (readonly [RegExp, string])[] = [
  [/ou|oo/g, 'o'],
  [/uu/g, 'u'],
];
/** Ohno, Ohtani, Itoh. */
const LONG_O: readonly (readonly [RegExp, string])[] = [
  [/ou|oo/g, 'oh'],
  [/uu/g, 'u'],
];

/** Slavic and Greek family names by gender: the address may have the spouse's or the passport's form. */
const GENDERED: readonly (readonly [ending: string, other: string])[] = [
  ['ova', 'ov'],
  ['eva', 'ev'],
  ['ina', 'in'],
  ['skaya', 'sky'],
  ['skaya', 'skiy'],
  ['skaia', 'skii'],
  ['ska', 'ski'],
  ['cka', 'cki'],
  ['dzka', 'dzki'],
  ['ska', 'sky'],
  ['opoulou', 'opoulos'],
  ['idou', 'idis'],
];

/** Joined to the name in Arabic; in Latin letters a separate word, or left out. */
const ARABIC_ARTICLE = /^ال(.{3,})$/u;

const replaced = (text: string, rules: readonly (readonly [RegExp, string])[]): string =>
  rules.reduce((letters, [found, written]) => letters.replace(found, written), text);

/** One letter in its alternative, the rest plain: Đoković is `djokovic` more often than `djokovich`. */
const oneAlternative = (roman: Romaniser, written: string, letters: Readonly<Record<string, string>>): string[] =>
  Array.from(new Set(written))
    .filter((letter) => letters[letter] !== undefined)
    .slice(0, MAX_ALTERNATIVES)
    .map((letter) => alternative(roman, written, { [letter]: letters[letter] ?? '' }));

function alternative(roman: Romaniser, written: string, letters: Readonly<Record<string, string>>): string {
  let text = '';
  for (const character of written) text += letters[character] ?? roman.letter(character);
  return text;
}

function gendered(form: string): string[] {
  const others: string[] = [];
  for (const [ending, other] of GENDERED) {
    if (form.length < ending.length + 3) continue;
    if (form.endsWith(ending)) others.push(form.slice(0, -ending.length) + other);
    else if (form.endsWith(other)) others.push(form.slice(0, -other.length) + ending);
  }
  return others;
}

/**
 * ASCII spellings of a name's word, likeliest first: the transliteration, other romanisations, umlauts written out,
 * `O'Brien` without its O, `Mc` for `Mac`, the other gender's family name. Never empty for a word with a letter.
 */
export function spellingsOf(tables: NameTables, { written, writing }: NameWord): readonly string[] {
  const { roman, nativeReading, japanese } = tables;
  const known = writing === 'latin' || writing === 'alphabet' ? null : nativeReading(written.replace(/['-]/g, ''));
  const plain = writing === 'kana' ? kanaLetters(roman, written) : roman.letters(written);
  const forms = new Set<string>(writing === 'kanji' ? japanese.readings(written) : (known ?? []));
  forms.add(plain);
  for (const letters of ALTERNATIVES[writing]) forms.add(alternative(roman, written, letters));
  if (writing === 'latin') for (const form of oneAlternative(roman, written, latin)) forms.add(form);
  if (writing === 'alphabet') {
    for (const rules of [VOWEL_PAIRS, OTHER_VOWEL_PAIRS, STOPS])
      for (const form of Array.from(forms)) forms.add(replaced(form, rules));
  }
  if (writing === 'kana' || writing === 'kanji') {
    for (const rules of [LONG_VOWELS, LONG_O]) for (const form of Array.from(forms)) forms.add(replaced(form, rules));
  }
  const elided = /^[a-zà-ÿ]{1,2}'(.{3,})$/.exec(written)?.[1];
  if (elided !== undefined) forms.add(roman.letters(elided));
  const bare = ARABIC_ARTICLE.exec(written)?.[1];
  if (bare !== undefined) for (const form of [...(nativeReading(bare) ?? []), roman.letters(bare)]) forms.add(form);
  if (/^mac.{3}/.test(plain)) forms.add(`mc${plain.slice(3)}`);
  if (/^mc.{3}/.test(plain)) forms.add(`mac${plain.slice(2)}`);
  if (writing === 'latin') for (const form of koreanSpellings(plain)) forms.add(form);
  for (const form of Array.from(forms)) for (const other of gendered(form)) forms.add(other);
  forms.delete('');
  return [...forms];
}
