import type { CheckReason } from '../../contract/vocabulary.ts';
import type { MailHosts } from '../dns/mail-hosts.ts';
import type { DisposableTier } from '../lists/lists.ts';
import type { RuleMatch } from '../rules/types.ts';

/** What is known free of charge about an address with valid syntax. */
export interface PrecheckFacts {
  readonly mail: MailHosts;
  readonly disposableTier: DisposableTier | null;
  readonly rules: RuleMatch;
}

/** Reasons that end a verification before any provider is asked. The others only inform. */
const TERMINAL: Partial<Record<CheckReason, { readonly bounce: 'certain' | 'prior' }>> = {
  // Mail can't be sent to it.
  syntax_invalid: { bounce: 'certain' },
  // A rule of the account decides, so calibration leaves it out.
  address_blocklisted: { bounce: 'certain' },
  domain_blocklisted: { bounce: 'certain' },
  // RFC 5321 §5.1 and RFC 7505: mail for it can't be delivered.
  no_mx: { bounce: 'certain' },
  // Dropped for its kind. Many disposable mailboxes accept mail today, so the probability stays the prior's.
  disposable_domain: { bounce: 'prior' },
};

/** Whether this reason ends a verification before any provider is asked. */
export const isTerminal = (reason: CheckReason): boolean => TERMINAL[reason] !== undefined;

/** Whether this reason settles the bounce probability at 1. */
export const isCertain = (reason: CheckReason): boolean => TERMINAL[reason]?.bounce === 'certain';

export interface Precheck {
  readonly syntax: boolean;
  /** Whether the domain receives mail; null when not known. */
  readonly mx: boolean | null;
  /** On the block tier, and no allow rule covers the address. */
  readonly disposable: boolean;
  /** On the signal tier, and no allow rule covers the address. */
  readonly suspected: boolean;
  /** Every reason present, in vocabulary order. */
  readonly reasons: readonly CheckReason[];
  /** The first reason that ends the request, else null. */
  readonly terminal: CheckReason | null;
  /** A terminal reason settles the bounce probability at 1. */
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

/** The precheck of broken syntax: look-ups and rules don't apply. */
const MALFORMED = settle({
  syntax: false,
  mx: null,
  disposable: false,
  suspected: false,
  reasons: ['syntax_invalid'],
});

/**
 * What the free facts say about an address; `null` facts: its syntax is broken. It lists every reason, also after a terminal
 * one.
 *
 * An address rule beats any domain rule, so an allowed address is safe from domain blocks. An allow rule of either kind sets
 * the disposable lists aside. Rules that agree, and an allow rule for the domain of a blocked address, are all listed.
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

/** The findings of the free check, as its response and the screening's `domain` show them. */
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
