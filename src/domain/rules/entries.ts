import { parse } from 'tldts';
import type { AddressList, AddressStanding, DomainList, DomainStanding, RejectedEntry } from '../../contract/rules.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { trimUnseen } from '../address/idna.ts';
import { type ParsedDomain, parseDomain } from '../address/parse.ts';
import type { DisposableTier } from '../lists/lists.ts';
import type { RuleMatch, RuleRecord } from './types.ts';

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

/** The entries read from a batch of texts. */
export interface Batch<T> {
  /** One entry for each key, as it was first named. */
  readonly found: ReadonlyMap<string, T>;
  /** By place and reason; the text itself is never repeated. */
  readonly rejected: readonly RejectedEntry[];
}

/** Reads each text; texts with the same key count once. */
export function readBatch<T extends { readonly key: string }>(
  texts: readonly string[],
  read: (text: string) => T | RejectedEntry['reason'],
): Batch<T> {
  const found = new Map<string, T>();
  const rejected: RejectedEntry[] = [];
  for (const [index, text] of texts.entries()) {
    const entry = read(text);
    if (typeof entry === 'string') rejected.push({ index, reason: entry });
    else if (!found.has(entry.key)) found.set(entry.key, entry);
  }
  return { found, rejected };
}

/** What rules and disposable lists say about a domain. An allow rule sets the lists aside, a block rule does not. */
export function domainStanding(domain: string, match: RuleMatch, tier: DisposableTier | null): DomainStanding {
  const rule = match.domain?.rule ?? null;
  const disposable = tier === 'block' && rule !== 'allow';
  const suspected = tier === 'signal' && rule !== 'allow';
  const listed = disposable ? 'disposable' : suspected ? 'suspected' : 'none';
  return {
    domain,
    status: rule === null ? listed : rule === 'block' ? 'blocked' : 'allowed',
    org_rule: rule,
    note: match.notes?.domain ?? null,
    matched_domain: match.domain?.matchedDomain ?? null,
    disposable,
    suspected,
  };
}

/** What the rules say about an address, shown as its mask: its own rule beats any on its domain. */
export const addressStanding = (display: string, match: RuleMatch): AddressStanding => ({
  org_rule: match.address,
  note: match.notes?.address ?? null,
  display,
  domain_rule: match.domain?.rule ?? null,
  effective: match.address ?? match.domain?.rule ?? 'none',
});

const made = ({ note, createdAt, createdBy }: RuleRecord) => ({
  note,
  created_at: epochSeconds(createdAt),
  created_by: createdBy,
});

export const domainEntry = (record: RuleRecord): DomainList['entries'][number] => ({
  id: record.id,
  domain: record.key,
  ...made(record),
});

export const addressEntry = (record: RuleRecord): AddressList['entries'][number] => ({
  id: record.id,
  display: record.display,
  ...made(record),
});
