import type * as contract from '../../contract/rules.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { maskAddress } from '../../domain/address/mask.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { type DomainRejection, readDomain } from '../../domain/rules/domain-entry.ts';
import { type Batch, readBatch } from '../../domain/rules/entries.ts';
import {
  RULE_ID_PREFIX,
  RULES_MAX,
  type Rule,
  type RuleKind,
  type RuleRecord,
  type RuleSubject,
  type RulesFull,
} from '../../domain/rules/types.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { askObject, type OrganisationPort, PORT_VERSION } from '../../organisation/api.ts';
import { resolveTraces } from '../traces/resolve-traces.ts';
import type { Context } from '../verb.ts';

/** One list of the account. */
export interface ListName {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

/** A thousand entries, behind other changes of the account: their sender waits longer than a signup. */
const CHANGE_TIMEOUT_MS = 10_000;

const ask = <T>(
  { deps, organisationId }: Context,
  name: string,
  call: (stub: OrganisationPort) => Promise<T>,
): Promise<T> => askObject(deps.objects, organisationId, name, call, CHANGE_TIMEOUT_MS);

/** A page's start: null for the first one. Throws where the cursor is no id of this list's rules. */
export function readCursor(kind: RuleKind, { limit, cursor }: contract.RuleQuery) {
  const before = cursor === undefined ? null : parseId(RULE_ID_PREFIX[kind], cursor);
  if (cursor !== undefined && before === null) throw new DomainError('invalid_request', '`cursor` is not valid.');
  return { limit, before };
}

export async function listRules<E>(
  context: Context,
  name: ListName,
  { limit, before }: ReturnType<typeof readCursor>,
  present: (record: RuleRecord) => E,
) {
  const page = { v: PORT_VERSION, ...name, limit: limit + 1, before } as const;
  const { entries, count } = await ask(context, 'listRules', (stub) => stub.listRules(page));
  const shown = entries.slice(0, limit);
  return {
    rule: name.rule,
    entries: shown.map(present),
    count,
    cursor: entries.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

export async function addRules(
  context: Context,
  name: ListName,
  { found, rejected }: Batch<RuleSubject>,
  note: string | undefined,
): Promise<contract.RulesAdded> {
  const { userId, id } = context.admitted.key;
  const change = {
    v: PORT_VERSION,
    operationId: context.traceId,
    ...name,
    subjects: [...found.values()],
    note: note?.trim() ?? null,
    createdBy: userId ?? id,
  } as const;
  const answer = await ask(context, 'addRules', (stub) => stub.addRules(change));
  if (!answer.ok) throw fullError(name.kind, answer);
  const { added, moved, unchanged, total } = answer;
  return { rule: name.rule, added, moved, unchanged, total, rejected: [...rejected] };
}

async function remove(
  context: Context,
  name: ListName,
  by: 'key' | 'id',
  values: Iterable<string>,
  rejectedOf: (unknownIds: ReadonlySet<string>) => readonly contract.RejectedEntry[],
): Promise<contract.RulesRemoved> {
  const change = { v: PORT_VERSION, operationId: context.traceId, ...name, by, values: [...values] } as const;
  const { removed, notFound, unknown, total } = await ask(context, 'removeRules', (stub) => stub.removeRules(change));
  const rejected = [...rejectedOf(new Set(unknown.map((place) => change.values[place] ?? '')))];
  return { rule: name.rule, removed, not_found: notFound, total, rejected };
}

export const removeByKey = (context: Context, name: ListName, { found, rejected }: Batch<unknown>) =>
  remove(context, name, 'key', found.keys(), () => rejected);

/** An id of another kind, of another account or of nothing at all is one that no rule here has. */
export function removeById(context: Context, name: ListName, ids: readonly string[]) {
  const wellFormed = new Set(ids.filter((id) => parseId(RULE_ID_PREFIX[name.kind], id) !== null));
  return remove(context, name, 'id', wellFormed, (unknown) =>
    ids.flatMap((id, index) =>
      wellFormed.has(id) && !unknown.has(id) ? [] : [{ index, reason: 'unknown_id' as const }],
    ),
  );
}

const addressReader =
  ({ deps, organisationId }: Context) =>
  (text: string) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) return 'invalid_address' as const;
    const key = deps.hashAddress(organisationId, parsed.address.normalised);
    return { key, display: maskAddress(parsed.address) };
  };

/** Addresses as rules know them: hashed here, so that the object that keeps the lists never sees one. */
export const readEmails = (context: Context, emails: readonly string[]): Batch<RuleSubject> =>
  readBatch(emails, addressReader(context));

/** The addresses that a body names, by themselves or by traces about them. */
export async function readAddresses(
  context: Context,
  key: KeyIdentity,
  { emails, trace_ids: traceIds = [] }: { emails?: readonly string[] | undefined; trace_ids?: string[] | undefined },
): Promise<Batch<RuleSubject>> {
  if (emails !== undefined) return readEmails(context, emails);
  const traces = await resolveTraces(context.deps, context, key, traceIds);
  return readBatch(traceIds, (text) => {
    const trace = traces.get(text);
    const hash = trace?.addressHash ?? null;
    return trace === undefined || hash === null ? 'unknown_trace' : { key: hash, display: trace.display };
  });
}

export function readDomainSubject(text: string): RuleSubject | DomainRejection {
  const read = readDomain(text);
  return read.ok ? { key: read.domain, display: read.domain } : read.refusal;
}

const fullError = (kind: RuleKind, { held, added }: RulesFull): DomainError =>
  new DomainError(
    'invalid_request',
    `An account has up to ${RULES_MAX} ${kind} rules, both lists together. It has ${held}, and ${added} of these are new: none was added.`,
  );
