import * as z from 'zod';
import * as words from './words.ts';

/** The closed sets of the public contract. Order matters where the contract gives one. */

export const Verdict = z
  .enum(words.VERDICTS)
  .describe(
    'A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded, or the mail hosts could not be looked up and nothing else is known of the address. Branch on the probability or the recommendation.',
  );
export type Verdict = z.infer<typeof Verdict>;

export const Calibration = z
  .enum(words.CALIBRATIONS)
  .describe(
    'What moved the number: `prior`, the service’s tables and the providers’ answers; `fitted`, also outcomes that you reported, of the address itself or of others at its domain, in its list or in your account.',
  );
export type Calibration = z.infer<typeof Calibration>;

export const Recommendation = z
  .enum(words.RECOMMENDATIONS)
  .describe(
    'The cheapest action at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge` (only signups), have the person confirm the address; `drop`. `drop` needs evidence about the address itself; an address with a provider’s warning, or one that looks like a placeholder, is never `send`.',
  );
export type Recommendation = z.infer<typeof Recommendation>;

export const ActorClass = z
  .enum(words.ACTOR_CLASSES)
  .describe(
    'Who reads the mailbox: `human_mailbox`, a person; `agent_mailbox`, software; `relay_alias`, a person behind a forwarding alias; `role_account`, the people of a function (`sales@`); `shared`, a group or a household; `unknown`.',
  );
export type ActorClass = z.infer<typeof ActorClass>;

export const MailboxType = z
  .enum(words.MAILBOX_TYPES)
  .describe(
    '`corporate`: at an organisation’s own domain; `consumer`: at a provider where anybody gets a mailbox; `role`: of a function (`sales@`); `unknown`: nothing shows it.',
  );
export type MailboxType = z.infer<typeof MailboxType>;

export const Esp = z
  .enum(words.ESPS)
  .describe(
    'What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.',
  );
export type Esp = z.infer<typeof Esp>;

export const EmailType = z
  .enum(words.EMAIL_TYPES)
  .describe(
    'The first that applies: `disposable`, a mailbox that people throw away; `relay`, a forwarding alias; `role`, a function (`sales@`); `free`, a provider where anybody gets a mailbox; `business`. `unknown`: the domain takes no mail or is a typo.',
  );
export type EmailType = z.infer<typeof EmailType>;

export const MxProvider = z
  .enum([
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
  ])
  .describe('The company that runs the mail hosts; `unknown` when they match none of these.');
export type MxProvider = z.infer<typeof MxProvider>;

export const CheckReason = z
  .enum(words.CHECK_REASONS)
  .describe(
    'A finding of the free checks: `syntax_invalid`, no address; `…_blocklisted`, `…_allowlisted`, a rule of yours names it; `no_mx`, the domain takes no mail; `mx_unresolved`, DNS gave no answer; `disposable_domain`, people throw such mailboxes away; `disposable_suspected`, perhaps so.',
  );
export type CheckReason = z.infer<typeof CheckReason>;

export const Purpose = z
  .enum(words.PURPOSES)
  .describe(
    'What the address is for: `outbound`, you are about to write to it; `signup`, somebody signs up with it; `list_hygiene`, a list is cleaned.',
  );
export type Purpose = z.infer<typeof Purpose>;

/** Default purposes: most calls come from a form, and an agent is about to write. */
export const USUAL_PURPOSE = { call: 'signup', file: 'list_hygiene', tool: 'outbound' } as const satisfies Record<
  string,
  Purpose
>;

export const Basis = z
  .enum(['rule', 'local', 'history', 'provider'])
  .describe(
    'What the answer rests on: `provider`, an answer of this check; `history`, your earlier evidence; `local`, free checks only; `rule`, a finding or a rule of yours that ends the check. It distinguishes “not checked” from “checked, unclear”.',
  );
export type Basis = z.infer<typeof Basis>;

export const Warning = z
  .enum(words.WARNINGS)
  .describe(
    'A provider’s warning beside deliverability: `spam_trap`, it catches senders; `complainer`, its reader reports mail as spam, by a provider or your own report; `suppressed`, on a global suppression list; `toxic`, known for abuse; `do_not_mail`, unspecified; `disposable`, a throw-away mailbox. Such an address is never `send`.',
  );
export type Warning = z.infer<typeof Warning>;

export const Unasked = z
  .enum([
    'no_provider',
    'test_key',
    'settled',
    'known',
    'not_worth_its_price',
    'budget_spent',
    'over_the_ceiling',
    'unavailable',
  ])
  .describe(
    'Why no provider was asked: `no_provider`, none is configured; `test_key`; `settled`, a finding or a rule ends it; `known`, your history says enough; `not_worth_its_price`; `budget_spent`, this month’s; `over_the_ceiling`, a call costs more than an address may; `unavailable`, all fail.',
  );
export type Unasked = z.infer<typeof Unasked>;

export const Role = z
  .enum(['viewer', 'member', 'admin'])
  .describe('`viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.');
export type Role = z.infer<typeof Role>;

export const KeyOrigin = z
  .enum(['auto', 'manual', 'service'])
  .describe('`auto`: a person’s own key for the dashboard; `manual`: made by a person; `service`: made for a program.');
export type KeyOrigin = z.infer<typeof KeyOrigin>;
