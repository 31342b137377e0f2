import { describe, expect, it } from 'vitest';
import { addressStanding, domainStanding, type RuleMatch } from '../../../src/domain/rules/rules.ts';
import { precheck } from '../../../src/domain/answer/precheck.ts';

const RULES = ['block', 'allow', null] as const;
const TIERS = ['block', 'signal', null] as const;
const MAIL = { kind: 'found', hosts: ['mx.acme.example'], implicit: false } as const;

const matchOf = (address: (typeof RULES)[number], domain: (typeof RULES)[number]): RuleMatch => ({
  address,
  domain: domain && { rule: domain, matchedDomain: 'acme.example' },
  notes: { address: address && 'about the address', domain: domain && 'about the domain' },
});

describe('the check of an address', () => {
  it.each([
    ['block', 'allow', 'block'],
    ['block', 'block', 'block'],
    ['block', null, 'block'],
    ['allow', 'block', 'allow'],
    ['allow', 'allow', 'allow'],
    ['allow', null, 'allow'],
    [null, 'block', 'block'],
    [null, 'allow', 'allow'],
    [null, null, 'none'],
  ] as const)('address rule %s beside domain rule %s: %s', (address, domain, effective) => {
    expect(addressStanding('a•••@acme.example', matchOf(address, domain))).toEqual({
      org_rule: address,
      note: address === null ? null : 'about the address',
      display: 'a•••@acme.example',
      domain_rule: domain,
      effective,
    });
  });

  it('has no notes where none were asked for, nor has that of a domain', () => {
    const { address, domain } = matchOf('block', 'allow');
    const match: RuleMatch = { address, domain };
    expect(addressStanding('a•••@acme.example', match)).toMatchObject({ org_rule: 'block', note: null });
    expect(domainStanding('acme.example', match, null)).toMatchObject({ org_rule: 'allow', note: null });
  });

  it('says what the gate does, whatever the lists say', () => {
    for (const address of RULES) {
      for (const domain of RULES) {
        const rules = matchOf(address, domain);
        const { effective } = addressStanding('', rules);
        for (const disposableTier of TIERS) {
          const { terminal, disposable, suspected } = precheck({ mail: MAIL, disposableTier, rules });
          expect(terminal?.endsWith('_blocklisted') ?? false).toBe(effective === 'block');
          if (effective === 'allow') expect([disposable, suspected]).toEqual([false, false]);
        }
      }
    }
  });
});

describe('the check of a domain', () => {
  it.each([
    ['block', 'block', { status: 'blocked', disposable: true, suspected: false }],
    ['block', 'signal', { status: 'blocked', disposable: false, suspected: true }],
    ['block', null, { status: 'blocked', disposable: false, suspected: false }],
    ['allow', 'block', { status: 'allowed', disposable: false, suspected: false }],
    ['allow', 'signal', { status: 'allowed', disposable: false, suspected: false }],
    ['allow', null, { status: 'allowed', disposable: false, suspected: false }],
    [null, 'block', { status: 'disposable', disposable: true, suspected: false }],
    [null, 'signal', { status: 'suspected', disposable: false, suspected: true }],
    [null, null, { status: 'none', disposable: false, suspected: false }],
  ] as const)('rule %s, listed %s: %j', (rule, tier, expected) => {
    expect(domainStanding('mail.acme.example', matchOf(null, rule), tier)).toEqual({
      domain: 'mail.acme.example',
      org_rule: rule,
      note: rule === null ? null : 'about the domain',
      matched_domain: rule === null ? null : 'acme.example',
      ...expected,
    });
  });

  it('agrees with the gate about the lists', () => {
    for (const rule of RULES) {
      for (const tier of TIERS) {
        const match = matchOf(null, rule);
        const { disposable, suspected } = precheck({ mail: MAIL, disposableTier: tier, rules: match });
        expect(domainStanding('acme.example', match, tier)).toMatchObject({ disposable, suspected });
      }
    }
  });
});
