import { ROUTES } from '../../contract/routes.ts';
import type { RejectedEntry, RemoveAddresses, RemoveDomains, RulesRemoved } from '../../contract/rules.ts';
import type { Batch } from '../../domain/rules/entries.ts';
import { RULE_ID_PREFIX, type Rule } from '../../domain/rules/types.ts';
import { parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { type Context, verb } from '../verb.ts';
import type { ListName } from './list-name.ts';
import { readAddresses, readDomains } from './rule-subjects.ts';

/** One use case at four routes: takes entries off a list, by what they name or by their ids. */
export const unblockDomains = verb({ route: ROUTES.unblockDomains, run: removeDomains('block') });
export const unallowDomains = verb({ route: ROUTES.unallowDomains, run: removeDomains('allow') });
export const unblockAddresses = verb({ route: ROUTES.unblockAddresses, run: removeAddresses('block') });
export const unallowAddresses = verb({ route: ROUTES.unallowAddresses, run: removeAddresses('allow') });

function removeDomains(rule: Rule) {
  return async (context: Context, { body: { domains = [], ids } }: { readonly body: RemoveDomains }) => {
    const list = { kind: 'domain', rule } as const;
    return ids === undefined ? removeByKey(context, list, readDomains(domains)) : removeById(context, list, ids);
  };
}

function removeAddresses(rule: Rule) {
  return async (context: Context, { body }: { readonly body: RemoveAddresses }) => {
    const list = { kind: 'address', rule } as const;
    return body.ids === undefined
      ? removeByKey(context, list, await readAddresses(context, body))
      : removeById(context, list, body.ids);
  };
}

const removeByKey = (context: Context, list: ListName, { found, rejected }: Batch<unknown>) =>
  remove(context, list, 'key', found.keys(), () => rejected);

/** An id of another kind or another account is rejected like one that was never given. */
function removeById(context: Context, list: ListName, ids: readonly string[]) {
  const wellFormed = new Set(ids.filter((id) => parseId(RULE_ID_PREFIX[list.kind], id) !== null));
  return remove(context, list, 'id', wellFormed, (unknown) =>
    ids.flatMap((id, index) =>
      wellFormed.has(id) && !unknown.has(id) ? [] : [{ index, reason: 'unknown_id' as const }],
    ),
  );
}

async function remove(
  { deps, organisationId, traceId, admitted }: Context,
  list: ListName,
  by: 'key' | 'id',
  values: Iterable<string>,
  rejectedOf: (unknownIds: ReadonlySet<string>) => readonly RejectedEntry[],
): Promise<RulesRemoved> {
  const removedBy = admitted.key.userId ?? admitted.key.id;
  const change = { operationId: traceId, ...list, by, values: [...values], removedBy };
  const { removed, notFound, unknown, total } = await askObject(deps.objects, organisationId).removeRules(change);
  const rejected = [...rejectedOf(new Set(unknown.map((place) => change.values[place] ?? '')))];
  return { rule: list.rule, removed, not_found: notFound, total, rejected };
}
