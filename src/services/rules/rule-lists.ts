import type * as contract from '../../contract/rules.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import { maskAddress } from '../../domain/address/mask.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import type { Lists } from '../../domain/lists/types.ts';
import { type DomainRejection, readDomain, readDomainName } from '../../domain/rules/domain-entry.ts';
import { type Batch, readBatch } from '../../domain/rules/entries.ts';
import { addressStanding, domainStanding } from '../../domain/rules/precedence.ts';
import { addressEntry, domainEntry } from '../../domain/rules/present.ts';
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
import { type Id, parseId } from '../../kernel/ids.ts';
import { askObject, type OrganisationPort, PORT_VERSION } from '../../organisation/api.ts';
import { admitReached, refuse } from '../access/account.ts';
import type { OpenOperation } from '../frame.ts';
import type { Operation } from '../operation.ts';
import type { HistoryDeps } from '../traces/history.ts';
import { resolveTraces } from '../traces/traces.ts';

export interface RuleListDeps extends HistoryDeps {
  readonly lists: Lists;
  /** Keyed hash of a normalised address within an organisation. */
  hashAddress(organisationId: Id<'org'>, normalised: string): string;
}

/** One list of the account. */
interface ListName {
  readonly kind: RuleKind;
  readonly rule: Rule;
}

/** A thousand entries, behind other changes of the account: whoever sends them waits longer than a signup. */
const CHANGE_TIMEOUT_MS = 10_000;

/** The account's own rules. Addresses are hashed here: the object that keeps the lists never sees one. */
export function ruleListServices(deps: RuleListDeps) {
  const ask = <T>(op: Operation, name: string, call: (stub: OrganisationPort) => Promise<T>): Promise<T> =>
    askObject(deps.objects, op.organisationId, name, call, CHANGE_TIMEOUT_MS);

  async function list<E>(
    op: OpenOperation,
    name: ListName,
    { limit, cursor }: contract.RuleQuery,
    present: (record: RuleRecord) => E,
  ) {
    const before = cursor === undefined ? null : parseId(RULE_ID_PREFIX[name.kind], cursor);
    if (cursor !== undefined && before === null) return refuse(op, '`cursor` is not valid.');
    await admitReached(op);
    const page = { v: PORT_VERSION, ...name, limit: limit + 1, before } as const;
    const { entries, count } = await ask(op, 'listRules', (stub) => stub.listRules(page));
    const shown = entries.slice(0, limit);
    return {
      rule: name.rule,
      entries: shown.map(present),
      count,
      cursor: entries.length > limit ? (shown.at(-1)?.id ?? null) : null,
    };
  }

  async function add(
    op: Operation,
    name: ListName,
    { userId, id }: KeyIdentity,
    { found, rejected }: Batch<RuleSubject>,
    note: string | undefined,
  ): Promise<contract.RulesAdded> {
    const change = {
      v: PORT_VERSION,
      operationId: op.traceId,
      ...name,
      subjects: [...found.values()],
      note: note?.trim() ?? null,
      createdBy: userId ?? id,
    } as const;
    const answer = await ask(op, 'addRules', (stub) => stub.addRules(change));
    if (!answer.ok) throw fullError(name.kind, answer);
    const { added, moved, unchanged, total } = answer;
    return { rule: name.rule, added, moved, unchanged, total, rejected: [...rejected] };
  }

  async function remove(
    op: Operation,
    name: ListName,
    by: 'key' | 'id',
    values: Iterable<string>,
    rejectedOf: (unknownIds: ReadonlySet<string>) => readonly contract.RejectedEntry[],
  ): Promise<contract.RulesRemoved> {
    const change = { v: PORT_VERSION, operationId: op.traceId, ...name, by, values: [...values] } as const;
    const { removed, notFound, unknown, total } = await ask(op, 'removeRules', (stub) => stub.removeRules(change));
    const rejected = [...rejectedOf(new Set(unknown.map((place) => change.values[place] ?? '')))];
    return { rule: name.rule, removed, not_found: notFound, total, rejected };
  }

  /** Blocks addresses for a use case that has been admitted. */
  const blockAddresses = (op: Operation, key: KeyIdentity, emails: readonly string[], note: string | undefined) =>
    add(op, { kind: 'address', rule: 'block' }, key, readBatch(emails, readAddress(op)), note);

  const removeByKey = (op: Operation, name: ListName, { found, rejected }: Batch<unknown>) =>
    remove(op, name, 'key', found.keys(), () => rejected);

  /** An id of another kind, of another account or of nothing at all is one that no rule here has. */
  function removeById(op: Operation, name: ListName, ids: readonly string[]) {
    const wellFormed = new Set(ids.filter((id) => parseId(RULE_ID_PREFIX[name.kind], id) !== null));
    return remove(op, name, 'id', wellFormed, (unknown) =>
      ids.flatMap((id, index) =>
        wellFormed.has(id) && !unknown.has(id) ? [] : [{ index, reason: 'unknown_id' as const }],
      ),
    );
  }

  const readAddress = (op: Operation) => (text: string) => {
    const parsed = parseAddress(text);
    if (!parsed.ok) return 'invalid_address' as const;
    const key = deps.hashAddress(op.organisationId, parsed.address.normalised);
    return { key, display: maskAddress(parsed.address) };
  };

  /** The addresses that a body names, by themselves or by traces about them. */
  async function readAddresses(
    op: Operation,
    key: KeyIdentity,
    { emails, trace_ids: traceIds = [] }: { emails?: readonly string[] | undefined; trace_ids?: string[] | undefined },
  ): Promise<Batch<RuleSubject>> {
    if (emails !== undefined) return readBatch(emails, readAddress(op));
    const traces = await resolveTraces(deps, op, key, traceIds);
    return readBatch(traceIds, (text) => {
      const trace = traces.get(text);
      const hash = trace?.addressHash ?? null;
      return trace === undefined || hash === null ? 'unknown_trace' : { key: hash, display: trace.display };
    });
  }

  return {
    blockAddresses,

    listDomains: (op: OpenOperation, rule: Rule, query: contract.RuleQuery): Promise<contract.DomainList> =>
      list(op, { kind: 'domain', rule }, query, domainEntry),

    listAddresses: (op: OpenOperation, rule: Rule, query: contract.RuleQuery): Promise<contract.AddressList> =>
      list(op, { kind: 'address', rule }, query, addressEntry),

    async addDomains(op: OpenOperation, rule: Rule, { domains, note }: contract.AddDomains) {
      const { key } = await admitReached(op);
      return add(op, { kind: 'domain', rule }, key, readBatch(domains, readDomainSubject), note);
    },

    async removeDomains(op: Operation, rule: Rule, { domains = [], ids }: contract.RemoveDomains) {
      await admitReached(op);
      const name = { kind: 'domain', rule } as const;
      return ids === undefined
        ? removeByKey(op, name, readBatch(domains, readDomainSubject))
        : removeById(op, name, ids);
    },

    async addAddresses(op: OpenOperation, rule: Rule, body: contract.AddAddresses) {
      const { key } = await admitReached(op);
      return add(op, { kind: 'address', rule }, key, await readAddresses(op, key, body), body.note);
    },

    async removeAddresses(op: Operation, rule: Rule, body: contract.RemoveAddresses) {
      const { key } = await admitReached(op);
      const name = { kind: 'address', rule } as const;
      return body.ids === undefined
        ? removeByKey(op, name, await readAddresses(op, key, body))
        : removeById(op, name, body.ids);
    },

    async checkDomain(op: OpenOperation, body: contract.CheckDomainRequest): Promise<contract.DomainStanding> {
      const parsed = readDomainName(body.domain);
      if (!parsed.ok) return refuse(op, '`domain` is not a domain name.');
      const { domain } = parsed;
      const { rules } = await admitReached(op, { addressHash: null, domain, notes: true });
      return domainStanding(domain, rules, deps.lists.disposableTier(domain));
    },

    async checkAddress(op: OpenOperation, { email }: contract.CheckAddressRequest): Promise<contract.AddressStanding> {
      const parsed = parseAddress(email);
      if (!parsed.ok) return refuse(op, '`email` is not an address.');
      const { address } = parsed;
      const addressHash = deps.hashAddress(op.organisationId, address.normalised);
      const { rules } = await admitReached(op, { addressHash, domain: address.domain, notes: true });
      return addressStanding(maskAddress(address), rules);
    },
  };
}

function readDomainSubject(text: string): RuleSubject | DomainRejection {
  const read = readDomain(text);
  return read.ok ? { key: read.domain, display: read.domain } : read.refusal;
}

const fullError = (kind: RuleKind, { held, added }: RulesFull): DomainError =>
  new DomainError(
    'invalid_request',
    `An account has up to ${RULES_MAX} ${kind} rules, both lists together. It has ${held}, and ${added} of these are new: none was added.`,
  );
