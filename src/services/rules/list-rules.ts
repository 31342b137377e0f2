import { ROUTES } from '../../contract/routes.ts';
import type { RuleQuery } from '../../contract/rules.ts';
import { addressEntry, domainEntry } from '../../domain/rules/present.ts';
import { RULE_ID_PREFIX, type RuleKind, type RuleRecord } from '../../domain/rules/types.ts';
import { askObject } from '../../organisation/api.ts';
import { pageOf, readCursor } from '../paging.ts';
import { type Context, verb } from '../verb.ts';
import type { ListName } from './list-name.ts';

/** `before` null: the first page; `search` null: every entry. */
const pageBefore =
  (kind: RuleKind) =>
  ({ query: { limit, cursor, search } }: { readonly query: RuleQuery }) => ({
    limit,
    search: search ?? null,
    before: readCursor(cursor, RULE_ID_PREFIX[kind]),
  });

/** One use case at four routes: a page of one list, newest entry first. */
export const listBlockedDomains = verb({
  route: ROUTES.listBlockedDomains,
  parse: pageBefore('domain'),
  run: (context, page) => listRules(context, { kind: 'domain', rule: 'block' }, page, domainEntry),
});
export const listAllowedDomains = verb({
  route: ROUTES.listAllowedDomains,
  parse: pageBefore('domain'),
  run: (context, page) => listRules(context, { kind: 'domain', rule: 'allow' }, page, domainEntry),
});
export const listBlockedAddresses = verb({
  route: ROUTES.listBlockedAddresses,
  parse: pageBefore('address'),
  run: (context, page) => listRules(context, { kind: 'address', rule: 'block' }, page, addressEntry),
});
export const listAllowedAddresses = verb({
  route: ROUTES.listAllowedAddresses,
  parse: pageBefore('address'),
  run: (context, page) => listRules(context, { kind: 'address', rule: 'allow' }, page, addressEntry),
});

async function listRules<E>(
  { deps, organisationId }: Context,
  list: ListName,
  { limit, search, before }: ReturnType<ReturnType<typeof pageBefore>>,
  present: (record: RuleRecord) => E,
) {
  const page = { ...list, limit: limit + 1, search, before };
  const { entries, count } = await askObject(deps.objects, organisationId).listRules(page);
  const { shown, cursor } = pageOf(entries, limit, ({ id }) => id);
  return { rule: list.rule, entries: shown.map(present), count, cursor };
}
