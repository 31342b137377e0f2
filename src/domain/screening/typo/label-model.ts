import { BOUNDARY, LABEL_SYMBOL_COUNT, symbolsOf } from './symbols.ts';

/** Costs a nat has in the packed table: a step of 1/16 nat, 15.9 at most. */
export const STEPS_PER_NAT = 16;

/**
 * The model knows letters, not words: real names, which are mostly words, are likelier than it says.
 */
const WORDS = 0.9;

/**
 * How likely a registered name is spelt so: −ln P(label) under a trigram model of real domains' labels, in nats. The packed
 * table holds the cost of a symbol after each pair of symbols, one byte each.
 */
export type LabelModel = (label: string) => number;

const SCALE = WORDS / STEPS_PER_NAT;

/** Throws when the data is not what the builder wrote. */
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
