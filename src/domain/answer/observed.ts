import type { Address } from '../address/parse.ts';
import type { Feature } from '../belief/facts.ts';
import type { MailHosts } from '../dns/resolve.ts';
import type { DisposableTier } from '../lists/lists.ts';
import type { MailboxProvider } from '../mailbox-provider/classify.ts';
import type { RuleMatch } from '../rules/rules.ts';
import { type Precheck, type Traits, precheck } from './precheck.ts';
import { SANDBOX, type SandboxCase } from './sandbox.ts';

/** What is found out about an address without the account's permission: from its text, the lists and DNS. */
export interface LookedUp {
  /** Null means the syntax is broken. */
  readonly address: Address | null;
  /** Keyed hash of the normalised address, 64 hex digits. */
  readonly addressHash: string | null;
  /** The address's domain. Of broken syntax, the text after the last `@` as far as it can be read, or `""`. */
  readonly domain: string;
  /** The sandbox's case, where a test key names one. */
  readonly sandbox: string | null;
  /** Null for broken syntax. */
  readonly mail: MailHosts | null;
  readonly provider: MailboxProvider;
  /** Names of what stands behind the mail hosts. */
  readonly backEnds: readonly string[];
  readonly disposableTier: DisposableTier | null;
  /** Which rule calls the domain disposable or suspected. */
  readonly disposableBy: 'list' | 'mail_hosts' | null;
  readonly traits: Traits;
  /** The well-known domain that was meant, where the typed one is a typo of it; also of broken syntax. */
  readonly meantDomain: string | null;
}

/** What a verification is judged by, apart from what the account knows. */
export interface Observed extends LookedUp {
  /** Keyed hash of the canonical form, 64 hex digits. */
  readonly identityHash: string | null;
  /** Names the domain in the account's history: 32 hex digits of a keyed hash. */
  readonly domainName: string | null;
  /** Whether the address can be corrected: as it is typed, and to the domain that was meant. */
  readonly isCorrected: { readonly asTyped: boolean; readonly toMeant: boolean };
  /** What the address shows by itself. */
  readonly features: readonly Feature[];
  /** Whether other organisations saw the domain accept every recipient; null means not known. */
  readonly sharedAcceptsAll: boolean | null;
}

/** What was looked up, under the account's rules. */
export type LocalFacts = LookedUp & { readonly precheck: Precheck };

export function underRules<T extends LookedUp>(looked: T, rules: RuleMatch): T & { readonly precheck: Precheck } {
  const { address, mail, disposableTier } = looked;
  const checked = precheck(address === null || mail === null ? null : { mail, disposableTier, rules });
  return { ...looked, precheck: checked, meantDomain: isMeant(looked, checked) ? null : looked.meantDomain };
}

/** Features that an allow rule sets aside. */
const SUSPICIONS: ReadonlySet<Feature> = new Set([
  'typo_domain',
  'impossible',
  'too_short',
  'unusual',
  'gibberish',
  'placeholder',
]);

export const featuresUnder = (observed: Observed, checked: Precheck): readonly Feature[] =>
  isMeant(observed, checked) ? observed.features.filter((feature) => !SUSPICIONS.has(feature)) : observed.features;

/** The sandbox's cases stay what they show. */
const isMeant = ({ sandbox }: Pick<LookedUp, 'sandbox'>, { reasons }: Precheck): boolean =>
  sandbox === null && isAllowlisted(reasons);

/** The account has said that the domain, or the address as it is, is meant. */
export const isAllowlisted = (reasons: Precheck['reasons']): boolean =>
  reasons.some((reason) => reason === 'domain_allowlisted' || reason === 'address_allowlisted');

export const sandboxOf = ({ sandbox }: Pick<LookedUp, 'sandbox'>): SandboxCase | null =>
  sandbox === null ? null : (SANDBOX[sandbox] ?? null);
