import { isAscii, isControl } from './characters.ts';
import { MAX_DOMAIN, toALabels } from './idna.ts';
import type { AddressFault, ParsedDomain } from './types.ts';

const DOT = 0x2e;
const HYPHEN = 0x2d;
/** RFC 1035 §2.3.4, octets. */
const MAX_LABEL = 63;
/** An address has at most 320 characters; the limit bounds the work on hostile input. */
const MAX_TYPED = 320;

/**
 * Reads a mail domain: RFC 5321 §4.1.2 Domain with at least two labels, IDNA 2008 with the mappings of UTS 46 (case,
 * width, `。` as a dot). White space is not trimmed. A well-formed name that can't be a mail domain (one label, or a
 * numeric last label) is still returned in `domain`. Never throws.
 */
export function parseDomain(text: string): ParsedDomain {
  if (text === '') return { ok: false, fault: 'domain_empty', domain: '' };
  if (text.startsWith('[')) return { ok: false, fault: 'domain_literal', domain: '' };
  if (text.length > MAX_TYPED) return { ok: false, fault: 'domain_too_long', domain: '' };
  const lower = isAscii(text) ? text.toLowerCase() : null;
  const name = lower !== null && !lower.includes('xn--') ? lower : toALabels(text);
  return name === null ? { ok: false, fault: 'domain_syntax', domain: '' } : checkHostName(name);
}

/**
 * Checks a lower-case ASCII name in one pass: letters, digits and hyphens, without empty labels or hyphens at a label's
 * end.
 */
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
