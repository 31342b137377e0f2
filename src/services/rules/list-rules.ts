import { ROUTES } from '../../contract/routes.ts';
import type { RuleQuery } from '../../contract/rules.ts';
import { addressEntry, domainEntry } from '../../domain/rules/present.ts';
import { RULE_ID_PREFIX, type RuleKind, type RuleRecord } from '../../domain/rules/types.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { PORT_VERSION } from '../../organisation/api.ts';
import { type Context, verb } from '../verb.ts';
import { askRules, type ListName } from './ask-rules.ts';

/** One use case at four routes: a page of one list, newest entry first. */
export const listBlockedDomains = verb({
  route: ROUTES.listBlockedDomains,
  parse: pageOf('domain'),
  run: (context, page) => listRules(context, { kind: 'domain', rule: 'block' }, page, domainEntry),
});
export const listAllowedDomains = verb({
  route: ROUTES.listAllowedDomains,
  parse: pageOf('domain'),
  run: (context, page) => listRules(context, { kind: 'domain', rule: 'allow' }, page, domainEntry),
});
export const listBlockedAddresses = verb({
  route: ROUTES.listBlockedAddresses,
  parse: pageOf('address'),
  run: (context, page) => listRules(context, { kind: 'address', rule: 'block' }, page, addressEntry),
});
export const listAllowedAddresses = verb({
  route: ROUTES.listAllowedAddresses,
  parse: pageOf('address'),
  run: (context, page) => listRules(context, { kind: 'address', rule: 'allow' }, page, addressEntry),
});

/** `before` null: the first page. */
function pageOf(kind: RuleKind) {
  return ({ query: { limit, cursor } }: { readonly query: RuleQuery }) => {
    const before = cursor === undefined ? null : parseId(RULE_ID_PREFIX[kind], cursor);
    if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
    return { limit, before };
  };
}

async function listRules<E>(
  context: Context,
  list: ListName,
  { limit, before }: ReturnType<ReturnType<typeof pageOf>>,
  present: (record: RuleRecord) => E,
) {
  const page = { v: PORT_VERSION, ...list, limit: limit + 1, before } as const;
  const { entries, count } = await askRules(context, 'listRules', (stub) => stub.listRules(page));
  const shown = entries.slice(0, limit);
  return {
    rule: list.rule,
    entries: shown.map(present),
    count,
    cursor: entries.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}
