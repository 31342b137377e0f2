import { parse } from 'tldts';
import type { AddressList, AddressStanding, DomainList, DomainStanding, RejectedEntry } from '../../contract/rules.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { Id, IdPrefix } from '../../kernel/ids.ts';
import type { Author } from '../access/keys.ts';
import { trimUnseen } from '../address/idna.ts';
import { type ParsedDomain, parseDomain } from '../address/parse.ts';
import type { DisposableTier } from '../lists/lists.ts';

export type Rule = 'block' | 'allow';
export type RuleKind = 'domain' | 'address';

/** Rules of each kind, both lists together. */
export const RULES_MAX = 10_000;

export const RULE_ID_PREFIX = { domain: 'dr', address: 'ar' } as const satisfies Record<RuleKind, IdPrefix>;

/** The account's rules for one address: at most one address rule and the most specific domain rule. */
export interface RuleMatch {
  readonly address: Rule | null;
  readonly domain: { readonly rule: Rule; readonly matchedDomain: string } | null;
  /** The matched rules' notes, if requested. */
  readonly notes?: { readonly address: string | null; readonly domain: string | null };
}

export const NO_RULES: RuleMatch = { address: null, domain: null };

/** A rule's domain (lower-case A-labels), or its address (keyed hash and mask). */
export interface RuleSubject {
  /** The domain or the hash; unique among the rules of a kind. */
  readonly key: string;
  /** The domain or the mask. */
  readonly display: string;
}

/** A list's entry. It gets a new id each time it joins a list; only its note can change. Time in epoch milliseconds. */
export interface RuleRecord extends RuleSubject {
  readonly id: Id<'dr'> | Id<'ar'>;
  readonly rule: Rule;
  readonly note: string | null;
  readonly createdAt: number;
  readonly createdBy: string;
}

interface ListCall {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

interface ListChange extends ListCall {
  /** The transport may send a change twice: it is made once, and both calls get the same answer. */
  readonly operationId: string;
  readonly author: Author;
}

export interface AddRules extends ListChange {
  /** Each key occurs once. */
  readonly subjects: readonly RuleSubject[];
  /** Existing entries keep their note where this is null, and lose it where it is empty. */
  readonly note: string | null;
  /** The addresses come from this job's file: those erased since are left out. */
  readonly jobId?: Id<'bj'>;
}

export interface RulesAdded {
  readonly ok: true;
  readonly added: number;
  /** Taken from the other list. */
  readonly moved: number;
  readonly unchanged: number;
  /** Entries now on the list. */
  readonly total: number;
}

/** The limit would be exceeded, so nothing was changed. */
export interface RulesFull {
  readonly ok: false;
  /** The existing rules of the kind, and how many the change would add. */
  readonly held: number;
  readonly added: number;
}

export interface RemoveRules extends ListChange {
  /** Keys or ids of entries; each occurs once. */
  readonly by: 'key' | 'id';
  readonly values: readonly string[];
}

export interface RulesRemoved {
  readonly removed: number;
  /** Keys that are not on this list, or ids of entries on the other list. */
  readonly notFound: number;
  /** Places in `values` of ids that the account does not have. */
  readonly unknown: readonly number[];
  readonly total: number;
}

export interface RulePage extends ListCall {
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before: string | null;
  /** A substring of the display or the note, or null. */
  readonly search: string | null;
}

export interface ListedRules {
  /** Newest first, up to `limit`. */
  readonly entries: readonly RuleRecord[];
  /** Matching entries on the whole list. */
  readonly count: number;
}

/**
 * A change on the way to Postgres. `version` counts an organisation's changes of a kind, so that late and repeated
 * changes are recognised.
 */
export interface ProjectedChange {
  readonly organisationId: Id<'org'>;
  readonly version: number;
  /** List and note of all of `put`, stored once because notes are long. Null when `put` is empty. */
  readonly rule: Rule | null;
  readonly note: string | null;
  readonly put: readonly Omit<RuleRecord, 'rule' | 'note'>[];
  readonly removed: readonly string[];
}

/** A kind's rules in Postgres at `version`. */
export interface ProjectedRules {
  readonly version: number;
  readonly records: readonly RuleRecord[];
}

interface AddPlan {
  readonly ok: true;
  /** New to this list, in the order sent: new to the account, or taken from the other list. */
  readonly fresh: readonly RuleSubject[];
  /** Already on this list; they get the new note. */
  readonly noted: readonly RuleRecord[];
  /** The note of all of these. */
  readonly note: string | null;
  readonly counts: Omit<RulesAdded, 'ok'>;
}

/**
 * Plans to add `change.subjects` to a list. `held`: rules on either list with one of these keys; `counts`: all rules of
 * the kind. An address or domain is on one list only, so adding it removes it from the other.
 */
export function planAdd(
  change: AddRules,
  held: readonly RuleRecord[],
  counts: Readonly<Record<Rule, number>>,
): AddPlan | RulesFull {
  const { subjects, rule } = change;
  const note = change.note || null;
  const heldByKey = new Map(held.map((record) => [record.key, record]));
  const added = subjects.length - held.length;
  const all = counts.block + counts.allow;
  if (all + added > RULES_MAX) return { ok: false, held: all, added };
  const kept = held.filter((record) => record.rule === rule);
  const fresh = subjects.filter(({ key }) => heldByKey.get(key)?.rule !== rule);
  return {
    ok: true,
    fresh,
    note,
    noted:
      change.note === null ? [] : kept.filter((record) => record.note !== note).map((record) => ({ ...record, note })),
    counts: {
      added,
      moved: held.length - kept.length,
      unchanged: kept.length,
      total: counts[rule] + fresh.length,
    },
  };
}

/** Why a text can't be a domain rule. */
type DomainRejection = 'invalid_domain' | 'public_suffix';

/** An absolute name (RFC 1034 §3.1) ends with a dot, which is `。` on some keyboards (UTS 46 §4). */
const ROOT_DOT = /[.\u3002\uFF0E\uFF61]$/u;

// Only registries' suffixes count. An account may want a rule on a company's own suffix (`github.io`).
const SUFFIX_OPTIONS = { allowPrivateDomains: false, extractHostname: false, validateHostname: false, detectIp: false };

/** Reads a domain as people paste it: in any case or script, with white space around it or a final dot. */
export const readDomainName = (text: string): ParsedDomain => parseDomain(trimUnseen(text).replace(ROOT_DOT, ''));

/**
 * Reads a rule's domain, which must be a plain name: URLs, wildcards, addresses, IP addresses, ports and a leading `@`
 * are refused, and so are public suffixes.
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

export interface Batch<T> {
  /** One entry for each key, as first named. */
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

/** How rules and disposable lists classify a domain. An allow rule overrides the lists, a block rule does not. */
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

/** How the rules classify an address, shown as its mask: its own rule beats any on its domain. */
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
