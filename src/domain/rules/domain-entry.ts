import { parse } from 'tldts';
import { parseDomain } from '../address/domain.ts';
import type { ParsedDomain } from '../address/types.ts';

/** Why a text names no domain that a rule could be on. */
export type DomainRejection = 'invalid_domain' | 'public_suffix';

/** A name written as absolute (RFC 1034 §3.1) ends with a dot, which is `。` on some keyboards (UTS 46 §4). */
const ROOT_DOT = /[.\u3002\uFF0E\uFF61]$/u;

// Registries' suffixes alone. Of the companies' own below them (`github.io`) an account may well want all or none.
const SUFFIX_OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

/** A domain as people paste it, in lower-case A-labels: any case or script, white space around it, a dot at its end. */
export const readDomainName = (text: string): ParsedDomain => parseDomain(text.trim().replace(ROOT_DOT, ''));

/**
 * A domain that a rule may be on. It is a name and nothing that only holds one: no URL, wildcard, address, IP address, port
 * or leading `@`; and no public suffix, below which anybody may register a name.
 */
export function readDomain(
  text: string,
): { readonly ok: true; readonly domain: string } | { readonly ok: false; readonly refusal: DomainRejection } {
  const parsed = readDomainName(text);
  if (isPublicSuffix(parsed.domain)) return { ok: false, refusal: 'public_suffix' };
  return parsed.ok ? { ok: true, domain: parsed.domain } : { ok: false, refusal: 'invalid_domain' };
}

/** `com`, `co.uk`. A top-level name that no registry has (`test`, `corp`) is none. */
function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann } = parse(name, SUFFIX_OPTIONS);
  return isIcann === true && publicSuffix === name;
}
