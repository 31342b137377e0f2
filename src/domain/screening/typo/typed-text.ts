import { INSERT, insertFirstCost, omitCost, PAIR_OF, SLIP, SUBSTITUTE } from './slips.ts';
import { DOT_SYMBOL, SYMBOL_COUNT, symbolsOf } from './symbols.ts';

/** Characters a text may be longer or shorter than what it is a slip of. */
export const BAND = 3;

/** A typed text made ready for the weighted edit distance; places count from 1, as the matrix does. */
export interface TypedText {
  readonly length: number;
  readonly symbols: Uint8Array;
  /** What a wrong symbol costs, by the meant and the typed one. */
  readonly substitute: Float64Array;
  /** The least an extra symbol costs next to the one after it. */
  readonly extra: Float64Array;
  /** The most a wrong symbol costs, where it echoes the one before or after it. */
  readonly echo: Float64Array;
  /** The symbol this one and the one before look like together. */
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
    echo[j] = echoes ? SLIP.echo : Number.POSITIVE_INFINITY;
    pair[j] = PAIR_OF[last * SYMBOL_COUNT + now] as number;
  }
  return { length, symbols, substitute, extra, echo, pair };
}

/** The row of nothing meant: every typed symbol is one too many. */
export function firstRow(rows: Float64Array, { length, symbols }: TypedText): void {
  rows[0] = 0;
  for (let j = 1; j <= length; j += 1) {
    const cost = insertFirstCost(symbols[j] as number, symbols[j + 1] as number);
    rows[j] = j > BAND ? Number.POSITIVE_INFINITY : (rows[j - 1] as number) + cost;
  }
}

/**
 * Fills row `depth` (from 1) of a matrix `width` wide: what the first j typed symbols cost as a slip of the first `depth`
 * meant ones, of which the last two are `before` and `meant`. Returns the row's least cost.
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
    if (depth === 1 && j === 1 && wrong === SLIP.substitute) wrong = SLIP.substituteFirst;
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
        cost = Math.min(cost, (rows[upper + j - 2] as number) + SLIP.swap);
      if (pair[j] === meant) cost = Math.min(cost, (rows[up + j - 2] as number) + SLIP.pair);
      if (single === now) cost = Math.min(cost, (rows[upper + j - 1] as number) + SLIP.pair);
    }
    rows[row + j] = cost;
    if (cost < least) least = cost;
  }
  for (let j = to + 1; j <= length; j += 1) rows[row + j] = Number.POSITIVE_INFINITY;
  return least;
}
