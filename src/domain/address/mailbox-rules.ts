import TABLE from './mailbox-rules.json' with { type: 'json' };

/** Domains of the large mailbox providers. A provider's published rules hold for its whole row. */
export const PROVIDER_DOMAINS: Readonly<Record<keyof typeof TABLE.domains, readonly string[]>> = TABLE.domains;

/**
 * The local parts a mailbox provider allows or ever allowed: addresses that break today's rules still exist
 * (`exceptions`). In lower case; length and characters exclude the tag.
 */
interface MailboxRule {
  readonly characters: RegExp;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  /** Dots don't count for the length. */
  readonly dotsAreFree?: true;
  readonly source: string;
  /** Which addresses break today's published rules, and how the row allows for them. */
  readonly exceptions: string;
  /** Faults that a few real addresses have, or that no published rule excludes. */
  readonly seldom?: readonly MailboxFault[];
  /** Those of `seldom` that break a published rule. */
  readonly published?: readonly MailboxFault[];
}

type StoredRule = Omit<MailboxRule, 'characters'> & {
  readonly provider: keyof typeof PROVIDER_DOMAINS;
  readonly characters: string;
};

const BY_DOMAIN: ReadonlyMap<string, MailboxRule> = new Map(
  (TABLE.rules as readonly StoredRule[]).flatMap(({ provider, characters, ...rule }) =>
    PROVIDER_DOMAINS[provider].map((domain) => [domain, { ...rule, characters: new RegExp(characters) }] as const),
  ),
);

/** Why a local part can't exist at its provider. `far_too_short`: at most a third of the minimum. */
export type MailboxFault = 'far_too_short' | 'too_short' | 'too_long' | 'characters';

const withoutTag = (local: string): string => {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
};

/** Whether such local parts exist, though rarely. `domain`: lower-case A-labels. */
export const isSeldom = (fault: MailboxFault, domain: string): boolean =>
  BY_DOMAIN.get(domain)?.seldom?.includes(fault) === true;

export const isPublished = (fault: MailboxFault, domain: string): boolean =>
  BY_DOMAIN.get(domain)?.published?.includes(fault) === true;

/**
 * Null if the address can exist, or its provider is not in the table. `local`: as typed, with its tag; `domain`:
 * lower-case A-labels.
 */
export function mailboxFault(local: string, domain: string): MailboxFault | null {
  const rule = BY_DOMAIN.get(domain);
  if (rule === undefined) return null;
  const { characters, lengthMin = 1, lengthMax = Number.POSITIVE_INFINITY, dotsAreFree = false } = rule;
  const name = withoutTag(local.toLowerCase());
  if (!characters.test(name)) return 'characters';
  const counted = dotsAreFree ? name.replaceAll('.', '') : name;
  if (counted.length < lengthMin) return counted.length * 3 <= lengthMin ? 'far_too_short' : 'too_short';
  return counted.length > lengthMax ? 'too_long' : null;
}
