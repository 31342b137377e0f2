import { domainToASCII } from 'node:url';
import { getDomain, parse } from 'tldts';

/** A name fit for the table, or why it is not. */
export type Judged =
  | { readonly domain: string; readonly why?: never }
  | { readonly domain?: never; readonly why: string };

const PRIVATE_TOO = { allowPrivateDomains: true };
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
/** RFC 2606, 6761, 6762, 7686, 8375: names that can't be registered. */
const RESERVED = /(?:^|\.)(?:test|example|invalid|localhost|local|onion|example\.(?:com|net|org)|home\.arpa)$/;

/**
 * A-labels in lower case. Public suffixes of registries and hosting providers are refused: anybody may use names below
 * them.
 */
export function judgeDomain(text: string): Judged {
  const domain = domainToASCII(text.trim().toLowerCase());
  if (!HOST_NAME.test(domain)) return { why: 'no domain name' };
  if (RESERVED.test(domain)) return { why: 'reserved name' };
  const { domain: registrable, isIcann, isPrivate } = parse(domain, PRIVATE_TOO);
  if (isIcann !== true && isPrivate !== true) return { why: 'unknown top-level domain' };
  return registrable === null ? { why: 'public suffix' } : { domain };
}

/** The domain and its parents, most specific first, down to the registrable domain. */
export function lineage(domain: string): string[] {
  const registrable = getDomain(domain, PRIVATE_TOO) ?? domain;
  const names = [domain];
  for (let name = domain; name.length > registrable.length;) {
    name = name.slice(name.indexOf('.') + 1);
    names.push(name);
  }
  return names;
}
