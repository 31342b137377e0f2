/** The two halves of what was typed, valid or not. */
export interface TypedAddress {
  readonly local: string;
  readonly domain: string;
}

/** Cut at the last `@`, as a mistyped address comes: `n/a@n/a.com`, `react@18.2.0`. */
export function splitTyped(text: string): TypedAddress {
  const at = text.lastIndexOf('@');
  return at === -1 ? { local: text, domain: '' } : { local: text.slice(0, at), domain: text.slice(at + 1) };
}

/** The words of a local part without its tag: `jane.doe+news` → `jane`, `doe`. */
export function wordsOf(local: string): string[] {
  const plus = local.indexOf('+');
  return (plus > 0 ? local.slice(0, plus) : local).split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
}

/** Without the number behind it: `support01` → `support`. */
export const unnumbered = (word: string): string => word.replace(/(?<!\d)\d+$/, '');
