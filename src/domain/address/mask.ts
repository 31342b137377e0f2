import type { Address } from './types.ts';

/** Stands for what could not be parsed: nothing of it is kept. */
export const MASKED_UNPARSED = '•••';

/**
 * The form that may be stored and shown: first character (a whole code point), `•••`, `@`, domain. The domain stays in
 * A-labels, as rules and lists hold it: in Unicode a look-alike domain would pass for the real one on a screen.
 */
export function maskAddress({ local, domain }: Address): string {
  const [first = ''] = local;
  return `${first}•••@${domain}`;
}
