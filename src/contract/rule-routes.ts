import type * as z from 'zod';
import { BODY_LIMIT } from './common.ts';
import type { RouteDeclaration } from './route.ts';
import * as rules from './rules.ts';

const READ = { access: 'viewer', meter: null, rate: 'read' } as const;
const CHANGE = { access: 'member', live: true, meter: null, rate: 'read' } as const;

const body = <S extends z.ZodType, const L extends keyof typeof BODY_LIMIT>(schema: S, limit: L, example: unknown) => ({
  schema,
  limitBytes: BODY_LIMIT[limit],
  example,
});
const list = <S extends z.ZodType>(schema: S) =>
  ({ method: 'get', query: rules.RuleQuery, response: { status: 200, schema } }) as const;
const add = <S extends z.ZodType>(schema: S, example: unknown) =>
  ({
    method: 'post',
    body: body(schema, 'list', example),
    response: { status: 200, schema: rules.RulesAdded },
  }) as const;
const remove = <S extends z.ZodType>(schema: S, example: unknown) =>
  ({
    method: 'delete',
    body: body(schema, 'list', example),
    response: { status: 200, schema: rules.RulesRemoved },
  }) as const;

const DOMAINS = { domains: ['spam.example'], note: 'Complaints in May' };
const EMAILS = { emails: ['ada@example.com'], note: 'Asked to be left out' };

/** `/v1/domains` and `/v1/addresses`: the account's rule lists. Not metered. */
export const RULE_ROUTES = {
  listBlockedDomains: {
    ...READ,
    ...list(rules.DomainList),
    path: '/v1/domains/blocklist',
    summary: 'Blocked domains, newest first.',
  },
  blockDomains: {
    ...CHANGE,
    ...add(rules.AddDomains, DOMAINS),
    path: '/v1/domains/blocklist',
    summary: 'Blocks domains with their subdomains.',
  },
  unblockDomains: {
    ...CHANGE,
    ...remove(rules.RemoveDomains, { domains: ['spam.example'] }),
    path: '/v1/domains/blocklist',
    summary: 'Takes domains from the blocklist.',
  },
  listAllowedDomains: {
    ...READ,
    ...list(rules.DomainList),
    path: '/v1/domains/allowlist',
    summary: 'Allowed domains, newest first.',
  },
  allowDomains: {
    ...CHANGE,
    ...add(rules.AddDomains, DOMAINS),
    path: '/v1/domains/allowlist',
    summary: 'Sets the disposable lists aside for domains with their subdomains.',
  },
  unallowDomains: {
    ...CHANGE,
    ...remove(rules.RemoveDomains, { domains: ['spam.example'] }),
    path: '/v1/domains/allowlist',
    summary: 'Takes domains from the allowlist.',
  },
  checkDomain: {
    ...READ,
    method: 'post',
    path: '/v1/domains/check',
    summary: 'What the account’s rules and the disposable lists say of a domain.',
    body: body(rules.CheckDomainRequest, 'address', { domain: 'spam.example' }),
    response: { status: 200, schema: rules.DomainStanding },
  },
  listBlockedAddresses: {
    ...READ,
    ...list(rules.AddressList),
    path: '/v1/addresses/blocklist',
    summary: 'Blocked addresses, masked, newest first.',
  },
  blockAddresses: {
    ...CHANGE,
    ...add(rules.AddAddresses, EMAILS),
    path: '/v1/addresses/blocklist',
    summary: 'Blocks addresses; each is kept as a keyed hash and a mask.',
  },
  unblockAddresses: {
    ...CHANGE,
    ...remove(rules.RemoveAddresses, { emails: ['ada@example.com'] }),
    path: '/v1/addresses/blocklist',
    summary: 'Takes addresses from the blocklist.',
  },
  listAllowedAddresses: {
    ...READ,
    ...list(rules.AddressList),
    path: '/v1/addresses/allowlist',
    summary: 'Allowed addresses, masked, newest first.',
  },
  allowAddresses: {
    ...CHANGE,
    ...add(rules.AddAddresses, EMAILS),
    path: '/v1/addresses/allowlist',
    summary: 'Sets the disposable lists and domain blocks aside for addresses.',
  },
  unallowAddresses: {
    ...CHANGE,
    ...remove(rules.RemoveAddresses, { emails: ['ada@example.com'] }),
    path: '/v1/addresses/allowlist',
    summary: 'Takes addresses from the allowlist.',
  },
  checkAddress: {
    ...READ,
    method: 'post',
    path: '/v1/addresses/check',
    summary: 'What the account’s rules say of an address.',
    body: body(rules.CheckAddressRequest, 'address', { email: 'ada@example.com' }),
    response: { status: 200, schema: rules.AddressStanding },
  },
} as const satisfies Record<string, RouteDeclaration>;
