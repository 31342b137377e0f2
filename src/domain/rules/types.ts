import type { Id, IdPrefix } from '../../kernel/ids.ts';

export type Rule = 'block' | 'allow';
export type RuleKind = 'domain' | 'address';

/** Of each kind an account may have this many rules, both lists together. */
export const RULES_MAX = 10_000;

/** What an entry's id begins with. */
export const RULE_ID_PREFIX = { domain: 'dr', address: 'ar' } as const satisfies Record<RuleKind, IdPrefix>;

/** What the account's rules say about one address: at most one address rule and the most specific domain rule. */
export interface RuleMatch {
  readonly address: Rule | null;
  readonly domain: { readonly rule: Rule; readonly matchedDomain: string } | null;
  /** The matched rules' notes, where they were asked for. */
  readonly notes?: { readonly address: string | null; readonly domain: string | null };
}

export const NO_RULES: RuleMatch = { address: null, domain: null };

/** What a rule is about: a domain in lower-case A-labels, or an address as keyed hash and mask. */
export interface RuleSubject {
  /** The domain or the hash: at most one rule of a kind has it. */
  readonly key: string;
  /** The domain or the mask. */
  readonly display: string;
}

/** An entry of a list. Its id is new whenever it comes to a list; only its note ever changes. Time in epoch milliseconds. */
export interface RuleRecord extends RuleSubject {
  readonly id: Id<'dr'> | Id<'ar'>;
  readonly rule: Rule;
  readonly note: string | null;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** What every call about a list names. */
interface ListCall {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

interface ListChange extends ListCall {
  /** Our own transport may send a change twice: it is made once, and both get its answer. */
  readonly operationId: string;
}

export interface AddRules extends ListChange {
  /** Different keys. */
  readonly subjects: readonly RuleSubject[];
  /** Null: entries that are there keep theirs. Empty: they lose it. */
  readonly note: string | null;
  readonly createdBy: string;
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

/** Over the cap: nothing was applied. */
export interface RulesFull {
  readonly ok: false;
  /** Rules of the kind that are there, and how many more were asked for. */
  readonly held: number;
  readonly added: number;
}

export interface RemoveRules extends ListChange {
  /** Different ones: keys, or ids of entries. */
  readonly by: 'key' | 'id';
  readonly values: readonly string[];
}

export interface RulesRemoved {
  readonly removed: number;
  /** Not on this list; of ids, those that are on the other one. */
  readonly notFound: number;
  /** Where in `values` ids stand that no rule of the account has. */
  readonly unknown: readonly number[];
  readonly total: number;
}

export interface RulePage extends ListCall {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before: string | null;
}

export interface ListedRules {
  /** Newest first, up to `limit`. */
  readonly entries: readonly RuleRecord[];
  /** On the whole list. */
  readonly count: number;
}

/**
 * One change on its way to Postgres. `version` counts an organisation's changes of a kind, so that one that comes late or
 * twice is told from a new one.
 */
export interface ProjectedChange {
  readonly organisationId: Id<'org'>;
  readonly version: number;
  /** Of all that was put: one change is one list's, and notes are long. Null where nothing was. */
  readonly rule: Rule | null;
  readonly note: string | null;
  readonly put: readonly Omit<RuleRecord, 'rule' | 'note'>[];
  /** Keys. */
  readonly removed: readonly string[];
}

/** A kind's rules as Postgres has them, as of `version`. */
export interface ProjectedRules {
  readonly version: number;
  readonly records: readonly RuleRecord[];
}
