import { type ApiClient, answerOf } from '../../api/client.ts';
import type { AddressList, DomainList } from '../../api/schema.ts';
import { plural } from '../../lib/format.ts';

interface RulePage {
  readonly entries: readonly (DomainEntry | AddressEntry)[];
  readonly count: number;
  readonly cursor: string | null;
}

export interface Added {
  readonly added: number;
  readonly moved: number;
  readonly unchanged: number;
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
}

const PATHS = {
  domain: { block: '/v1/domains/blocklist', allow: '/v1/domains/allowlist' },
  address: { block: '/v1/addresses/blocklist', allow: '/v1/addresses/allowlist' },
} as const;

/** Prefix of all rule query keys, invalidated by a change. */
export const rulesKey = (organisationId: string) => [organisationId, 'rules'] as const;

export function listRules(
  api: ApiClient,
  kind: RuleKind,
  side: RuleSide,
  page: { readonly search?: string | undefined; readonly cursor?: string | undefined },
): Promise<RulePage> {
  return kind === 'domain'
    ? answerOf(api.GET(PATHS.domain[side], { params: { query: page } }))
    : answerOf(api.GET(PATHS.address[side], { params: { query: page } }));
}

const noteOf = (note: string) => (note.trim() === '' ? {} : { note: note.trim() });

export const addDomains = (api: ApiClient, side: RuleSide, domains: string[], note: string): Promise<Added> =>
  answerOf(api.POST(PATHS.domain[side], { body: { domains, ...noteOf(note) } }));

export const addAddresses = (api: ApiClient, side: RuleSide, emails: string[], note: string): Promise<Added> =>
  answerOf(api.POST(PATHS.address[side], { body: { emails, ...noteOf(note) } }));

export const addRule = (api: ApiClient, kind: RuleKind, side: RuleSide, entry: string): Promise<Added> =>
  kind === 'domain' ? addDomains(api, side, [entry], '') : addAddresses(api, side, [entry], '');

export const removeRule = (api: ApiClient, kind: RuleKind, side: RuleSide, entry: string) =>
  kind === 'domain'
    ? answerOf(api.DELETE(PATHS.domain[side], { body: { domains: [entry] } }))
    : answerOf(api.DELETE(PATHS.address[side], { body: { emails: [entry] } }));

/** Entries per request. */
export const BATCH = 1_000;

export async function removeRules(api: ApiClient, kind: RuleKind, side: RuleSide, ids: string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const body = { ids: ids.slice(at, at + BATCH) };
    await (kind === 'domain'
      ? answerOf(api.DELETE(PATHS.domain[side], { body }))
      : answerOf(api.DELETE(PATHS.address[side], { body })));
  }
}

export const checkDomain = (api: ApiClient, domain: string) =>
  answerOf(api.POST('/v1/domains/check', { body: { domain } }));
export const checkAddress = (api: ApiClient, email: string) =>
  answerOf(api.POST('/v1/addresses/check', { body: { email } }));

export type RuleKind = 'domain' | 'address';
export type RuleSide = 'block' | 'allow';

export const otherSide = (side: RuleSide): RuleSide => (side === 'block' ? 'allow' : 'block');

export const entriesText = (kind: RuleKind, count: number): string =>
  kind === 'domain' ? plural(count, '# domain', '# domains') : plural(count, '# address', '# addresses');

type DomainEntry = DomainList['entries'][number];
type AddressEntry = AddressList['entries'][number];
export type RuleEntry = DomainEntry | AddressEntry;

export const shownOf = (entry: RuleEntry): string => ('domain' in entry ? entry.domain : entry.display);
