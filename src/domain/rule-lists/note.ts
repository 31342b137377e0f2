import { parseAddress } from '../address/index.ts';

/** Left out on a screen, so an address with them in it reads as one without. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The ideographic full stop, a dot to IDNA. The other two forms become it or the dot itself under NFKC. */
const IDEOGRAPHIC_STOP = /\u3002/g;

/** An `@` with what touches it: anything before, and what may be a domain behind. */
const AROUND_AT = /(?<=([^\s@]+))@([\p{L}\p{M}\p{N}\-.]*[\p{L}\p{M}\p{N}])/gu;

/**
 * Whether a text has an address in it that the service itself would read as one, also in full-width characters. Not
 * addresses: `3@4.50`, `@name`, nor what only a person understands (`ada at example.com`).
 */
export function holdsAddress(text: string): boolean {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '').replace(IDEOGRAPHIC_STOP, '.');
  return plain.matchAll(AROUND_AT).some(([, before = '', domain = '']) => {
    // `mailto:ada`, `<ada` and `"ada l"` are no local parts, but end with one: their last character, or what a quote ends.
    const last = before.endsWith('"') ? 'x' : before.slice(-1);
    return [before, last].some((local) => parseAddress(`${local}@${domain}`).ok);
  });
}
