import type { Address } from '../address/parse.ts';
import type { Feature } from '../belief/facts.ts';
import type { MailHosts } from '../dns/resolve.ts';
import type { DisposableTier } from '../lists/lists.ts';
import type { MailboxProvider } from '../mailbox-provider/classify.ts';
import type { RuleMatch } from '../rules/rules.ts';
import { type Precheck, type Traits, precheck } from './precheck.ts';
import { SANDBOX, type SandboxCase } from './sandbox.ts';

/** Facts about an address that need no permission of the account: its text, lists and DNS. */
export interface LookedUp {
  readonly address: Address | null;
  /** Keyed hash of the normalised address, 64 hex digits. */
  readonly addressHash: string | null;
  /** The domain; for invalid syntax the text after the last `@` as far as it is readable, or `""`. */
  readonly domain: string;
  /** The sandbox's case under a test key. */
  readonly sandbox: string | null;
  readonly mail: MailHosts | null;
  readonly provider: MailboxProvider;
  readonly backEnds: readonly string[];
  readonly disposableTier: DisposableTier | null;
  /** The rule that calls the domain disposable or suspected. */
  readonly disposableBy: 'list' | 'mail_hosts' | null;
  readonly traits: Traits;
  /** The well-known domain that the typed one is a typo of; also for invalid syntax. */
  readonly meantDomain: string | null;
}

/** The observed part of a verification's input, apart from the account's. */
export interface Observed extends LookedUp {
  /** Keyed hash of the canonical form, 64 hex digits. */
  readonly identityHash: string | null;
  /** The domain's key in the account's history: 32 hex digits of a keyed hash. */
  readonly domainName: string | null;
  /** Whether a correction exists: of the address as typed, and to `meantDomain`. */
  readonly isCorrected: { readonly asTyped: boolean; readonly toMeant: boolean };
  readonly features: readonly Feature[];
  /** Whether other organisations saw the domain accept every recipient, or null. */
  readonly sharedAcceptsAll: boolean | null;
}

/** Look-ups judged under the account's rules. */
export type LocalFacts = LookedUp & { readonly precheck: Precheck };

export function underRules<T extends LookedUp>(looked: T, rules: RuleMatch): T & { readonly precheck: Precheck } {
  const { address, mail, disposableTier } = looked;
  const checked = precheck(address === null || mail === null ? null : { mail, disposableTier, rules });
  return { ...looked, precheck: checked, meantDomain: isMeant(looked, checked) ? null : looked.meantDomain };
}

/** Features that an allow rule overrides. */
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

/** The account allows the address. The sandbox's cases stay what they show. */
const isMeant = ({ sandbox }: Pick<LookedUp, 'sandbox'>, { reasons }: Precheck): boolean =>
  sandbox === null && isAllowlisted(reasons);

/** The account allows the domain or the address as it is. */
export const isAllowlisted = (reasons: Precheck['reasons']): boolean =>
  reasons.some((reason) => reason === 'domain_allowlisted' || reason === 'address_allowlisted');

export const sandboxOf = ({ sandbox }: Pick<LookedUp, 'sandbox'>): SandboxCase | null =>
  sandbox === null ? null : (SANDBOX[sandbox] ?? null);
