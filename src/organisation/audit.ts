import type { AuditNote } from '../domain/access/audit.ts';
import type { Actor } from '../domain/access/key-record.ts';
import type { Rule, RuleKind } from '../domain/rules/types.ts';
import type { ChangeDeps } from './once.ts';
import { appendAudit, countAudit } from './sql/audit.ts';

/** Enters a change in the audit log, in the transaction that makes the change. */
export function audit({ sql, now, project }: ChangeDeps, note: AuditNote): void {
  const line = appendAudit(sql, now, note);
  project('audit', line.id, line);
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
