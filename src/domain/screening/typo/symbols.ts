/** Characters of a host name as small numbers, for tables: boundary, a to z, 0 to 9, hyphen, dot. */
export const SYMBOLS = 'abcdefghijklmnopqrstuvwxyz0123456789-.';
export const BOUNDARY = 0;
/** Of the label model: no dot inside a label. */
export const LABEL_SYMBOL_COUNT = 38;
export const SYMBOL_COUNT = 39;
export const DOT_SYMBOL = 38;

const OF_CODE = new Uint8Array(128);
for (let i = 0; i < SYMBOLS.length; i += 1) OF_CODE[SYMBOLS.charCodeAt(i)] = i + 1;

/** The symbol of a lower-case letter, digit, hyphen or dot; anything else reads as a boundary. */
export const symbolAt = (text: string, at: number): number => OF_CODE[text.charCodeAt(at)] ?? BOUNDARY;

export function symbolsOf(text: string): Uint8Array {
  const symbols = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) symbols[i] = symbolAt(text, i);
  return symbols;
}
