import type { AuditNote } from '../domain/access/audit.ts';
import type { Actor } from '../domain/access/key-record.ts';
import { utcMonth } from '../domain/metering/usage.ts';
import type { Rule, RuleKind } from '../domain/rules/types.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { OutboxRow } from '../storage/outbox-row.ts';
import { appendAudit, countAudit } from './sql/audit.ts';
import { expireLedgerEntries, findLedgerEntry, type LedgerEntry, putLedgerEntry } from './sql/metering.ts';
import type { Sql } from './sql/sql.ts';

/** What a change of the object's tables needs from the object. */
export interface ChangeDeps {
  readonly sql: Sql;
  readonly now: number;
  /** Sends a record on its way to Postgres. */
  readonly project: (kind: Exclude<OutboxRow['kind'], 'trace'>, id: string, record: object) => void;
}

/** Longer than our own transport repeats a change; other callers don't know its id. */
const ANSWER_LIFETIME_MS = 5 * MINUTE_MS;
/** More than one change adds, so that the ledger holds only a few minutes of changes, however fast they come. */
const EXPIRED_AT_ONCE = 10;

/** Our own transport may send a change again: the ledger returns the answer of the first time. */
export function once<T extends object>(
  { sql, now }: Pick<ChangeDeps, 'sql' | 'now'>,
  operationId: string,
  change: () => T,
): T {
  const earlier = findLedgerEntry(sql, operationId)?.answer ?? null;
  if (earlier !== null) return JSON.parse(earlier) as T;
  const answer = change();
  expireLedgerEntries(sql, now, EXPIRED_AT_ONCE);
  const entry: LedgerEntry = {
    state: 'finished',
    traceId: operationId,
    meter: null,
    month: utcMonth(now),
    bodyHash: null,
    answer: JSON.stringify(answer),
    heldUntil: null,
    addressHash: null,
  };
  putLedgerEntry(sql, operationId, now, entry, ANSWER_LIFETIME_MS);
  return answer;
}

/** Enters a change in the audit log, in the transaction that makes the change. */
export function audit({ sql, now, project }: ChangeDeps, note: AuditNote): null {
  const line = appendAudit(sql, now, note);
  project('audit', line.id, line);
  return null;
}

/** Enters a change of a rule list, by the number of its entries. */
export function auditRules(
  { sql, now, project }: ChangeDeps,
  actor: string,
  action: 'rules.added' | 'rules.removed',
  { kind, rule }: { readonly kind: RuleKind; readonly rule: Rule },
  entries: number,
): void {
  if (entries === 0) return;
  const line = countAudit(sql, now, { actor: actor as Actor, action, target: `${kind} ${rule}list` }, entries);
  project('audit', line.id, line);
}
