import punycode from 'punycode/punycode.js';
import { holdsRightToLeft, keepsBidiRule } from './bidi.ts';
import { isAscii } from './characters.ts';
import { keepsJoinerRule } from './joiners.ts';
import { keepsIdna2008Rules } from './u-label.ts';
import { mapName } from './uts46.ts';

/** RFC 5321 §4.5.3.1.2, octets. */
export const MAX_DOMAIN = 255;

/** More UTF-16 units than an A-label of the longest name could stand for; `ﷺ` is mapped to 18. */
const MAX_MAPPED = 2 * MAX_DOMAIN;
const PREFIX = 'xn--';

/**
 * A domain name with non-ASCII or `xn--` labels as lower-case A-labels (UTS 46 non-transitional mapping, then the code
 * point and context rules of IDNA 2008), or null. Length, letter-digit-hyphen and dots are judged on the result, which is
 * no more than mapped when it is too long.
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
  // Too long is not looked into any further.
  if (ascii.length > MAX_DOMAIN) return ascii;
  const bidi = labels.some(holdsRightToLeft);
  const valid = (label: string): boolean =>
    (isAscii(label) || isValid(label)) && (!bidi || label === '' || keepsBidiRule(label));
  return labels.every(valid) ? ascii : null;
}

/** UTS 46 §4.1: mapped and in NFC, also where it came as an A-label; no mark at its start. And the rules of IDNA 2008. */
const isValid = (label: string): boolean =>
  label === mapName(label) && !/^\p{M}/u.test(label) && keepsIdna2008Rules(label) && keepsJoinerRule(label);

/** A lower-case ASCII name with its `xn--` labels decoded where they can be; whether they are valid is not asked. */
export const decodeALabels = (name: string): string =>
  name
    .split('.')
    .map((label) => (label.startsWith(PREFIX) ? (decode(label) ?? label) : label))
    .join('.');

const encode = (label: string): string => (isAscii(label) ? label : PREFIX + punycode.encode(label));

/** Null where it is not Punycode, or that of an ASCII label. */
function decode(label: string): string | null {
  try {
    const decoded = punycode.decode(label.slice(PREFIX.length));
    return isAscii(decoded) ? null : decoded;
  } catch {
    return null;
  }
}
