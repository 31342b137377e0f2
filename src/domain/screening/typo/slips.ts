import { neighbours } from './keyboard.ts';
import { DOT_SYMBOL, SYMBOL_COUNT, SYMBOLS, symbolsOf } from './symbols.ts';

const nats = (probability: number): number => -Math.log(probability);

/**
 * What may go wrong when a domain is typed, each with its probability at one place, as a cost in nats. Judged, to the order
 * of magnitude: about one domain in fifty has a slip, and keys struck beside, left out, swapped and doubled (the kinds told
 * apart in Kukich's survey of 1992) are each far commoner than any other single slip.
 */
export const SLIP = {
  /** One given key beside the right one; a key has five. */
  beside: nats(1e-4),
  /** The same on a German or French keyboard only. */
  besideElsewhere: nats(2e-5),
  omit: nats(4e-4),
  /** One of a doubled letter left out: `yaho`. */
  omitDoubled: nats(8e-4),
  /** Two symbols in the wrong order. Not below `omit`: a row of the matrix never costs less than the one before it. */
  swap: nats(4e-4),
  double: nats(3e-4),
  /** A key struck along with the one beside it. */
  insertBeside: nats(5e-5),
  insert: nats(3e-6),
  /** A vowel heard where none is: `gamail`. */
  insertVowel: nats(5e-5),
  substitute: nats(4e-6),
  /** The same two before or in the place of the first letter, which few slips hit (Yannakoudakis and Fawthrop 1983: 1.4 %). */
  insertFirst: nats(3e-7),
  substituteFirst: nats(4e-7),
  /** The letter before or after typed in its place: `yaooo`. */
  echo: nats(4e-5),
  /** Sounds or looks alike: vowels, c and k, 0 and o. */
  alike: nats(5e-5),
  /** One more digit for the letter it looks like, where such digits are written all over: `0utl00k`. */
  digitAgain: nats(0.5),
  dotOmit: nats(3e-4),
  dotInsert: nats(3e-5),
  /** A look-alike pair for one letter, or the other way: `rn` for `m`. */
  pair: nats(4e-5),
} as const;

/** Letters taken for one another by ear or eye. */
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

/** Cost of `typed` in the place of `meant`, at `meant * SYMBOL_COUNT + typed`. */
export const SUBSTITUTE = new Float64Array(SYMBOL_COUNT * SYMBOL_COUNT).fill(SLIP.substitute);
const BESIDE = new Uint8Array(SYMBOL_COUNT * SYMBOL_COUNT);

const at = (a: string, b: string): number => (symbolsOf(a)[0] ?? 0) * SYMBOL_COUNT + (symbolsOf(b)[0] ?? 0);
const cheapen = (a: string, b: string, cost: number): void => {
  const i = at(a, b);
  SUBSTITUTE[i] = Math.min(SUBSTITUTE[i] ?? cost, cost);
};
for (const letters of ALIKE) for (const a of letters) for (const b of letters) cheapen(a, b, SLIP.alike);
for (const layout of ['qwertz', 'azerty'] as const)
  for (const [a, b] of neighbours(layout)) cheapen(a, b, SLIP.besideElsewhere);
for (const [a, b] of neighbours('qwerty')) {
  cheapen(a, b, SLIP.beside);
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
  for (const letter of letters) SUBSTITUTE_DIGITS[at(letter, digit)] = SLIP.digitAgain;

const VOWELS: ReadonlySet<number> = new Set(symbolsOf('aeiou'));

/** Which symbol a pair of them looks like, at `first * SYMBOL_COUNT + second`; 0 for most. */
export const PAIR_OF = new Uint8Array(SYMBOL_COUNT * SYMBOL_COUNT);
for (const [two, one] of PAIRS) PAIR_OF[at(two[0] ?? '', two[1] ?? '')] = symbolsOf(one)[0] ?? 0;

/** Cost of `typed` struck too many next to `neighbour`, at `neighbour * SYMBOL_COUNT + typed`. */
export const INSERT = Float64Array.from(BESIDE, (beside, i) => {
  const typed = i % SYMBOL_COUNT;
  if (typed === DOT_SYMBOL) return SLIP.dotInsert;
  if (typed === Math.floor(i / SYMBOL_COUNT)) return SLIP.double;
  if (beside === 1) return SLIP.insertBeside;
  return VOWELS.has(typed) ? SLIP.insertVowel : SLIP.insert;
});

/** Cost of `typed` struck too many before the first letter, next to the symbol `next`. */
export const insertFirstCost = (typed: number, next: number): number => {
  const i = next * SYMBOL_COUNT + typed;
  return typed !== next && BESIDE[i] !== 1 && typed !== DOT_SYMBOL ? SLIP.insertFirst : (INSERT[i] as number);
};

/** Whether the keys of two symbols lie side by side. */
export const areBeside = (a: string, b: string): boolean => BESIDE[at(a, b)] === 1;

export const omitCost = (meant: number, before: number): number =>
  meant === DOT_SYMBOL ? SLIP.dotOmit : meant === before ? SLIP.omitDoubled : SLIP.omit;
