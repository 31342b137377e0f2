import TABLE from './mailbox-rules.json' with { type: 'json' };

/** Domains of the large mailbox providers: what one of them publishes of its addresses holds for all of its row. */
export const PROVIDER_DOMAINS: Readonly<Record<keyof typeof TABLE.domains, readonly string[]>> = TABLE.domains;

/**
 * What a mailbox provider lets a local part be, as wide as it ever was: an old address that breaks today's rules is kept
 * (`exceptions`). Lower case; length and characters are counted without a tag.
 */
interface MailboxRule {
  /** Every character there can be. */
  readonly characters: RegExp;
  readonly lengthMin?: number;
  readonly lengthMax?: number;
  /** Dots are free: they count for no length. */
  readonly dotsAreFree?: true;
  /** What the provider publishes, and where. */
  readonly source: string;
  /** Which addresses break what is published today, and how the row makes room for them. */
  readonly exceptions: string;
  /** Breaches that a few real addresses have, or that no page of the provider's rules out. */
  readonly seldom?: readonly MailboxFault[];
  /** Breaches among these of a rule that the provider has published. */
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

/** Why a local part can't be an address at its provider. `far_too_short`: at most a third of the shortest. */
export type MailboxFault = 'far_too_short' | 'too_short' | 'too_long' | 'characters';

const withoutTag = (local: string): string => {
  const plus = local.indexOf('+');
  return plus > 0 ? local.slice(0, plus) : local;
};

/** Whether such a local part is only seldom given out, and not never. `domain`: lower-case A-labels. */
export const isSeldom = (fault: MailboxFault, domain: string): boolean =>
  BY_DOMAIN.get(domain)?.seldom?.includes(fault) === true;

/** Whether the provider publishes the rule that is broken. */
export const isPublished = (fault: MailboxFault, domain: string): boolean =>
  BY_DOMAIN.get(domain)?.published?.includes(fault) === true;

/**
 * `local`: as typed, its tag included; `domain`: lower-case A-labels. Null means it can be, or the provider is not in the
 * table.
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
