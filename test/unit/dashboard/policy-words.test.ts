import { i18n } from '@lingui/core';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Decision, Op, PolicyDocument } from '../../../dashboard/app/api/schema.ts';

const words = () => import('../../../dashboard/app/screens/policy/words.ts');
const switches = () => import('../../../dashboard/app/screens/policy/switches.ts');
const vocabulary = () => import('../../../dashboard/app/lib/vocabulary.ts');

/** Has these messages read in other words, as a translation does, before any module reads them. */
const translate = (texts: Readonly<Record<string, string | readonly string[]>>): void =>
  i18n.load(
    'en',
    Object.fromEntries(Object.entries(texts).map(([text, other]) => [generateMessageId(text), other])) as never,
  );

const NONE: PolicyDocument = { name: 'P', rules: [], default: 'allow', icp: null };

beforeEach(() => vi.resetModules());
afterEach(() => {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  vi.resetModules();
});

describe('a policy in words', () => {
  it.each<[Op, unknown, string]>([
    ['eq', 'free', 'email type is “Free”'],
    ['not_in', ['free', 'role'], 'email type is none of “Free”, “Role”'],
    ['exists', false, 'email type is missing'],
    ['sounds_like' as Op, 'free', 'email type sounds_like “Free”'],
  ])('says %s with its value', async (op, value, text) => {
    const { conditionText } = await words();
    expect(conditionText({ path: 'verification.email_type', op, value })).toBe(text);
  });

  it.each<[Decision[], string]>([
    [[], 'The policy has no rules. Everyone else is let in.'],
    [['deny'], '1 rule: 1 by which people are turned away. Everyone else is let in.'],
    [
      ['review', 'deny', 'deny'],
      '3 rules, the first that matches decides: 2 by which people are turned away, 1 by which people are held for review. Everyone else is let in.',
    ],
  ])('counts its rules by what they do: %j', async (decisions, text) => {
    const { policyText } = await words();
    const rules = decisions.map((decision, at) => ({
      id: `r-${at}`,
      when: { path: 'verification.verdict', op: 'eq', value: 'invalid' } as const,
      decision,
    }));
    expect(policyText({ ...NONE, rules })).toBe(text);
  });

  it('has each comparison as one message, whose parts a translation puts in its own order', async () => {
    translate({ '{path} is at least {value}': [['value'], ' oder mehr: ', ['path']] as never });
    const { conditionText } = await words();
    expect(conditionText({ path: 'attributes.plan', op: 'gte', value: 5 })).toBe('5 oder mehr: attribute plan');
  });
});

it('a term within a sentence is a message of its own', async () => {
  translate({ Admin: 'Verwalter', admin: 'Verwalter' });
  const { label, word } = await vocabulary();
  expect([label('admin'), word('admin'), word('viewer')]).toEqual(['Verwalter', 'Verwalter', 'viewer']);
});

it('a switch stores the same reason in every language, and shows it in that of the page', async () => {
  translate({ 'A free mailbox.': 'Ein Gratis-Postfach.' });
  const { reasonShown, withKind } = await switches();
  const stored = withKind(NONE, 'free', 'deny').rules[0]?.description ?? '';
  expect(stored).toBe('A free mailbox.');
  expect([reasonShown(stored), reasonShown('Our own reason.')]).toEqual(['Ein Gratis-Postfach.', 'Our own reason.']);
});
