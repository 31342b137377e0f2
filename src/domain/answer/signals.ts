import type { ActorClass, EmailType, MailboxType } from '../../contract/vocabulary.ts';
import type { Address } from '../address/parse.ts';
import type { Lists } from '../lists/lists.ts';
import type { Precheck } from './precheck.ts';

/** What lists and mail hosts say about an address, looked up once. */
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

/** `address` null: the syntax is broken, so the lists can't be asked. `consumer`: what `isConsumerDomain` says of the domain. */
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

/** `signals` of the verification, under the contract's names. */
export interface Signals {
  readonly syntax: boolean;
  readonly mx: boolean | null;
  readonly disposable: boolean;
  readonly role_account: boolean;
  readonly catch_all: boolean;
  readonly relay_alias: boolean;
}

/** `catchAll`: the domain is known to accept every recipient. */
export const signalsOf = (precheck: Precheck, traits: Traits, catchAll: boolean): Signals => ({
  syntax: precheck.syntax,
  mx: precheck.mx,
  disposable: precheck.disposable,
  role_account: traits.role,
  catch_all: catchAll,
  relay_alias: traits.relay,
});

/** Who reads the mailbox; the first match decides. A failed look-up does not show that the domain receives mail. */
export function actorClass(precheck: Precheck, traits: Traits): ActorClass {
  if (traits.relay) return 'relay_alias';
  if (traits.agent) return 'agent_mailbox';
  if (traits.shared) return 'shared';
  if (traits.role) return 'role_account';
  return precheck.mx === true && !precheck.disposable ? 'human_mailbox' : 'unknown';
}

/** `corporate`, like `human_mailbox`, requires that mail hosts were found. */
export function mailboxType(precheck: Precheck, traits: Traits): MailboxType {
  if (traits.role) return 'role';
  if (traits.consumer) return 'consumer';
  return precheck.mx === true && !traits.relay && !precheck.disposable ? 'corporate' : 'unknown';
}

/**
 * Precedence: disposable, relay, role, free, business. A slip is `unknown` whatever its local part says, for its mail arrives
 * at somebody else; so is a business whose domain can't receive mail. After a failed look-up (`mx` null) the address still
 * counts as business: an outage must not change its type.
 */
export function emailType(precheck: Precheck, traits: Traits, isSlip: boolean): EmailType {
  if (precheck.disposable) return 'disposable';
  if (isSlip) return 'unknown';
  if (traits.relay) return 'relay';
  if (traits.role) return 'role';
  if (traits.consumer) return 'free';
  return precheck.syntax && precheck.mx !== false ? 'business' : 'unknown';
}
