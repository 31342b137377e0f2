import { describe, expect, it } from 'vitest';
import type { Verification } from '../../../src/contract/verification.ts';
import { compilePolicy, factsOf } from '../../../src/domain/policy/compile.ts';
import {
  DEFAULT_POLICY,
  DEFAULT_SLUG,
  isSuperseded,
  SUPERSEDED_DEFAULTS,
} from '../../../src/domain/policy/document.ts';
import { evaluate } from '../../../src/domain/policy/evaluate.ts';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { given } from './facts.ts';

type Type = Verification['email_type'];
type Recommendation = Verification['recommendation'];

const POLICY = compilePolicy(DEFAULT_POLICY);
const decide = (policy: typeof POLICY, email_type: Type, recommendation: Recommendation) =>
  evaluate(policy, factsOf(given({ email_type, recommendation })), () => 'control');

describe('the default policy', () => {
  it.each<[Type, Recommendation, string, string]>([
    ['business', 'send', 'allow', 'default'],
    ['business', 'drop', 'deny', 'undeliverable'],
    ['business', 'challenge', 'challenge', 'challenge'],
    ['business', 'hold', 'review', 'hold'],
    ['unknown', 'drop', 'deny', 'undeliverable'],
    ['disposable', 'send', 'deny', 'disposable'],
    ['disposable', 'drop', 'deny', 'disposable'],
    ['free', 'send', 'allow', 'free'],
    ['relay', 'send', 'allow', 'relay'],
    ['role', 'send', 'allow', 'role'],
    // A switch that allows a kind of address lets no bad one in.
    ['free', 'drop', 'deny', 'undeliverable'],
    ['free', 'challenge', 'challenge', 'challenge'],
    ['role', 'hold', 'review', 'hold'],
  ])('of a %s address to %s: %s', (type, recommendation, decision, ruleId) => {
    expect(decide(POLICY, type, recommendation)).toMatchObject({ decision, ruleId });
  });

  it('asks in this order', () => {
    expect(DEFAULT_POLICY.rules.map(({ id }) => id)).toEqual(
      'blocked typo disposable undeliverable warning challenge hold relay role free'.split(' '),
    );
    expect(DEFAULT_POLICY.default).toBe('allow');
  });

  it.each<[string, Partial<Verification>, string, string]>([
    ['sent to', { recommendation: 'send', email_type: 'unknown' }, 'challenge', 'typo'],
    ['that bounces', { recommendation: 'drop', email_type: 'unknown' }, 'challenge', 'typo'],
    ['of a role', { recommendation: 'hold', email_type: 'role' }, 'challenge', 'typo'],
    [
      'on a disposable list',
      { recommendation: 'drop', email_type: 'disposable', reason: 'disposable_domain' },
      'challenge',
      'typo',
    ],
    ['without mail hosts', { recommendation: 'drop', email_type: 'unknown', reason: 'no_mx' }, 'deny', 'blocked'],
    ['that is broken', { recommendation: 'drop', email_type: 'unknown', reason: 'syntax_invalid' }, 'deny', 'blocked'],
    ['that the account blocks', { recommendation: 'drop', reason: 'address_blocklisted' }, 'deny', 'blocked'],
    ['whose domain it blocks', { recommendation: 'drop', reason: 'domain_blocklisted' }, 'deny', 'blocked'],
  ])('of a typo %s', (_, change, decision, ruleId) => {
    const facts = factsOf(given({ ...change, did_you_mean: 'ada@gmail.com' }));
    expect(evaluate(POLICY, facts, () => 'control')).toMatchObject({ decision, ruleId });
  });

  it.each<[Recommendation, string, string]>([
    ['challenge', 'review', 'warning'],
    ['hold', 'review', 'warning'],
    ['drop', 'deny', 'undeliverable'],
  ])('shows an address that a provider warns of, to %s: %s', (recommendation, decision, ruleId) => {
    const change = given({ recommendation });
    const warned = { ...change.verification.signals, warning: 'spam_trap' as const };
    const facts = factsOf(given({ recommendation, signals: warned }));
    expect(evaluate(POLICY, facts, () => 'control')).toMatchObject({ decision, ruleId });
  });

  it('is known by its digest when it is of an earlier release, and the present one is none of them', () => {
    const document = JSON.stringify(DEFAULT_POLICY);
    const superseded = '{"name":"Default","rules":[]}';
    expect(isSuperseded(document, SUPERSEDED_DEFAULTS)).toBe(false);
    expect(isSuperseded(superseded, [sha256Hex('{}'), sha256Hex(superseded)])).toBe(true);
    expect(isSuperseded(document, [sha256Hex(superseded)])).toBe(false);
    // Changed? Then this digest belongs in SUPERSEDED_DEFAULTS once a release has gone out with it, and the new one here.
    expect(sha256Hex(document)).toBe('9ad2317409ea47b24a6ea880c072ee98ab4a9452242785b5db6c24c3de0d73f1');
  });

  it('is at the address that the contract names', () => {
    expect(DEFAULT_SLUG).toBe('default');
  });

  it('has one switch rule a kind, each with the reason it gives', () => {
    const kinds = ['disposable', 'relay', 'role', 'free'];
    const switches = DEFAULT_POLICY.rules.filter(({ id }) => kinds.includes(id));
    expect(Object.fromEntries(switches.map(({ id, decision }) => [id, decision]))).toEqual({
      disposable: 'deny',
      free: 'allow',
      relay: 'allow',
      role: 'allow',
    });
    for (const { description } of DEFAULT_POLICY.rules) expect(description).toMatch(/\.$/);
  });

  it('gives a reason that is true in every position of a switch', () => {
    for (const { description } of DEFAULT_POLICY.rules) expect(description).not.toMatch(/accept|allow|refus/);
  });

  it.each(['address_blocklisted', 'domain_blocklisted', 'no_mx'] as const)(
    'lets no %s address in when it lets disposable ones in',
    (reason) => {
      const rules = DEFAULT_POLICY.rules.map((rule) =>
        rule.id === 'disposable' ? { ...rule, decision: 'allow' as const } : rule,
      );
      const policy = compilePolicy({ ...DEFAULT_POLICY, rules });
      const decided = (change: Partial<Verification>) =>
        evaluate(
          policy,
          factsOf(given({ email_type: 'disposable', recommendation: 'drop', ...change })),
          () => 'control',
        );
      expect(decided({ reason, reasons: [reason, 'disposable_domain'] })).toMatchObject({
        decision: 'deny',
        ruleId: 'blocked',
      });
      expect(decided({ reason: 'disposable_domain' })).toMatchObject({ decision: 'allow', ruleId: 'disposable' });
    },
  );

  it.each<[Recommendation]>([['send'], ['challenge'], ['hold'], ['drop']])(
    'refuses a kind altogether once its rule denies in front, also to %s',
    (recommendation) => {
      const [free, others] = [
        DEFAULT_POLICY.rules.filter(({ id }) => id === 'free'),
        DEFAULT_POLICY.rules.filter(({ id }) => id !== 'free'),
      ];
      const rules = [...free.map((rule) => ({ ...rule, decision: 'deny' as const })), ...others];
      expect(decide(compilePolicy({ ...DEFAULT_POLICY, rules }), 'free', recommendation)).toMatchObject({
        decision: 'deny',
        ruleId: 'free',
      });
    },
  );
});
