import {
  AUDIT_COUNTED_MS,
  AUDIT_LIFETIME_MS,
  type AuditEntry,
  type AuditFilter,
  type AuditLine,
  type AuditNote,
  type Author,
} from '../domain/access/keys.ts';
import { utcMonth } from '../domain/metering/usage.ts';
import type { Rule, RuleKind } from '../domain/rules/rules.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import { type Id, idFromUuid, newIdAt, parseId, uuidAt } from '../kernel/ids.ts';
import type { OutboxRow } from '../storage/postgres/projection.ts';
import { expireOperations, findOperation, finishedOperation, putOperation } from './sql/operations.ts';
import { clause, type ColumnsOf, insertRecord, NOTHING, selectList, type Sql } from './sql/sql.ts';

export interface ChangeDeps {
  readonly sql: Sql;
  readonly now: number;
  /** Queues a record for Postgres. */
  readonly project: (kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object) => void;
}

/** Longer than the transport repeats a change; other callers don't know its id. */
const ANSWER_LIFETIME_MS = 5 * MINUTE_MS;
/** More than a change adds, so that the table only covers a few minutes, at any rate of changes. */
const EXPIRED_AT_ONCE = 10;

/** The transport may send a change again: returns the first answer. */
export function once<T extends object>(
  { sql, now }: Pick<ChangeDeps, 'sql' | 'now'>,
  operationId: string,
  change: () => T,
): T {
  const earlier = findOperation(sql, operationId)?.answer ?? null;
  if (earlier !== null) return JSON.parse(earlier) as T;
  const answer = change();
  expireOperations(sql, now, EXPIRED_AT_ONCE);
  const finished = finishedOperation(operationId, utcMonth(now), now + ANSWER_LIFETIME_MS);
  putOperation(sql, operationId, now, { ...finished, answer: JSON.stringify(answer) });
  return answer;
}

/** Adds to the audit log, in the change's own transaction. */
export function audit({ sql, now, project }: ChangeDeps, note: AuditNote): null {
  const line = append(sql, now, note, null);
  project('audit', line.id, line);
  return null;
}

/** Adds a change of a rule list, with the number of its entries. */
export function auditRules(
  { sql, now, project }: ChangeDeps,
  author: Author,
  action: 'rules.added' | 'rules.removed',
  { kind, rule }: { readonly kind: RuleKind; readonly rule: Rule },
  entries: number,
): void {
  if (entries === 0) return;
  const line = countAudit(sql, now, { ...author, action, target: `${kind} ${rule}list` }, entries);
  project('audit', line.id, line);
}

const COLUMNS: ColumnsOf<AuditLine> = {
  id: 'id',
  at: 'at',
  actor: 'actor',
  keyId: 'key_id',
  action: 'action',
  target: 'target',
  summary: 'summary',
  entries: 'entries',
};

/** The smallest id of an instant, for range queries. */
const firstIdAt = (at: number): Id<'au'> => idFromUuid('au', uuidAt(at));

/** After every id. */
const END = 'au_~';

/** The next id: entries of one millisecond keep their order, also across restarts. */
function nextId(sql: Sql, now: number): Id<'au'> {
  const place = sql.count`select count(*) from audit where id >= ${firstIdAt(now)}`;
  return newIdAt('au', now, Math.min(place, 4_095));
}

function append(
  sql: Sql,
  now: number,
  { actor, keyId = null, action, target, summary }: AuditNote,
  entries: number | null,
): AuditLine {
  const line: AuditLine = { actor, keyId, action, target, summary, id: nextId(sql, now), at: now, entries };
  insertRecord<AuditLine>(sql, 'audit', COLUMNS, line, '');
  return line;
}

/**
 * Counts rule entries added or removed: within its hour, a line of the same author, action and list is extended. A
 * person's is extended only while it is the newest, so that it hides nothing in between. A program may alternate
 * between lists, and gets one line an hour for each.
 */
function countAudit(sql: Sql, now: number, note: Omit<AuditNote, 'summary'>, entries: number): AuditLine {
  const begun = firstIdAt(now - (now % AUDIT_COUNTED_MS));
  const { actor, keyId = null, action, target } = note;
  const ofPerson = parseId('u', actor) === null ? NOTHING : clause`id = (select max(id) from audit) and`;
  const counted = sql.first<AuditLine>`
    update audit set entries = entries + ${entries}
    where ${ofPerson} id >= ${begun} and actor = ${actor} and key_id is ${keyId} and action = ${action}
      and target = ${target} and entries is not null
    returning ${selectList(COLUMNS)}`;
  return counted ?? append(sql, now, { ...note, summary: '' }, entries);
}

/** Newest first. Each filter, and both together, has an index, so a rare line is found without reading the others. */
export function listAudit(
  sql: Sql,
  {
    limit,
    before,
    action,
    actor,
    fromMs,
    toMs,
  }: AuditFilter & { readonly limit: number; readonly before: Id<'au'> | null },
): AuditEntry[] {
  const ofAction = action === undefined ? NOTHING : clause`action = ${action} and`;
  const ofActor = actor === undefined ? NOTHING : clause`actor = ${actor} and`;
  const end = toMs === undefined ? END : firstIdAt(toMs);
  // The earlier bound: SQLite starts from only one of them.
  const upTo = before !== null && before < end ? before : end;
  const lines = sql.all<AuditLine>`
    select ${selectList(COLUMNS)} from audit
    where ${ofAction} ${ofActor} id < ${upTo} and id >= ${fromMs === undefined ? 'au_' : firstIdAt(fromMs)}
    order by id desc limit ${limit}`;
  return lines.map(({ entries, ...entry }) =>
    entries === null ? entry : { ...entry, summary: `${entries} ${entries === 1 ? 'entry' : 'entries'}` },
  );
}

export const countActions = (sql: Sql, action: AuditEntry['action'], since: number): number =>
  sql.count`select count(*) from audit where id >= ${firstIdAt(since)} and action = ${action}`;

export function expireAudit(sql: Sql, now: number, limit: number): void {
  sql.run`
    delete from audit where id in (
      select id from audit where id < ${firstIdAt(now - AUDIT_LIFETIME_MS)} order by id limit ${limit})`;
}

/** Restores a line that is in Postgres and was lost here. */
export const restoreAudit = (sql: Sql, line: AuditLine): void =>
  void insertRecord<AuditLine>(sql, 'audit', COLUMNS, line, 'on conflict (id) do nothing');
