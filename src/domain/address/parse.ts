import { MAX_DOMAIN, holdsUnsafe, isAscii, isControl, toALabels, trimUnseen } from './idna.ts';

/** A syntactically valid mailbox (RFC 5321 with RFC 6531), normalised for comparison. */
export interface Address {
  /** As typed, in NFC, trimmed of white space and invisible characters. */
  readonly local: string;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** Lower-case NFC local part, `@`, domain: the form that rules, caches, deduplication and hashes compare. */
  readonly normalised: string;
}

/** Why a string is not a mailbox. A closed set for tests and traces, never shown with the input. */
export type AddressFault =
  | 'empty'
  | 'no_at_sign'
  | 'local_empty'
  | 'local_too_long'
  | 'local_syntax'
  | 'domain_empty'
  | 'domain_too_long'
  | 'domain_syntax'
  | 'domain_literal'
  | 'domain_single_label'
  | 'too_long'
  | 'forbidden_character';

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  /** `domain`: the text after the last `@`, normalised where possible, else `""`. */
  | { readonly ok: false; readonly fault: AddressFault; readonly domain: string };

/** `domain`: lower-case A-labels; on failure, a well-formed name that can't be a mail domain, else `""`. */
export type ParsedDomain =
  | { readonly ok: true; readonly domain: string }
  | { readonly ok: false; readonly fault: AddressFault; readonly domain: string };

const DOT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** `atext` of RFC 5321 §4.1.2, by char code. */
const ATEXT = new Uint8Array(128);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[char.charCodeAt(0)] = 1;
}

/**
 * Why the first `end` units of `text` are not a Local-part (RFC 5321 §4.1.2: Dot-string or Quoted-string), or null.
 * Non-ASCII counts as `atext` and `qtext` (RFC 6531 §3.3). The caller checks the length.
 */
function localPartFault(text: string, end: number): AddressFault | null {
  if (end === 0) return 'local_empty';
  if (text.charCodeAt(0) === QUOTE) return quotedStringFault(text, end);
  let previous = DOT;
  for (let i = 0; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (previous === DOT) return 'local_syntax';
    } else if (code < 0x80 && ATEXT[code] !== 1) {
      return isControl(code) ? 'forbidden_character' : 'local_syntax';
    }
    previous = code;
  }
  return previous === DOT ? 'local_syntax' : null;
}

/** Quoted-string without folding white space: qtextSMTP is %d32-126 except `"` and `\`; a quoted pair escapes %d32-126. */
function quotedStringFault(text: string, end: number): AddressFault | null {
  let i = 1;
  for (; i < end; i += 1) {
    let code = text.charCodeAt(i);
    if (code === QUOTE) break;
    if (code === BACKSLASH) {
      i += 1;
      code = i < end ? text.charCodeAt(i) : BACKSLASH;
      if (code > 0x7e && code !== 0x7f) return 'local_syntax';
    }
    if (isControl(code)) return 'forbidden_character';
  }
  return i === end - 1 ? null : 'local_syntax';
}

/**
 * The comparable form of a valid local part: lower case, NFC, fewest quotes. RFC 5321 §4.1.2: "all quoted forms MUST be
 * treated as equivalent", so `"a.b"`, `"a\.b"` and `a.b` are one mailbox.
 */
function normaliseLocalPart(local: string): string {
  const lower = local.toLowerCase().normalize('NFC');
  if (lower.charCodeAt(0) !== QUOTE) return lower;
  const content = lower.slice(1, -1).replace(/\\(.)/gv, '$1');
  const needsQuotes = content.startsWith('"') || localPartFault(content, content.length) !== null;
  return needsQuotes ? `"${content.replace(/["\\]/gv, '\\$&')}"` : content;
}

const HYPHEN = 0x2d;
/** RFC 1035 §2.3.4, octets. */
const MAX_LABEL = 63;
/** The longest address; bounds the work on hostile input. */
const MAX_TYPED = 320;

/**
 * Reads a mail domain: RFC 5321 §4.1.2 Domain with at least two labels, IDNA 2008 with the mappings of UTS 46. Does not
 * trim. A well-formed name that can't be a mail domain (one label, or a numeric last label) is still returned in
 * `domain`. Never throws.
 */
export function parseDomain(text: string): ParsedDomain {
  if (text === '') return { ok: false, fault: 'domain_empty', domain: '' };
  if (text.startsWith('[')) return { ok: false, fault: 'domain_literal', domain: '' };
  if (text.length > MAX_TYPED) return { ok: false, fault: 'domain_too_long', domain: '' };
  const lower = isAscii(text) ? text.toLowerCase() : null;
  const name = lower !== null && !lower.includes('xn--') ? lower : toALabels(text);
  return name === null ? { ok: false, fault: 'domain_syntax', domain: '' } : checkHostName(name);
}

/** Checks letters, digits, hyphens and labels of a lower-case ASCII name in one pass. */
function checkHostName(name: string): ParsedDomain {
  if (name.length > MAX_DOMAIN) return { ok: false, fault: 'domain_too_long', domain: '' };
  let labels = 0;
  let start = 0;
  let numeric = true;
  for (let i = 0; i <= name.length; i += 1) {
    const code = i < name.length ? name.charCodeAt(i) : DOT;
    if (code === DOT) {
      if (i === start || i - start > MAX_LABEL || name.charCodeAt(i - 1) === HYPHEN) return invalid('domain_syntax');
      labels += 1;
      if (i === name.length) break;
      start = i + 1;
      numeric = true;
    } else if ((code >= 0x61 && code <= 0x7a) || (code === HYPHEN && i > start)) {
      numeric = false;
    } else if (code < 0x30 || code > 0x39) {
      return invalid(isControl(code) ? 'forbidden_character' : 'domain_syntax');
    }
  }
  // RFC 3696 §2: no top-level name is all digits; `192.0.2.1` is an address literal without its brackets.
  if (numeric) return { ok: false, fault: 'domain_syntax', domain: name };
  if (labels < 2) return { ok: false, fault: 'domain_single_label', domain: name };
  return { ok: true, domain: name };
}

const invalid = (fault: AddressFault): ParsedDomain => ({ ok: false, fault, domain: '' });

/** RFC 5321 §4.5.3.1.1, octets. */
const MAX_LOCAL = 64;

const octets = (text: string): number => (isAscii(text) ? text.length : new TextEncoder().encode(text).length);

/**
 * Reads one mailbox (RFC 5321 §4.1.2, RFC 6531) after trimming white space and invisible characters. Comments, folding
 * white space, display names and domain literals are faults. Only U+0040 separates: mail systems don't treat a
 * full-width `＠` as `@`. Never throws.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = trimUnseen(text);
  if (trimmed === '') return { ok: false, fault: 'empty', domain: '' };
  if (trimmed.length > MAX_TYPED) {
    return { ok: false, fault: 'too_long', domain: parseDomain(trimmed.slice(trimmed.lastIndexOf('@') + 1)).domain };
  }
  const ascii = isAscii(trimmed);
  // Comes first: NFC turns U+037E into `;` and U+1FEF into a backtick.
  const typed = ascii ? trimmed : trimmed.normalize('NFC');
  const at = typed.lastIndexOf('@');
  if (at === -1) return { ok: false, fault: 'no_at_sign', domain: '' };
  const parsed = parseDomain(typed.slice(at + 1));
  const local = typed.slice(0, at);
  const fault = localPartFault(typed, at) ?? lengthFault(local);
  if (fault !== null) return { ok: false, fault, domain: parsed.domain };
  if (!parsed.ok) return parsed;
  if (ascii && local.charCodeAt(0) !== QUOTE) {
    return accept(local, local.toLowerCase(), parsed.domain);
  }
  if (holdsUnsafe(local)) return { ok: false, fault: 'forbidden_character', domain: parsed.domain };
  const normalised = normaliseLocalPart(local);
  // Lower case can be longer (`İ` is 2 octets, `i̇` 3), and the comparable form must be an address too.
  const longer = lengthFault(normalised);
  return longer === null
    ? accept(local, normalised, parsed.domain)
    : { ok: false, fault: longer, domain: parsed.domain };
}

const accept = (local: string, normalised: string, domain: string): ParsedAddress => ({
  ok: true,
  address: { local, domain, normalised: `${normalised}@${domain}` },
});

const lengthFault = (local: string): AddressFault | null => (octets(local) > MAX_LOCAL ? 'local_too_long' : null);

const UNSEEN = /\p{DI}/gv;

/**
 * What gets copied along with an address (`<mailto:ada@acme.example>,`): a link's scheme, brackets, quotes of any
 * language, trailing punctuation. Quotes closed before the `@` are a quoted local part.
 */
const BEFORE = /^(?:mailto:|"(?![^@]*"@)|[<\(\[\{'`\u00B4\p{Pi}\p{Pf}\u201A\u201E\s])+/iv;
const BEHIND = /[>\)\]\}"'`\u00B4\p{Pi}\p{Pf}.,;:!?\/\s]+$/v;
/** The header fields of a link (RFC 6068): `mailto:ada@acme.example?subject=Hello`. */
const LINK_FIELDS = /(?<=^mailto:[^@]+@[^?]*)\?.*/isv;

/** A text without surroundings; a fast path for nearly every address. */
const PLAIN = /^(?!mailto:)[a-z0-9][!-~]*[a-z0-9]$/i;

/** A longer text is not one address with surroundings. */
const LONGEST = 640;

/** The address inside its surroundings, without invisible characters; null if the text is bare or no address. */
export function withoutSurroundings(text: string): string | null {
  if (text.length > LONGEST || PLAIN.test(text)) return null;
  const trimmed = trimUnseen(text);
  // A joiner inside a Persian word, for example, is part of a valid address.
  const typed = parseAddress(trimmed).ok ? trimmed : trimmed.replace(UNSEEN, '');
  const bare = typed.replace(LINK_FIELDS, '').replace(BEFORE, '').replace(BEHIND, '');
  return bare !== trimmed && parseAddress(bare).ok ? bare : null;
}

/** Stands in for an address that could not be parsed, whose text is not stored. */
export const MASKED_UNPARSED = '•••';

/**
 * The form that may be stored and shown: first character (a whole code point), `•••`, `@`, domain. Equal addresses look
 * equal however they are typed. The domain stays in A-labels, since a look-alike in Unicode would pass for the real
 * one.
 */
export function maskAddress({ normalised, domain }: Address): string {
  const [first = ''] = normalised;
  return `${first}•••@${domain}`;
}
