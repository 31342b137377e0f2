import type { Address } from './types.ts';

/** Stands in for an address that could not be parsed; its text is not kept. */
export const MASKED_UNPARSED = '•••';

/**
 * The form that may be stored and shown: first character (a whole code point), `•••`, `@`, domain. It is made from the
 * normalised address, so equal addresses look equal however they are typed. The domain stays in A-labels: in Unicode a
 * look-alike domain would pass for the real one on a screen.
 */
export function maskAddress({ normalised, domain }: Address): string {
  const [first = ''] = normalised;
  return `${first}•••@${domain}`;
}
