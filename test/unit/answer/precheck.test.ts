import { describe, expect, it } from 'vitest';
import { CheckReason } from '../../../src/contract/vocabulary.ts';
import {
  type CheckSummary,
  isCertain,
  type Precheck,
  precheck,
  summariseCheck,
} from '../../../src/domain/answer/precheck.ts';
import type { MailHosts } from '../../../src/domain/dns/resolve.ts';
import type { DisposableTier } from '../../../src/domain/lists/lists.ts';
import type { RuleMatch } from '../../../src/domain/rules/rules.ts';
import { FOUND, IMPLICIT, NONE, precheckOf, rules, UNRESOLVED } from './prechecks.ts';

const MAILS = [FOUND, IMPLICIT, NONE, UNRESOLVED];
const TIERS: (DisposableTier | null)[] = [null, 'signal', 'block'];
const RULES = ([null, 'block', 'allow'] as const).flatMap((address) =>
  ([null, 'block', 'allow'] as const).map((domain) => rules(address, domain)),
);

const reasonsOf = (mail: MailHosts, tier: DisposableTier | null, matched: RuleMatch) => [
  ...precheckOf(mail, tier, matched).reasons,
];

describe('reasons', () => {
  it.each<[why: string, MailHosts, DisposableTier | null, RuleMatch, CheckReason[]]>([
    ['nothing to say of an ordinary address', FOUND, null, rules(null), []],
    ['an implicit MX receives mail', IMPLICIT, null, rules(null), []],
    ['no host takes its mail', NONE, null, rules(null), ['no_mx']],
    ['a failed look-up is not "no host"', UNRESOLVED, null, rules(null), ['mx_unresolved']],
    ['the block tier', FOUND, 'block', rules(null), ['disposable_domain']],
    ['the signal tier', FOUND, 'signal', rules(null), ['disposable_suspected']],
    ['no reason hides another', NONE, 'block', rules(null), ['no_mx', 'disposable_domain']],
    ['a blocked domain', FOUND, null, rules(null, 'block'), ['domain_blocklisted']],
    [
      'list and MX facts stand beside a block',
      NONE,
      'block',
      rules(null, 'block'),
      ['domain_blocklisted', 'no_mx', 'disposable_domain'],
    ],
    ['an allowed domain sets the lists aside', FOUND, 'block', rules(null, 'allow'), ['domain_allowlisted']],
    ['also the signal tier', FOUND, 'signal', rules(null, 'allow'), ['domain_allowlisted']],
    ['an allow rule makes no mail host', NONE, 'block', rules(null, 'allow'), ['no_mx', 'domain_allowlisted']],
    ['a blocked address', FOUND, null, rules('block'), ['address_blocklisted']],
    ['both blocks', FOUND, null, rules('block', 'block'), ['address_blocklisted', 'domain_blocklisted']],
    [
      'a blocked address of an allowed domain',
      FOUND,
      'block',
      rules('block', 'allow'),
      ['address_blocklisted', 'domain_allowlisted'],
    ],
    ['an allowed address sets the lists aside', FOUND, 'block', rules('allow'), ['address_allowlisted']],
    ['and the block of its domain', FOUND, 'signal', rules('allow', 'block'), ['address_allowlisted']],
    ['both allow', FOUND, 'block', rules('allow', 'allow'), ['domain_allowlisted', 'address_allowlisted']],
  ])('%s', (_why, mail, tier, matched, expected) => {
    expect(reasonsOf(mail, tier, matched)).toEqual(expected);
  });

  it('broken syntax is the only reason of a malformed address', () => {
    expect(precheck(null).reasons).toEqual(['syntax_invalid']);
  });

  it('are in vocabulary order for every combination of facts', () => {
    for (const mail of MAILS)
      for (const tier of TIERS)
        for (const matched of RULES) {
          const reasons = reasonsOf(mail, tier, matched);
          expect(reasons).toEqual(CheckReason.options.filter((reason) => reasons.includes(reason)));
        }
  });
});

describe('terminal', () => {
  const TERMINAL: CheckReason[] = [
    'syntax_invalid',
    'address_blocklisted',
    'domain_blocklisted',
    'no_mx',
    'disposable_domain',
  ];

  it('is the first reason that ends a request, for every combination of facts', () => {
    for (const mail of MAILS)
      for (const tier of TIERS)
        for (const matched of RULES) {
          const { reasons, terminal, certain } = precheckOf(mail, tier, matched);
          expect(terminal).toBe(reasons.find((reason) => TERMINAL.includes(reason)) ?? null);
          // A disposable mailbox may take mail today: its probability stays the prior's.
          expect(certain).toBe(terminal !== null && terminal !== 'disposable_domain');
        }
  });

  it('is certain of every reason that ends a request but the disposable domain, and of none that only informs', () => {
    for (const reason of CheckReason.options)
      expect(isCertain(reason)).toBe(TERMINAL.includes(reason) && reason !== 'disposable_domain');
  });

  it('is broken syntax, with certainty, for a malformed address', () => {
    expect(precheck(null)).toMatchObject({ terminal: 'syntax_invalid', certain: true });
  });
});

describe('summariseCheck', () => {
  it('passes only addresses with mail hosts, on no block tier and under no block rule', () => {
    for (const mail of MAILS)
      for (const tier of TIERS)
        for (const matched of RULES) {
          const summary = summariseCheck(precheckOf(mail, tier, matched));
          const blocked =
            matched.address === 'block' || (matched.domain?.rule === 'block' && matched.address !== 'allow');
          expect(summary.passes).toBe(mail.kind === 'found' && !summary.disposable && !blocked);
        }
  });

  it.each<[what: string, judge: () => Precheck, checks: CheckSummary['checks']]>([
    [
      'broken syntax: nothing was looked up',
      () => precheck(null),
      { syntax: 'fail', mx: 'unknown', disposable: 'pass' },
    ],
    ['an ordinary address', () => precheckOf(FOUND), { syntax: 'pass', mx: 'pass', disposable: 'pass' }],
    ['no mail host', () => precheckOf(NONE), { syntax: 'pass', mx: 'fail', disposable: 'pass' }],
    ['a failed look-up', () => precheckOf(UNRESOLVED), { syntax: 'pass', mx: 'unknown', disposable: 'pass' }],
    ['the block tier', () => precheckOf(FOUND, 'block'), { syntax: 'pass', mx: 'pass', disposable: 'fail' }],
    ['the signal tier', () => precheckOf(FOUND, 'signal'), { syntax: 'pass', mx: 'pass', disposable: 'suspected' }],
    [
      'a tier set aside',
      () => precheckOf(FOUND, 'block', rules('allow')),
      { syntax: 'pass', mx: 'pass', disposable: 'pass' },
    ],
  ])('shows %s', (_why, judge, checks) => {
    expect(summariseCheck(judge()).checks).toEqual(checks);
  });

  it('names the first reason, or none', () => {
    expect(summariseCheck(precheckOf(NONE, 'block')).reason).toBe('no_mx');
    expect(summariseCheck(precheckOf(FOUND)).reason).toBeNull();
  });

  it('passes a suspected domain', () => {
    expect(summariseCheck(precheckOf(FOUND, 'signal'))).toMatchObject({
      passes: true,
      disposable: false,
      suspected: true,
    });
  });
});
