import { ROUTES } from '../contract/routes.ts';
import type {
  AddAddresses,
  AddDomains,
  RejectedEntry,
  RemoveAddresses,
  RemoveDomains,
  RuleQuery,
  RulesAdded,
  RulesRemoved,
} from '../contract/rules.ts';
import { authorOf } from '../domain/access/keys.ts';
import { maskAddress, parseAddress } from '../domain/address/parse.ts';
import {
  type Batch,
  addressEntry,
  addressStanding,
  domainEntry,
  domainStanding,
  readBatch,
  readDomain,
  readDomainName,
  type Rule,
  RULE_ID_PREFIX,
  type RuleKind,
  type RuleRecord,
  RULES_MAX,
  type RulesFull,
  type RuleSubject,
} from '../domain/rules/rules.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, parseId } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import { pageOf, readCursor, requireAddress } from './request-values.ts';
import { resolveTraces } from './traces.ts';
import { type Context, verb } from './verb.ts';

export interface ListName {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

/** `before` null means the first page; `search` null means every entry. */
const pageBefore =
  (kind: RuleKind) =>
  ({ query: { limit, cursor, search } }: { readonly query: RuleQuery }) => ({
    limit,
    search: search ?? null,
    before: readCursor(cursor, RULE_ID_PREFIX[kind]),
  });

/** A page of one list, newest entry first; one use case for four routes. */
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

/** Adds entries to a list, from the other of its kind if needed; one use case for four routes. */
export const blockDomains = verb({ route: ROUTES.blockDomains, run: addDomains('block') });
export const allowDomains = verb({ route: ROUTES.allowDomains, run: addDomains('allow') });
export const blockAddresses = verb({ route: ROUTES.blockAddresses, run: addAddresses('block') });
export const allowAddresses = verb({ route: ROUTES.allowAddresses, run: addAddresses('allow') });

function addDomains(rule: Rule) {
  return (context: Context, { body: { domains, note } }: { readonly body: AddDomains }) =>
    addEntries(context, { kind: 'domain', rule }, readDomains(domains), note);
}

function addAddresses(rule: Rule) {
  return async (context: Context, { body }: { readonly body: AddAddresses }) =>
    addEntries(context, { kind: 'address', rule }, await readAddresses(context, body), body.note);
}

/** Removes entries from a list by name or id; one use case for four routes. */
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

/** An id of another kind or account is rejected like an unknown one. */
function removeById(context: Context, list: ListName, ids: readonly string[]) {
  const wellFormed = new Set(ids.filter((id) => parseId(RULE_ID_PREFIX[list.kind], id) !== null));
  return remove(context, list, 'id', wellFormed, (unknown) =>
    ids.flatMap((id, index) =>
      wellFormed.has(id) && !unknown.has(id) ? [] : [{ index, reason: 'unknown_id' as const }],
    ),
  );
}

async function remove(
  { deps, organisationId, traceId, authorized }: Context,
  list: ListName,
  by: 'key' | 'id',
  values: Iterable<string>,
  rejectedOf: (unknownIds: ReadonlySet<string>) => readonly RejectedEntry[],
): Promise<RulesRemoved> {
  const change = { operationId: traceId, ...list, by, values: [...values], author: authorOf(authorized.key) };
  const { removed, notFound, unknown, total } = await askObject(deps.objects, organisationId).removeRules(change);
  const rejected = [...rejectedOf(new Set(unknown.map((place) => change.values[place] ?? '')))];
  return { rule: list.rule, removed, not_found: notFound, total, rejected };
}

const readDomains = (domains: readonly string[]): Batch<RuleSubject> =>
  readBatch(domains, (text) => {
    const read = readDomain(text);
    return read.ok ? { key: read.domain, display: read.domain } : read.refusal;
  });

/** Hashes addresses, because the object with the lists must never see one. */
export const readEmails = ({ deps, organisationId }: Context, emails: readonly string[]): Batch<RuleSubject> =>
  readBatch(emails, (text) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) return 'invalid_address' as const;
    const key = deps.hashAddress(organisationId, parsed.address.normalised);
    return { key, display: maskAddress(parsed.address) };
  });

/** A body's addresses: given directly, or by their traces. */
async function readAddresses(
  context: Context,
  { emails, trace_ids: traceIds = [] }: { emails?: readonly string[] | undefined; trace_ids?: string[] | undefined },
): Promise<Batch<RuleSubject>> {
  if (emails !== undefined) return readEmails(context, emails);
  const traces = await resolveTraces(context.deps, context, context.authorized.key, traceIds);
  return readBatch(traceIds, (text) => {
    const trace = traces.get(text);
    const hash = trace?.addressHash ?? null;
    return trace === undefined || hash === null ? 'unknown_trace' : { key: hash, display: trace.display };
  });
}

/** Adds all entries or, over the cap, none. `jobId`: the job whose file they come from. */
export async function addEntries(
  context: Context,
  list: ListName,
  { found, rejected }: Batch<RuleSubject>,
  note: string | undefined,
  jobId?: Id<'bj'>,
): Promise<RulesAdded> {
  const { deps, organisationId, traceId, authorized } = context;
  const answer = await askObject(deps.objects, organisationId).addRules({
    operationId: traceId,
    ...list,
    subjects: [...found.values()],
    note: note?.trim() ?? null,
    author: authorOf(authorized.key),
    ...(jobId && { jobId }),
  });
  if (!answer.ok) throw fullError(list.kind, answer);
  const { added, moved, unchanged, total } = answer;
  return { rule: list.rule, added, moved, unchanged, total, rejected: [...rejected] };
}

const fullError = (kind: RuleKind, { held, added }: RulesFull): DomainError =>
  new DomainError(
    'invalid_request',
    `An account has up to ${RULES_MAX} ${kind} rules, both lists together. It has ${held}, and ${added} of these are new: none was added.`,
  );

export const checkAddress = verb({
  route: ROUTES.checkAddress,
  parse: ({ body }) => requireAddress(body.email),
  lookup: (address, { organisationId }, deps) => ({
    rules: {
      addressHash: deps.hashAddress(organisationId, address.normalised),
      domain: address.domain,
      notes: true,
    },
  }),
  run: async ({ authorized }, address) => addressStanding(maskAddress(address), authorized.rules),
});

export const checkDomain = verb({
  route: ROUTES.checkDomain,
  parse: ({ body }) => {
    const parsed = readDomainName(body.domain);
    if (!parsed.ok) throw new DomainError('invalid_request', '`domain` is not a domain name.');
    return parsed.domain;
  },
  lookup: (domain) => ({ rules: { addressHash: null, domain, notes: true } }),
  run: async ({ deps, authorized }, domain) => {
    await deps.freshLists();
    return domainStanding(domain, authorized.rules, deps.lists.disposableTier(domain));
  },
});
