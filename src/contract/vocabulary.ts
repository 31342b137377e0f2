import * as z from 'zod';

/** The closed sets of the public contract. Order matters where the contract gives one. */

export const Verdict = z.enum(['valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown']);
export type Verdict = z.infer<typeof Verdict>;

export const Calibration = z.enum(['prior', 'fitted']);
export type Calibration = z.infer<typeof Calibration>;

export const Recommendation = z.enum(['send', 'hold', 'challenge', 'drop']);
export type Recommendation = z.infer<typeof Recommendation>;

export const ActorClass = z.enum([
  'human_mailbox',
  'agent_mailbox',
  'relay_alias',
  'role_account',
  'shared',
  'unknown',
]);
export type ActorClass = z.infer<typeof ActorClass>;

export const MailboxType = z.enum(['corporate', 'consumer', 'role', 'unknown']);
export type MailboxType = z.infer<typeof MailboxType>;

export const Esp = z.enum(['hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown']);
export type Esp = z.infer<typeof Esp>;

export const EmailType = z.enum(['business', 'free', 'role', 'disposable', 'relay', 'unknown']);
export type EmailType = z.infer<typeof EmailType>;

/** Labels of the mailbox-provider family matched on the MX hosts; `unknown` when the hosts match none. */
export const MxProvider = z.enum([
  'google',
  'microsoft',
  'yahoo',
  'apple',
  'zoho',
  'proton',
  'fastmail',
  'yandex',
  'proofpoint',
  'mimecast',
  'barracuda',
  'unknown',
]);
export type MxProvider = z.infer<typeof MxProvider>;

/** Check reasons in vocabulary order: `reasons` lists them in this order and `reason` is the first present. */
export const CheckReason = z.enum([
  'syntax_invalid',
  'address_blocklisted',
  'domain_blocklisted',
  'no_mx',
  'mx_unresolved',
  'disposable_domain',
  'disposable_suspected',
  'domain_allowlisted',
  'address_allowlisted',
]);
export type CheckReason = z.infer<typeof CheckReason>;

export const Purpose = z.enum(['outbound', 'signup', 'list_hygiene']);
export type Purpose = z.infer<typeof Purpose>;

/** What an address is for where the caller does not say: most calls come from a form, and an agent is about to write. */
export const USUAL_PURPOSE = { call: 'signup', file: 'list_hygiene', tool: 'outbound' } as const satisfies Record<
  string,
  Purpose
>;

/** Why no provider was asked about an address. */
export const Unasked = z.enum([
  'no_provider',
  'test_key',
  'settled',
  'known',
  'not_worth_its_price',
  'budget_spent',
  'over_the_ceiling',
  'unavailable',
]);
export type Unasked = z.infer<typeof Unasked>;

export const Role = z.enum(['viewer', 'member', 'admin']);
export type Role = z.infer<typeof Role>;

export const KeyOrigin = z.enum(['auto', 'manual', 'service']);
export type KeyOrigin = z.infer<typeof KeyOrigin>;
