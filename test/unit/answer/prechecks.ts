import { type Precheck, type Traits, precheck } from '../../../src/domain/answer/precheck.ts';
import type { MailHosts } from '../../../src/domain/dns/resolve.ts';
import type { DisposableTier } from '../../../src/domain/lists/lists.ts';
import { NO_RULES, type RuleMatch } from '../../../src/domain/rules/rules.ts';

export const FOUND: MailHosts = { kind: 'found', hosts: ['mx.example.com'], implicit: false };
export const IMPLICIT: MailHosts = { kind: 'found', hosts: ['example.com'], implicit: true };
export const NONE: MailHosts = { kind: 'none', why: 'null_mx' };
export const UNRESOLVED: MailHosts = { kind: 'unresolved', why: 'servfail' };

export const rules = (address: RuleMatch['address'], domain: 'block' | 'allow' | null = null): RuleMatch => ({
  address,
  domain: domain === null ? null : { rule: domain, matchedDomain: 'example.com' },
});

export const precheckOf = (
  mail: MailHosts,
  disposableTier: DisposableTier | null = null,
  matched: RuleMatch = NO_RULES,
): Precheck => precheck({ mail, disposableTier, rules: matched });

const PLAIN: Traits = { relay: false, agent: false, shared: false, role: false, consumer: false };
export const traits = (...present: (keyof Traits)[]): Traits => ({
  ...PLAIN,
  ...Object.fromEntries(present.map((name) => [name, true])),
});
