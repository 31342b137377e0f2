import type { ActorClass, CheckReason, EmailType, MailboxType } from '../../contract/vocabulary.ts';
import type { Address } from '../address/parse.ts';
import type { MailHosts } from '../dns/resolve.ts';
import type { DisposableTier, Lists } from '../lists/lists.ts';
import type { RuleMatch } from '../rules/rules.ts';

/** Free facts about an address with valid syntax. */
export interface PrecheckFacts {
  readonly mail: MailHosts;
  readonly disposableTier: DisposableTier | null;
  readonly rules: RuleMatch;
}

/** Reasons that end a verification before any provider is asked. The others only inform. */
const TERMINAL: Partial<Record<CheckReason, { readonly bounce: 'certain' | 'prior' }>> = {
  syntax_invalid: { bounce: 'certain' },
  // A rule of the account decides, so calibration excludes it.
  address_blocklisted: { bounce: 'certain' },
  domain_blocklisted: { bounce: 'certain' },
  // RFC 5321 §5.1 and RFC 7505: mail for it can't be delivered.
  no_mx: { bounce: 'certain' },
  // Dropped for its kind. Many disposable mailboxes accept mail, so the probability stays the prior's.
  disposable_domain: { bounce: 'prior' },
};

export const isTerminal = (reason: CheckReason): boolean => TERMINAL[reason] !== undefined;

/** Whether this reason sets the bounce probability to 1. */
export const isCertain = (reason: CheckReason): boolean => TERMINAL[reason]?.bounce === 'certain';

export interface Precheck {
  readonly syntax: boolean;
  /** Whether the domain receives mail, or null. */
  readonly mx: boolean | null;
  /** On the block tier, without an allow rule. */
  readonly disposable: boolean;
  /** On the signal tier, without an allow rule. */
  readonly suspected: boolean;
  /** All reasons present, in vocabulary order. */
  readonly reasons: readonly CheckReason[];
  readonly terminal: CheckReason | null;
  /** A terminal reason sets the bounce probability to 1. */
  readonly certain: boolean;
}

function settle(findings: Omit<Precheck, 'terminal' | 'certain'>): Precheck {
  const terminals = findings.reasons.filter(isTerminal);
  return {
    ...findings,
    terminal: terminals[0] ?? null,
    certain: terminals.some(isCertain),
  };
}

/** The precheck of invalid syntax, to which look-ups and rules don't apply. */
const MALFORMED = settle({
  syntax: false,
  mx: null,
  disposable: false,
  suspected: false,
  reasons: ['syntax_invalid'],
});

/**
 * The free facts' reasons, all of them even after a terminal one; null facts mean invalid syntax. An address rule beats
 * any domain rule, so an allowed address is safe from domain blocks. An allow rule of either kind overrides the
 * disposable lists. Rules that agree, and a domain's allow rule for a blocked address, are all listed.
 */
export function precheck(facts: PrecheckFacts | null): Precheck {
  if (facts === null) return MALFORMED;
  const { mail, disposableTier, rules } = facts;
  const allowed = rules.address === 'allow' || rules.domain?.rule === 'allow';
  const disposable = disposableTier === 'block' && !allowed;
  const suspected = disposableTier === 'signal' && !allowed;
  const present: readonly (readonly [CheckReason, boolean])[] = [
    ['address_blocklisted', rules.address === 'block'],
    ['domain_blocklisted', rules.domain?.rule === 'block' && rules.address !== 'allow'],
    ['no_mx', mail.kind === 'none'],
    ['mx_unresolved', mail.kind === 'unresolved'],
    ['disposable_domain', disposable],
    ['disposable_suspected', suspected],
    ['domain_allowlisted', rules.domain?.rule === 'allow'],
    ['address_allowlisted', rules.address === 'allow'],
  ];
  return settle({
    syntax: true,
    mx: mail.kind === 'unresolved' ? null : mail.kind === 'found',
    disposable,
    suspected,
    reasons: present.filter(([, holds]) => holds).map(([reason]) => reason),
  });
}

/** The free check's findings, as its response and the screening's `domain` show them. */
export interface CheckSummary {
  readonly passes: boolean;
  readonly disposable: boolean;
  readonly suspected: boolean;
  readonly reason: CheckReason | null;
  readonly reasons: readonly CheckReason[];
  readonly checks: {
    readonly syntax: 'pass' | 'fail';
    readonly mx: 'pass' | 'fail' | 'unknown';
    readonly disposable: 'pass' | 'fail' | 'suspected';
  };
}

/** `passes` requires mail hosts: after a failed look-up it is false, and `mx` is `unknown` rather than `fail`. */
export function summariseCheck({ syntax, mx, disposable, suspected, reasons, terminal }: Precheck): CheckSummary {
  return {
    passes: terminal === null && mx === true,
    disposable,
    suspected,
    reason: reasons[0] ?? null,
    reasons,
    checks: {
      syntax: syntax ? 'pass' : 'fail',
      mx: mx === null ? 'unknown' : mx ? 'pass' : 'fail',
      disposable: disposable ? 'fail' : suspected ? 'suspected' : 'pass',
    },
  };
}

/** What lists and mail hosts say about an address. */
export interface Traits {
  /** The domain forwards mail to a mailbox that it hides. */
  readonly relay: boolean;
  /** The domain's mailboxes are read by software agents. */
  readonly agent: boolean;
  /** The local part names a group or household. */
  readonly shared: boolean;
  /** The local part names a function. */
  readonly role: boolean;
  /** The domain is a consumer mailbox provider's. */
  readonly consumer: boolean;
}

const NO_TRAITS: Traits = { relay: false, agent: false, shared: false, role: false, consumer: false };

/** `address` null means invalid syntax, for which lists can't be asked. */
export function traitsOf(address: Address | null, lists: Lists, consumer: boolean): Traits {
  if (address === null) return NO_TRAITS;
  const { normalised, domain } = address;
  const local = normalised.slice(0, -domain.length - 1);
  return {
    relay: lists.isRelay(domain),
    agent: lists.isAgent(domain),
    shared: lists.isSharedName(local),
    role: lists.isRoleName(local),
    consumer,
  };
}

/** `signals` of the verification, by the contract's names. */
export interface Signals {
  readonly syntax: boolean;
  readonly mx: boolean | null;
  readonly disposable: boolean;
  readonly role_account: boolean;
  readonly catch_all: boolean;
  readonly relay_alias: boolean;
}

export const signalsOf = (checked: Precheck, traits: Traits, catchAll: boolean): Signals => ({
  syntax: checked.syntax,
  mx: checked.mx,
  disposable: checked.disposable,
  role_account: traits.role,
  catch_all: catchAll,
  relay_alias: traits.relay,
});

/** Who reads the mailbox; the first match decides. A failed look-up does not show that the domain receives mail. */
export function actorClass(checked: Precheck, traits: Traits): ActorClass {
  if (traits.relay) return 'relay_alias';
  if (traits.agent) return 'agent_mailbox';
  if (traits.shared) return 'shared';
  if (traits.role) return 'role_account';
  return checked.mx === true && !checked.disposable ? 'human_mailbox' : 'unknown';
}

/** `corporate`, like `human_mailbox`, requires mail hosts. */
export function mailboxType(checked: Precheck, traits: Traits): MailboxType {
  if (traits.role) return 'role';
  if (traits.consumer) return 'consumer';
  return checked.mx === true && !traits.relay && !checked.disposable ? 'corporate' : 'unknown';
}

/**
 * Precedence: disposable, relay, role, free, business. A typo is `unknown`, since its mail reaches somebody else; so is
 * a business whose domain can't receive mail. After a failed look-up (`mx` null) the address still counts as business:
 * an outage must not change its type.
 */
export function emailType(checked: Precheck, traits: Traits, isTypo: boolean): EmailType {
  if (checked.disposable) return 'disposable';
  if (isTypo) return 'unknown';
  if (traits.relay) return 'relay';
  if (traits.role) return 'role';
  if (traits.consumer) return 'free';
  return checked.syntax && checked.mx !== false ? 'business' : 'unknown';
}
