import type { AuditNote } from '../domain/access/audit.ts';
import type { Actor } from '../domain/access/key-record.ts';
import type { Rule, RuleKind } from '../domain/rules/types.ts';
import type { ChangeDeps } from './once.ts';
import { appendAudit, countAudit } from './sql/audit.ts';

type Noting = Pick<ChangeDeps, 'sql' | 'now' | 'audited'>;

/** Enters a change in the audit log, in the transaction that makes the change. */
export function audit({ sql, now, audited }: Noting, note: AuditNote): void {
  appendAudit(sql, now, note);
  audited();
}

/** Enters a change of a rule list, by the number of its entries. A release before names no actor. */
export function auditRules(
  { sql, now, audited }: Noting,
  actor: string | undefined,
  action: 'rules.added' | 'rules.removed',
  { kind, rule }: { readonly kind: RuleKind; readonly rule: Rule },
  entries: number,
): void {
  countAudit(sql, now, { actor: (actor ?? 'operator') as Actor, action, target: `${kind} ${rule}list` }, entries);
  audited();
}
