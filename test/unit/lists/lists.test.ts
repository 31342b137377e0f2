import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packNames } from '../../../scripts/lists/pack.ts';
import { DOMAIN_SETS, NAME_SETS, createLists } from '../../../src/domain/lists/lists.ts';

const { block, signal, free, relay, agent, known } = DOMAIN_SETS;
const domains = {
  'throwaway.com': block,
  'maybe.com': signal,
  'gmail.com': free | known,
  'relay.com': relay,
  'agents.ai': agent,
  'stanford.edu': known,
  'good.throwaway.com': known,
  'amazonaws.com': signal,
  'throwaway.co.uk': block,
};
const { role, shared, word, household } = NAME_SETS;
const names = {
  info: role,
  sales: role,
  support: role,
  billing: role,
  it: role,
  'no-reply': role,
  team: role | shared,
  staff: shared,
  family: shared | household,
  us: word,
};
const lists = createLists({
  domains: packNames(new Map(Object.entries(domains))),
  names: packNames(new Map(Object.entries(names))),
});

describe('domain questions', () => {
  it.each<[domain: string, tier: string | null, why: string]>([
    ['throwaway.com', 'block', 'listed'],
    ['maybe.com', 'signal', 'listed'],
    ['mx.throwaway.com', 'block', 'a parent is listed'],
    ['a.b.throwaway.co.uk', 'block', 'a parent is listed, the registrable domain'],
    ['throwaway.com.evil.net', null, 'the listed name is not its parent'],
    ['notthrowaway.com', null, 'a name ends at a dot'],
    ['com', null, 'a top-level domain'],
    ['co.uk', null, 'a public suffix'],
    ['', null, 'no domain'],
    [
      'x.s3.amazonaws.com',
      null,
      "a hosting provider's suffix stands between: x.s3.amazonaws.com is the registrable domain",
    ],
    ['mail.amazonaws.com', 'signal', 'no suffix stands between'],
    ['good.throwaway.com', null, 'the more specific name says known'],
    ['x.good.throwaway.com', null, 'the most specific listed parent says known'],
  ])('disposable tier of %j is %s: %s', (domain, tier) => {
    expect(lists.disposableTier(domain)).toBe(tier);
  });

  it('answers each question from its own set', () => {
    const answers = (domain: string): boolean[] => [
      lists.isFreeProvider(domain),
      lists.isRelay(domain),
      lists.isAgent(domain),
      lists.isKnown(domain),
    ];
    expect(answers('gmail.com')).toEqual([true, false, false, true]);
    expect(answers('x.relay.com')).toEqual([false, true, false, false]);
    expect(answers('agents.ai')).toEqual([false, false, true, false]);
    expect(answers('cs.stanford.edu')).toEqual([false, false, false, true]);
    expect(answers('unlisted.org')).toEqual([false, false, false, false]);
  });

  it('answers below a listed registrable domain as at it, however deep', () => {
    const label = fc.stringMatching(/^[a-z0-9]{1,20}$/).filter((text) => text !== 'good');
    fc.assert(
      fc.property(fc.array(label, { maxLength: 6 }), (labels) => {
        expect(lists.disposableTier([...labels, 'throwaway', 'com'].join('.'))).toBe('block');
      }),
    );
  });
});

describe('name questions', () => {
  it.each([
    ['info', true, 'listed'],
    ['INFO', true, 'local parts are compared in lower case'],
    ['info+newsletter', true, 'a plus tag is set aside'],
    ['info2', true, 'a numbered mailbox'],
    ['support01', true, 'a numbered mailbox'],
    ['sales1984', false, 'four digits read as a year of birth'],
    ['no-reply', true, 'listed'],
    ['no.reply', true, 'a dot joins as a hyphen does'],
    ['no_reply', true, 'an underscore joins as a hyphen does'],
    ['it-support', true, 'made of functions alone'],
    ['sales-us', true, 'a function and where'],
    ['us', false, 'a word that only says where'],
    ['us.us', false, 'no function in it'],
    ['support-bear', false, 'a word that is not a function'],
    ['billing.ham', false, 'a word that is not a function'],
    ['info.rmation', false, 'parts are not run together'],
    ['salesh', false, 'a name that begins like a function'],
    ['anna', false, 'a person'],
    ['+', false, 'nothing before the tag'],
    ['', false, 'empty'],
    ['-', false, 'no words'],
  ])('%j is a role name: %s, %s', (local, expected) => {
    expect(lists.isRoleName(local)).toBe(expected);
  });

  it.each([
    ['team', true, 'a group'],
    ['Staff+hr', true, 'a group, tagged'],
    ['the.miller.family', true, 'a household, wherever the word stands'],
    ['info', false, 'a function'],
    ['miller', false, 'a person'],
  ])('%j is a shared name: %s, %s', (local, expected) => {
    expect(lists.isSharedName(local)).toBe(expected);
  });
});
