import { describe, expect, it } from 'vitest';
import type { ActorClass, EmailType, MailboxType } from '../../../src/contract/vocabulary.ts';
import {
  actorClass,
  emailType,
  mailboxType,
  precheck,
  signalsOf,
  traitsOf,
} from '../../../src/domain/answer/precheck.ts';
import type { Lists } from '../../../src/domain/lists/lists.ts';
import { FOUND, NONE, precheckOf, rules, traits, UNRESOLVED } from './prechecks.ts';

const DISPOSABLE = precheckOf(FOUND, 'block');
const ALLOWED = precheckOf(FOUND, 'block', rules('allow'));
const EVERY_TRAIT = traits('relay', 'agent', 'shared', 'role', 'consumer');

describe('emailType', () => {
  it.each<[why: string, EmailType, ReturnType<typeof precheck>, ReturnType<typeof traits>, isTypo?: boolean]>([
    ['disposable before all', 'disposable', DISPOSABLE, EVERY_TRAIT],
    ['relay before role', 'relay', precheckOf(FOUND), traits('relay', 'role', 'consumer')],
    ['role before free', 'role', precheckOf(FOUND), traits('role', 'consumer')],
    ['free before business', 'free', precheckOf(FOUND), traits('consumer')],
    ['an allow rule sets disposable aside', 'business', ALLOWED, traits()],
    ['suspicion alone leaves the type as it is', 'business', precheckOf(FOUND, 'signal'), traits()],
    ['the domain can’t receive mail', 'unknown', precheckOf(NONE), traits()],
    ['the first four hold without mail hosts too', 'role', precheckOf(NONE), traits('role')],
    ['a failed look-up does not count as such', 'business', precheckOf(UNRESOLVED), traits()],
    ['broken syntax', 'unknown', precheck(null), traits()],
    ['a typo is not business, though it has mail', 'unknown', precheckOf(FOUND), traits(), true],
    ['nor while the look-up failed', 'unknown', precheckOf(UNRESOLVED), traits(), true],
    ['a typo on the block tier is disposable first', 'disposable', DISPOSABLE, traits(), true],
    ['a role at a typo is as little known', 'unknown', precheckOf(FOUND), traits('role'), true],
  ])('%s', (_why, expected, judged, present, isTypo = false) =>
    expect(emailType(judged, present, isTypo)).toBe(expected),
  );
});

describe('actorClass', () => {
  it.each<[why: string, ActorClass, ReturnType<typeof precheck>, ReturnType<typeof traits>]>([
    ['relay first', 'relay_alias', precheckOf(FOUND), EVERY_TRAIT],
    ['agent before shared', 'agent_mailbox', precheckOf(FOUND), traits('agent', 'shared', 'role')],
    ['a group before a function', 'shared', precheckOf(FOUND), traits('shared', 'role')],
    ['a function', 'role_account', precheckOf(FOUND), traits('role', 'consumer')],
    ['a person at a consumer provider', 'human_mailbox', precheckOf(FOUND), traits('consumer')],
    ['a person at a business', 'human_mailbox', precheckOf(FOUND), traits()],
    ['the person behind a disposable domain is unknown', 'unknown', DISPOSABLE, traits()],
    ['unless the account allows it', 'human_mailbox', ALLOWED, traits()],
    ['the domain receives no mail', 'unknown', precheckOf(NONE), traits()],
    ['not known to receive mail', 'unknown', precheckOf(UNRESOLVED), traits()],
    ['broken syntax', 'unknown', precheck(null), traits()],
  ])('%s', (_why, expected, judged, present) => expect(actorClass(judged, present)).toBe(expected));
});

describe('mailboxType', () => {
  it.each<[why: string, MailboxType, ReturnType<typeof precheck>, ReturnType<typeof traits>]>([
    ['role before consumer', 'role', precheckOf(FOUND), traits('role', 'consumer')],
    ['consumer', 'consumer', precheckOf(FOUND), traits('consumer')],
    ['corporate', 'corporate', precheckOf(FOUND), traits()],
    ['a relay does not belong to a company', 'unknown', precheckOf(FOUND), traits('relay')],
    ['a disposable domain does not either', 'unknown', DISPOSABLE, traits()],
    ['unless the account allows it', 'corporate', ALLOWED, traits()],
    ['the domain receives no mail', 'unknown', precheckOf(NONE), traits()],
    ['not known to receive mail', 'unknown', precheckOf(UNRESOLVED), traits()],
    ['broken syntax', 'unknown', precheck(null), traits()],
  ])('%s', (_why, expected, judged, present) => expect(mailboxType(judged, present)).toBe(expected));
});

describe('signalsOf', () => {
  it('says nothing of a malformed address', () => {
    expect(signalsOf(precheck(null), traits(), false)).toEqual({
      syntax: false,
      mx: null,
      disposable: false,
      role_account: false,
      catch_all: false,
      relay_alias: false,
    });
  });

  it('keeps "not known" apart from "no" for mail hosts', () => {
    const mx = [FOUND, NONE, UNRESOLVED].map((mail) => signalsOf(precheckOf(mail), traits(), false).mx);
    expect(mx).toEqual([true, false, null]);
  });

  it('shows disposable only while no allow rule covers it', () => {
    expect(signalsOf(DISPOSABLE, traits(), false).disposable).toBe(true);
    expect(signalsOf(ALLOWED, traits(), false).disposable).toBe(false);
  });

  it('carries role, relay and catch-all', () => {
    expect(signalsOf(precheckOf(FOUND), traits('role', 'relay'), true)).toMatchObject({
      role_account: true,
      relay_alias: true,
      catch_all: true,
    });
  });
});

describe('traitsOf', () => {
  const asked: string[] = [];
  const note = (question: string) => (subject: string) => asked.push(`${question} ${subject}`) > 0;
  const lists: Lists = {
    disposableTier: () => null,
    isFreeProvider: () => false,
    isRelay: note('relay'),
    isAgent: note('agent'),
    isKnown: () => false,
    isImitated: () => false,
    isRoleName: note('role'),
    isSharedName: note('shared'),
  };

  it('asks domain questions of the domain and name questions of the lower-case local part', () => {
    const address = { local: '"Sales@Home"', domain: 'example.com', normalised: '"sales@home"@example.com' };
    expect(traitsOf(address, lists, true)).toEqual(EVERY_TRAIT);
    expect(asked.sort()).toEqual([
      'agent example.com',
      'relay example.com',
      'role "sales@home"',
      'shared "sales@home"',
    ]);
  });

  it('asks nothing without an address', () => {
    asked.length = 0;
    expect(traitsOf(null, lists, false)).toEqual(traits());
    expect(asked).toEqual([]);
  });
});
