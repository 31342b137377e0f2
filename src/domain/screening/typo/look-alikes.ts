/**
 * Letters of other scripts, and Latin ones without a decomposition, that read as an ASCII letter: those of UTS 39's
 * confusables that a host name may hold.
 */
const ROWS: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'ьƅв',
  c: 'сϲ',
  d: 'ԁđɗ',
  e: 'еєεҽ',
  f: 'ƒ',
  g: 'ɡցɢ',
  h: 'һհн',
  i: 'іıɩι',
  j: 'јϳ',
  k: 'кκ',
  l: 'ӏł',
  m: 'м',
  n: 'ողηп',
  o: 'оοօøσ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'гɾ',
  s: 'ѕʂ',
  t: 'тτ',
  u: 'սυц',
  v: 'ѵν',
  w: 'ԝաωш',
  x: 'хχ',
  y: 'уүγ',
  z: 'ᴢʐ',
};

const OF = new Map(
  Object.entries(ROWS).flatMap(([ascii, letters]) => Array.from(letters, (letter) => [letter, ascii])),
);
const MARK = /\p{M}/u;

export interface Folded {
  readonly text: string;
  /** Letters of another script or shape taken for ASCII ones. */
  readonly lookAlikes: number;
  /** Marks left off (`gmáil`). */
  readonly marks: number;
}

/** A Unicode host name in the ASCII it reads as; null when a letter reads as none. */
export function foldLookAlikes(name: string): Folded | null {
  let text = '';
  let lookAlikes = 0;
  let marks = 0;
  for (const letter of name.normalize('NFKD')) {
    const ascii = OF.get(letter);
    if (letter < '\u0080') text += letter;
    else if (ascii !== undefined) {
      text += ascii;
      lookAlikes += 1;
    } else if (MARK.test(letter)) marks += 1;
    else return null;
  }
  return { text, lookAlikes, marks };
}
