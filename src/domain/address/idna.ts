import punycode from 'punycode/punycode.js';
import { holdsRightToLeft, keepsBidiRule } from './bidi.ts';
import { isAscii } from './characters.ts';
import { keepsJoinerRule } from './joiners.ts';
import { keepsIdna2008Rules } from './u-label.ts';
import { mapName } from './uts46.ts';

/** RFC 5321 §4.5.3.1.2, octets. */
export const MAX_DOMAIN = 255;

/** More UTF-16 units than the longest name can have; `ﷺ` alone is mapped to 18. */
const MAX_MAPPED = 2 * MAX_DOMAIN;
const PREFIX = 'xn--';

/**
 * A domain name with non-ASCII or `xn--` labels as lower-case A-labels (UTS 46 non-transitional mapping, then the code
 * point and context rules of IDNA 2008), or null. The caller checks length, letters and dots on the result. A name that
 * is too long is only mapped.
 */
export function toALabels(domain: string): string | null {
  const mapped = mapName(domain);
  if (mapped.length > MAX_MAPPED) return mapped;
  const labels: string[] = [];
  for (const typed of mapped.split('.')) {
    const label = typed.startsWith(PREFIX) ? decode(typed) : typed;
    if (label === null) return null;
    labels.push(label);
  }
  const ascii = labels.map(encode).join('.');
  // Too long to be valid: its labels are not checked.
  if (ascii.length > MAX_DOMAIN) return ascii;
  const bidi = labels.some(holdsRightToLeft);
  const valid = (label: string): boolean =>
    (isAscii(label) || isValid(label)) && (!bidi || label === '' || keepsBidiRule(label));
  return labels.every(valid) ? ascii : null;
}

/** UTS 46 §4.1 (mapped, in NFC, without a mark at the start, also for an A-label) and the rules of IDNA 2008. */
const isValid = (label: string): boolean =>
  label === mapName(label) && !/^\p{M}/u.test(label) && keepsIdna2008Rules(label) && keepsJoinerRule(label);

/** A lower-case ASCII name with its `xn--` labels decoded where possible. Does not check that they are valid. */
export const decodeALabels = (name: string): string =>
  name
    .split('.')
    .map((label) => (label.startsWith(PREFIX) ? (decode(label) ?? label) : label))
    .join('.');

const encode = (label: string): string => (isAscii(label) ? label : PREFIX + punycode.encode(label));

/** Null where the text is not Punycode, or encodes an ASCII label. */
function decode(label: string): string | null {
  try {
    const decoded = punycode.decode(label.slice(PREFIX.length));
    return isAscii(decoded) ? null : decoded;
  } catch {
    return null;
  }
}
