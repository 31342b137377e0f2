import { isControl } from './characters.ts';
import type { AddressFault } from './types.ts';

const DOT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** `atext` of RFC 5321 §4.1.2, by char code. */
const ATEXT = new Uint8Array(128);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[char.charCodeAt(0)] = 1;
}

/**
 * What keeps the first `end` units of `text` from being a Local-part (RFC 5321 §4.1.2: Dot-string or Quoted-string),
 * or null. Non-ASCII counts as `atext` and `qtext` (RFC 6531 §3.3). The caller checks the length.
 */
export function localPartFault(text: string, end: number): AddressFault | null {
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

/**
 * Quoted-string without folding white space: qtextSMTP is %d32-126 except `"` and `\`; a quoted pair escapes %d32-126.
 */
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
 * The equality form of a valid local part in NFC: lower case, NFC, fewest quotes. RFC 5321 §4.1.2: "all quoted forms
 * MUST be treated as equivalent", so `"a.b"`, `"a\.b"` and `a.b` are one mailbox.
 */
export function normaliseLocalPart(local: string): string {
  const lower = local.toLowerCase().normalize('NFC');
  if (lower.charCodeAt(0) !== QUOTE) return lower;
  const content = lower.slice(1, -1).replace(/\\(.)/gv, '$1');
  const needsQuotes = content.startsWith('"') || localPartFault(content, content.length) !== null;
  return needsQuotes ? `"${content.replace(/["\\]/gv, '\\$&')}"` : content;
}
