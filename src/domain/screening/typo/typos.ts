/** A host name's characters as small numbers, for tables: boundary, a to z, 0 to 9, hyphen, dot. */
const SYMBOLS = 'abcdefghijklmnopqrstuvwxyz0123456789-.';
export const BOUNDARY = 0;
/** Symbols of the label model: a label contains no dot. */
export const LABEL_SYMBOL_COUNT = 38;
const SYMBOL_COUNT = 39;
const DOT_SYMBOL = 38;

const OF_CODE = new Uint8Array(128);
for (let i = 0; i < SYMBOLS.length; i += 1) OF_CODE[SYMBOLS.charCodeAt(i)] = i + 1;

/** The symbol of a lower-case letter, digit, hyphen or dot; anything else is a boundary. */
export const symbolAt = (text: string, at: number): number => OF_CODE[text.charCodeAt(at)] ?? BOUNDARY;

export function symbolsOf(text: string): Uint8Array {
  const symbols = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) symbols[i] = symbolAt(text, i);
  return symbols;
}

/** Rows of letters and digits; a key of each row is between two of the row above. */
const LAYOUTS = {
  qwerty: ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm,.'],
  qwertz: ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm,.-'],
  azerty: ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn,;.'],
} as const;
/** A row's shift to the right, in keys (ISO/IEC 9995 keyboards). */
const SHIFTS = [0, 0.5, 0.75, 1.25];
/** Centre to centre: includes the neighbours in the row, and those above and below. */
const REACH = 1.3;

/** Adjacent keys of a layout, each pair both ways. */
function neighbours(layout: keyof typeof LAYOUTS): [key: string, beside: string][] {
  const keys = LAYOUTS[layout].flatMap((row, y) => Array.from(row, (key, i) => ({ key, x: i + (SHIFTS[y] ?? 0), y })));
  return keys.flatMap((a) =>
    keys
      .filter((b) => a.key !== b.key && Math.hypot(a.x - b.x, a.y - b.y) <= REACH)
      .map((b): [string, string] => [a.key, b.key]),
  );
}

const nats = (probability: number): number => -Math.log(probability);

/**
 * Typing errors with their probability at one place, as a cost in nats. Judged to the order of magnitude: about one
 * domain in fifty has a typo, and neighbouring, omitted, swapped and doubled keys (the kinds of Kukich's 1992 survey)
 * are far more frequent than any other.
 */
export const TYPO = {
  /** One given key beside the right one; a key has five. */
  beside: nats(1e-4),
  /** The same on a German or French keyboard only. */
  besideElsewhere: nats(2e-5),
  omit: nats(4e-4),
  /** One of a doubled letter omitted: `yaho`. */
  omitDoubled: nats(8e-4),
  /** Two symbols swapped. Not below `omit`: a row of the matrix never costs less than the one before it. */
  swap: nats(4e-4),
  double: nats(3e-4),
  /** A key struck along with its neighbour. */
  insertBeside: nats(5e-5),
  insert: nats(3e-6),
  /** A pronounced but unwritten vowel: `gamail`. */
  insertVowel: nats(5e-5),
  substitute: nats(4e-6),
  /** The same two at the first letter, which few typos hit (Yannakoudakis and Fawthrop 1983: 1.4 %). */
  insertFirst: nats(3e-7),
  substituteFirst: nats(4e-7),
  /** The previous or next letter typed in its place: `yaooo`. */
  echo: nats(4e-5),
  /** Sounds or looks alike: vowels, c and k, 0 and o. */
  alike: nats(5e-5),
  /** A further digit for its letter, where digits replace letters throughout: `0utl00k`. */
  digitAgain: nats(0.5),
  dotOmit: nats(3e-4),
  dotInsert: nats(3e-5),
  /** A look-alike pair for one letter, or the reverse: `rn` for `m`. */
  pair: nats(4e-5),
} as const;

/** Letters confused by ear or eye. */
const ALIKE = ['aeiouy', 'ckq', 'sz', 'vw', 'fp', 'mn', 'il1j', 'o0', 's5', 'e3', 'a4', 'b8', 'g9q', 't7', 'z2'];
/** Digits, each with the letters it looks like. */
const DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'il', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g' };
/** Two letters that look like one. */
const PAIRS: readonly (readonly [two: string, one: string])[] = [
  ['rn', 'm'],
  ['nn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
  ['ii', 'u'],
];

/** Cost of `typed` in place of `meant`, at `meant * SYMBOL_COUNT + typed`. */
export const SUBSTITUTE = new Float64Array(SYMBOL_COUNT * SYMBOL_COUNT).fill(TYPO.substitute);
const BESIDE = new Uint8Array(SYMBOL_COUNT * SYMBOL_COUNT);

const at = (a: string, b: string): number => (symbolsOf(a)[0] ?? 0) * SYMBOL_COUNT + (symbolsOf(b)[0] ?? 0);
const cheapen = (a: string, b: string, cost: number): void => {
  const i = at(a, b);
  SUBSTITUTE[i] = Math.min(SUBSTITUTE[i] ?? cost, cost);
};
for (const letters of ALIKE) for (const a of letters) for (const b of letters) cheapen(a, b, TYPO.alike);
for (const layout of ['qwertz', 'azerty'] as const)
  for (const [a, b] of neighbours(layout)) cheapen(a, b, TYPO.besideElsewhere);
for (const [a, b] of neighbours('qwerty')) {
  cheapen(a, b, TYPO.beside);
  // A comma is not a symbol: it stands for the ends of the text.
  if (SYMBOLS.includes(a)) BESIDE[at(a, b)] = 1;
}
for (const symbol of SYMBOLS) SUBSTITUTE[at(symbol, symbol)] = 0;
for (let i = 0; i < SYMBOL_COUNT; i += 1) {
  SUBSTITUTE[i] = Number.POSITIVE_INFINITY;
  SUBSTITUTE[i * SYMBOL_COUNT] = Number.POSITIVE_INFINITY;
}

/** `SUBSTITUTE` for a text in which digits stand for the letters they look like. */
export const SUBSTITUTE_DIGITS = Float64Array.from(SUBSTITUTE);
for (const [digit, letters] of Object.entries(DIGITS))
  for (const letter of letters) SUBSTITUTE_DIGITS[at(letter, digit)] = TYPO.digitAgain;

const VOWELS: ReadonlySet<number> = new Set(symbolsOf('aeiou'));

/** The symbol that a pair looks like, at `first * SYMBOL_COUNT + second`; 0 for most. */
const PAIR_OF = new Uint8Array(SYMBOL_COUNT * SYMBOL_COUNT);
for (const [two, one] of PAIRS) PAIR_OF[at(two[0] ?? '', two[1] ?? '')] = symbolsOf(one)[0] ?? 0;

/** Cost of an extra `typed` next to `neighbour`, at `neighbour * SYMBOL_COUNT + typed`. */
const INSERT = Float64Array.from(BESIDE, (beside, i) => {
  const typed = i % SYMBOL_COUNT;
  if (typed === DOT_SYMBOL) return TYPO.dotInsert;
  if (typed === Math.floor(i / SYMBOL_COUNT)) return TYPO.double;
  if (beside === 1) return TYPO.insertBeside;
  return VOWELS.has(typed) ? TYPO.insertVowel : TYPO.insert;
});

/** Cost of an extra `typed` before the first letter, next to the symbol `next`. */
const insertFirstCost = (typed: number, next: number): number => {
  const i = next * SYMBOL_COUNT + typed;
  return typed !== next && BESIDE[i] !== 1 && typed !== DOT_SYMBOL ? TYPO.insertFirst : (INSERT[i] as number);
};

/** Whether the keys of two symbols are adjacent. */
export const areBeside = (a: string, b: string): boolean => BESIDE[at(a, b)] === 1;

const omitCost = (meant: number, before: number): number =>
  meant === DOT_SYMBOL ? TYPO.dotOmit : meant === before ? TYPO.omitDoubled : TYPO.omit;

/** How much longer or shorter a typo may be than its original. */
export const BAND = 3;

/** A typed text prepared for the weighted edit distance; places count from 1, as in the matrix. */
export interface TypedText {
  readonly length: number;
  readonly symbols: Uint8Array;
  /** Cost of a wrong symbol, by the meant and the typed one. */
  readonly substitute: Float64Array;
  /** The lowest cost of an extra symbol next to the one after it. */
  readonly extra: Float64Array;
  /** The highest cost of a wrong symbol that echoes its neighbour. */
  readonly echo: Float64Array;
  /** The symbol that this one and the previous one together look like. */
  readonly pair: Uint8Array;
}

export function prepare(text: string, substitute: Float64Array = SUBSTITUTE): TypedText {
  const length = text.length;
  const symbols = new Uint8Array(length + 2);
  symbols.set(symbolsOf(text), 1);
  const extra = new Float64Array(length + 1);
  const echo = new Float64Array(length + 1);
  const pair = new Uint8Array(length + 1);
  for (let j = 1; j <= length; j += 1) {
    const [last, now, next] = [symbols[j - 1] as number, symbols[j] as number, symbols[j + 1] as number];
    extra[j] = INSERT[next * SYMBOL_COUNT + now] as number;
    const echoes = now !== DOT_SYMBOL && (now === last || now === next);
    echo[j] = echoes ? TYPO.echo : Number.POSITIVE_INFINITY;
    pair[j] = PAIR_OF[last * SYMBOL_COUNT + now] as number;
  }
  return { length, symbols, substitute, extra, echo, pair };
}

/** The row of nothing meant: every typed symbol is extra. */
export function firstRow(rows: Float64Array, { length, symbols }: TypedText): void {
  rows[0] = 0;
  for (let j = 1; j <= length; j += 1) {
    const cost = insertFirstCost(symbols[j] as number, symbols[j + 1] as number);
    rows[j] = j > BAND ? Number.POSITIVE_INFINITY : (rows[j - 1] as number) + cost;
  }
}

/**
 * Fills row `depth` (from 1) of a matrix `width` wide: the cost of the first j typed symbols as a typo of the first
 * `depth` meant ones, the last two of which are `before` and `meant`. Returns the row's lowest cost.
 */
export function nextRow(
  rows: Float64Array,
  width: number,
  depth: number,
  before: number,
  meant: number,
  text: TypedText,
): number {
  const { length, symbols, substitute, extra, echo, pair } = text;
  const row = depth * width;
  const up = row - width;
  const upper = up - width;
  const omit = omitCost(meant, before);
  // No symbol looks like a pair at the start; the boundary stands for none.
  const single = PAIR_OF[before * SYMBOL_COUNT + meant] as number;
  const from = depth > BAND ? depth - BAND : 1;
  const to = Math.min(length, depth + BAND);
  rows[row + from - 1] = from === 1 ? (rows[up] as number) + omit : Number.POSITIVE_INFINITY;
  let least = rows[row + from - 1] as number;
  const base = meant * SYMBOL_COUNT;
  for (let j = from; j <= to; j += 1) {
    const now = symbols[j] as number;
    let wrong = substitute[base + now] as number;
    if (depth === 1 && j === 1 && wrong === TYPO.substitute) wrong = TYPO.substituteFirst;
    if (wrong > (echo[j] as number) && meant !== DOT_SYMBOL) wrong = echo[j] as number;
    let cost = (rows[up + j - 1] as number) + wrong;
    const omitted = (rows[up + j] as number) + omit;
    if (omitted < cost) cost = omitted;
    let insert = INSERT[base + now] as number;
    if ((extra[j] as number) < insert) insert = extra[j] as number;
    const inserted = (rows[row + j - 1] as number) + insert;
    if (inserted < cost) cost = inserted;
    if (depth > 1 && j > 1) {
      const last = symbols[j - 1] as number;
      if (now === before && last === meant && now !== meant)
        cost = Math.min(cost, (rows[upper + j - 2] as number) + TYPO.swap);
      if (pair[j] === meant) cost = Math.min(cost, (rows[up + j - 2] as number) + TYPO.pair);
      if (single === now) cost = Math.min(cost, (rows[upper + j - 1] as number) + TYPO.pair);
    }
    rows[row + j] = cost;
    if (cost < least) least = cost;
  }
  for (let j = to + 1; j <= length; j += 1) rows[row + j] = Number.POSITIVE_INFINITY;
  return least;
}

/** Units of cost in the packed table: a step of 1/16 nat, at most 15.9. */
export const STEPS_PER_NAT = 16;

/** The model knows letters, not words: real names, which are mostly words, are likelier than it says. */
const WORDS = 0.9;

/**
 * −ln P(label), the likelihood of a registered name's spelling under a trigram model of real domains' labels, in nats.
 * The packed table has one byte for each symbol after each pair.
 */
export type LabelModel = (label: string) => number;

const SCALE = WORDS / STEPS_PER_NAT;

/** Throws if the builder did not write the data. */
export function openLabelModel(data: ArrayBuffer | Uint8Array): LabelModel {
  const table = data instanceof Uint8Array ? data : new Uint8Array(data);
  if (table.length !== LABEL_SYMBOL_COUNT ** 3) throw new Error('label model: wrong length');
  return (label) => {
    let steps = 0;
    let context = BOUNDARY;
    for (const symbol of symbolsOf(label)) {
      if (symbol >= LABEL_SYMBOL_COUNT) continue;
      steps += table[context * LABEL_SYMBOL_COUNT + symbol] ?? 0;
      context = (context % LABEL_SYMBOL_COUNT) * LABEL_SYMBOL_COUNT + symbol;
    }
    return (steps + (table[context * LABEL_SYMBOL_COUNT + BOUNDARY] ?? 0)) * SCALE;
  };
}
