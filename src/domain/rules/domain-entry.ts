import { parse } from 'tldts';
import { trimUnseen } from '../address/idna.ts';
import { type ParsedDomain, parseDomain } from '../address/parse.ts';

/** Why a text can't be a domain rule. */
export type DomainRejection = 'invalid_domain' | 'public_suffix';

/** An absolute name (RFC 1034 §3.1) ends with a dot, which is `。` on some keyboards (UTS 46 §4). */
const ROOT_DOT = /[.\u3002\uFF0E\uFF61]$/u;

// Only registries' suffixes count. An account may well want a rule on a company's own suffix (`github.io`).
const SUFFIX_OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

/** Reads a domain as people paste it: any case or script, white space and invisible characters around it, a dot at its end. */
export const readDomainName = (text: string): ParsedDomain => parseDomain(trimUnseen(text).replace(ROOT_DOT, ''));

/**
 * Reads the domain of a rule. It has to be a plain name: URLs, wildcards, addresses, IP addresses, ports and a leading
 * `@` are refused, and so are public suffixes, below which anybody may register a name.
 */
export function readDomain(
  text: string,
): { readonly ok: true; readonly domain: string } | { readonly ok: false; readonly refusal: DomainRejection } {
  const parsed = readDomainName(text);
  if (isPublicSuffix(parsed.domain)) return { ok: false, refusal: 'public_suffix' };
  return parsed.ok ? { ok: true, domain: parsed.domain } : { ok: false, refusal: 'invalid_domain' };
}

/** `com`, `co.uk`; but not a top-level name without a registry (`test`, `corp`). */
function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann } = parse(name, SUFFIX_OPTIONS);
  return isIcann === true && publicSuffix === name;
}
