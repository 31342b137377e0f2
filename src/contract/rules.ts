import * as z from 'zod';
import { bodyOf, Display, EmailInput, EpochSeconds, NextCursor, Paging } from './common.ts';
import { member, type Path, type RouteDeclaration, viewer } from './route.ts';
import { holdsAddress } from './stored-text.ts';

/** The account's own rules: domains and addresses it blocks or allows. */

const BATCH = 1_000;
const batch = (what: string) => z.array(z.string()).min(1).max(BATCH).describe(`${what}, up to ${BATCH}.`);

/** Every kind of store must accept it, so no control characters or lone surrogates. */
export const Note = z
  .string()
  .max(500)
  .regex(/^(?:[^\p{Cc}\p{Cs}]|[\t\n\r])*$/u, 'must not contain control characters')
  .refine((note) => !holdsAddress(note), 'must not contain an email address')
  .describe('Up to 500 characters, stored with every entry; an empty one removes theirs. No email address.');

/** A body names its entries by exactly one of `fields`. */
const oneOf =
  (...fields: readonly string[]) =>
  (body: Readonly<Record<string, unknown>>): boolean =>
    fields.filter((field) => body[field] !== undefined).length === 1;

export const RuleQuery = Paging.extend({
  search: z
    .string()
    .min(1)
    .max(100)
    .refine((text) => !holdsAddress(text), 'must not contain an email address: ask `POST /v1/addresses/check`')
    .optional()
    .describe('Entries whose domain, mask or note has this text, in any case of A to Z.'),
});
export type RuleQuery = z.infer<typeof RuleQuery>;

export const AddDomains = z.object({ domains: batch('Domains'), note: Note.optional() });
export type AddDomains = z.infer<typeof AddDomains>;
export const RemoveDomains = z
  .object({ domains: batch('Domains').optional(), ids: batch('Ids from the listing').optional() })
  .refine(oneOf('domains', 'ids'), 'must have either `domains` or `ids`');
export type RemoveDomains = z.infer<typeof RemoveDomains>;

const Emails = batch('Addresses').optional();
const TraceIds = batch('Traces of the organisation that name the address').optional();
export const AddAddresses = z
  .object({ emails: Emails, trace_ids: TraceIds, note: Note.optional() })
  .refine(oneOf('emails', 'trace_ids'), 'must have either `emails` or `trace_ids`');
export type AddAddresses = z.infer<typeof AddAddresses>;
export const RemoveAddresses = z
  .object({ emails: Emails, ids: batch('Ids from the listing').optional(), trace_ids: TraceIds })
  .refine(oneOf('emails', 'ids', 'trace_ids'), 'must have one of `emails`, `ids`, `trace_ids`');
export type RemoveAddresses = z.infer<typeof RemoveAddresses>;

const Rule = z.enum(['block', 'allow']).describe('Which list it is: `block` or `allow`.');
const Count = z.number().int().min(0);

const MADE = {
  note: z.string().nullable().describe('Its note, or null.'),
  created_at: EpochSeconds,
  created_by: z.string().describe('A user, or a key that has none.'),
} as const;
const EntryId = z.string().describe('Names the entry when it is removed.');
const DomainEntry = z.object({ id: EntryId, domain: z.string().describe('Lower-case A-labels.'), ...MADE });
export const AddressEntry = z.object({ id: EntryId, display: Display, ...MADE });

const listOf = <E extends z.ZodType>(entry: E) =>
  z.object({
    rule: Rule,
    entries: z.array(entry).describe('Newest first.'),
    count: Count.describe('Entries on the list, all pages together; with `search`, those that have the text.'),
    cursor: NextCursor,
  });
export const DomainList = listOf(DomainEntry);
export type DomainList = z.infer<typeof DomainList>;
export const AddressList = listOf(AddressEntry);
export type AddressList = z.infer<typeof AddressList>;

const RejectedEntry = z.object({
  index: Count.describe('Its place in the request, from 0.'),
  reason: z
    .enum(['invalid_address', 'invalid_domain', 'public_suffix', 'unknown_trace', 'unknown_id'])
    .describe('Why; `public_suffix`: anybody registers domains below it (`co.uk`).'),
});
export type RejectedEntry = z.infer<typeof RejectedEntry>;

/** A repeated entry of a batch counts once. */
const CHANGED = {
  total: Count.describe('Entries now on the list.'),
  rejected: z.array(RejectedEntry).describe('Rejected entries; the others are in force.'),
} as const;
export const RulesAdded = z.object({
  rule: Rule,
  added: Count.describe('New on the list.'),
  moved: Count.describe('Taken from the other list.'),
  unchanged: Count.describe('On the list already; a note that was sent is now theirs, an empty one takes theirs away.'),
  ...CHANGED,
});
export type RulesAdded = z.infer<typeof RulesAdded>;
export const RulesBlocked = RulesAdded.omit({ rejected: true }).extend({
  domain_blocked: Count.describe(
    'Addresses of the segment that a rule on their domain refused already when they were checked.',
  ),
});
export const RulesRemoved = z.object({
  rule: Rule,
  removed: Count.describe('Taken from the list.'),
  not_found: Count.describe('Not on this list.'),
  ...CHANGED,
});
export type RulesRemoved = z.infer<typeof RulesRemoved>;

export const CheckDomainRequest = z.object({
  domain: z.string().min(1).max(320).describe('No URL, no address.'),
});
export type CheckDomainRequest = z.infer<typeof CheckDomainRequest>;
export const DomainStanding = z.object({
  domain: z.string().describe('Lower-case A-labels.'),
  status: z
    .enum(['blocked', 'allowed', 'disposable', 'suspected', 'none'])
    .describe('Rules and lists together: your rule comes first; `none`: nothing names it.'),
  org_rule: Rule.nullable().describe('Your rule on it or on a parent; null where you have none.'),
  note: z.string().nullable().describe('The rule’s.'),
  matched_domain: z.string().nullable().describe('The domain the rule is on: this one or a parent.'),
  disposable: z.boolean().describe('A list is sure that people throw its mailboxes away.'),
  suspected: z.boolean().describe('A list says so, but one alone does not block it.'),
});
export type DomainStanding = z.infer<typeof DomainStanding>;

export const CheckAddressRequest = z.object({ email: EmailInput });
export type CheckAddressRequest = z.infer<typeof CheckAddressRequest>;
export const AddressStanding = z.object({
  org_rule: Rule.nullable().describe('The rule on the address itself.'),
  note: z.string().nullable().describe('The address rule’s.'),
  display: Display,
  domain_rule: Rule.nullable().describe('The rule on its domain or a parent.'),
  effective: z.enum(['block', 'allow', 'none']).describe('The effect of both on a verification.'),
});
export type AddressStanding = z.infer<typeof AddressStanding>;

const list = <const P extends Path, S extends z.ZodType>(path: P, schema: S) =>
  ({ ...viewer('get', path), query: RuleQuery, response: { status: 200, schema } }) as const;
const add = <const P extends Path, S extends z.ZodType>(path: P, schema: S, example: unknown) =>
  ({
    ...member('post', path),
    live: true,
    body: bodyOf(schema, 'list', example),
    response: { status: 200, schema: RulesAdded },
  }) as const;
const remove = <const P extends Path, S extends z.ZodType>(path: P, schema: S, example: unknown) =>
  ({
    ...member('delete', path),
    live: true,
    body: bodyOf(schema, 'list', example),
    response: { status: 200, schema: RulesRemoved },
  }) as const;

const DOMAINS = { domains: ['spam.example'], note: 'Complaints in May' };
const EMAILS = { emails: ['ada@example.com'], note: 'Asked to be left out' };

/** `/v1/domains` and `/v1/addresses`: the account's rule lists. Not metered. */
export const RULE_ROUTES = {
  listBlockedDomains: {
    ...list('/v1/domains/blocklist', DomainList),
    summary: 'Blocked domains, newest first.',
  },
  blockDomains: {
    ...add('/v1/domains/blocklist', AddDomains, DOMAINS),
    summary: 'Blocks domains with their subdomains.',
  },
  unblockDomains: {
    ...remove('/v1/domains/blocklist', RemoveDomains, { domains: ['spam.example'] }),
    summary: 'Removes domains from the blocklist.',
  },
  listAllowedDomains: {
    ...list('/v1/domains/allowlist', DomainList),
    summary: 'Allowed domains, newest first.',
  },
  allowDomains: {
    ...add('/v1/domains/allowlist', AddDomains, DOMAINS),
    summary: 'Sets the disposable lists aside for domains with their subdomains.',
  },
  unallowDomains: {
    ...remove('/v1/domains/allowlist', RemoveDomains, { domains: ['spam.example'] }),
    summary: 'Removes domains from the allowlist.',
  },
  checkDomain: {
    ...viewer('post', '/v1/domains/check'),
    summary: 'How the account’s rules and the disposable lists classify a domain.',
    body: bodyOf(CheckDomainRequest, 'address', { domain: 'spam.example' }),
    response: { status: 200, schema: DomainStanding },
  },
  listBlockedAddresses: {
    ...list('/v1/addresses/blocklist', AddressList),
    summary: 'Blocked addresses, masked, newest first.',
  },
  blockAddresses: {
    ...add('/v1/addresses/blocklist', AddAddresses, EMAILS),
    summary: 'Blocks addresses; each is stored as a keyed hash and a mask.',
  },
  unblockAddresses: {
    ...remove('/v1/addresses/blocklist', RemoveAddresses, { emails: ['ada@example.com'] }),
    summary: 'Removes addresses from the blocklist.',
  },
  listAllowedAddresses: {
    ...list('/v1/addresses/allowlist', AddressList),
    summary: 'Allowed addresses, masked, newest first.',
  },
  allowAddresses: {
    ...add('/v1/addresses/allowlist', AddAddresses, EMAILS),
    summary: 'Allows addresses, in spite of disposable lists and domain blocks.',
  },
  unallowAddresses: {
    ...remove('/v1/addresses/allowlist', RemoveAddresses, { emails: ['ada@example.com'] }),
    summary: 'Removes addresses from the allowlist.',
  },
  checkAddress: {
    ...viewer('post', '/v1/addresses/check'),
    summary: 'How the account’s rules classify an address.',
    body: bodyOf(CheckAddressRequest, 'address', { email: 'ada@example.com' }),
    response: { status: 200, schema: AddressStanding },
  },
} as const satisfies Record<string, RouteDeclaration>;
