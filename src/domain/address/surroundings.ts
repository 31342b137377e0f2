import { trimUnseen } from './characters.ts';
import { parseAddress } from './parse.ts';

const UNSEEN = /\p{DI}/gv;

/**
 * What is copied along with an address (`<mailto:ada@acme.example>,`): the scheme of a link, brackets, quotes straight, curly
 * and of other languages, and the punctuation behind it. Quotes closed before the `@` are a quoted local part.
 */
const BEFORE = /^(?:mailto:|"(?![^@]*"@)|[<\(\[\{'`\u00B4\p{Pi}\p{Pf}\u201A\u201E\s])+/iv;
const BEHIND = /[>\)\]\}"'`\u00B4\p{Pi}\p{Pf}.,;:!?\/\s]+$/v;
/** The header fields of a link (RFC 6068): `mailto:ada@acme.example?subject=Hello`. */
const LINK_FIELDS = /(?<=^mailto:[^@]+@[^?]*)\?.*/isv;

/** Nothing can stand around such a text: spares nearly every address the rest. */
const PLAIN = /^(?!mailto:)[a-z0-9][!-~]*[a-z0-9]$/i;

/** A longer text is not one address with something around it. */
const LONGEST = 640;

/** The address in a text without what stands around it, and without invisible characters; null where it stands alone or is none. */
export function withoutSurroundings(text: string): string | null {
  if (text.length > LONGEST || PLAIN.test(text)) return null;
  const trimmed = trimUnseen(text);
  // A joiner within a word of Persian, say, is part of a valid address.
  const typed = parseAddress(trimmed).ok ? trimmed : trimmed.replace(UNSEEN, '');
  const bare = typed.replace(LINK_FIELDS, '').replace(BEFORE, '').replace(BEHIND, '');
  return bare !== trimmed && parseAddress(bare).ok ? bare : null;
}
