import { holdsUnsafe, isAscii, trimUnseen } from './characters.ts';
import { parseDomain } from './domain.ts';
import { localPartFault, normaliseLocalPart } from './local-part.ts';
import type { AddressFault, ParsedAddress } from './types.ts';

/** Characters as typed. */
const MAX_ADDRESS = 320;
/** RFC 5321 §4.5.3.1.1, octets. */
const MAX_LOCAL = 64;
const QUOTE = 0x22;

const octets = (text: string): number => (isAscii(text) ? text.length : new TextEncoder().encode(text).length);

/**
 * Reads one mailbox: RFC 5321 §4.1.2 with RFC 6531, without white space and invisible characters around it. Comments, folding white space,
 * display names and domain literals are faults. Only U+0040 separates: mail systems don't take a full-width `＠` for an
 * `@`. Never throws.
 */
export function parseAddress(text: string): ParsedAddress {
  const trimmed = trimUnseen(text);
  if (trimmed === '') return { ok: false, fault: 'empty', domain: '' };
  if (trimmed.length > MAX_ADDRESS) {
    return { ok: false, fault: 'too_long', domain: parseDomain(trimmed.slice(trimmed.lastIndexOf('@') + 1)).domain };
  }
  const ascii = isAscii(trimmed);
  // Before any check: NFC turns U+037E into `;` and U+1FEF into a backtick.
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
  // Lower case can be longer (`İ` is 2 octets, `i̇` 3), and the equality form has to be an address too.
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
