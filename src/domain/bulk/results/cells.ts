import { SKIPPED_ROW } from '../csv/row-index.ts';
import type { RowResult } from './row-result.ts';

type Checked = Extract<RowResult, { status: 'ok' }>;

/** The appended columns. `policy`: only where the job ran one. */
const COLUMNS: readonly {
  readonly name: string;
  readonly policy?: true;
  readonly cell: (result: Checked) => string;
}[] = [
  { name: 'svc_verdict', cell: ({ verdict }) => verdict },
  { name: 'svc_bounce_probability', cell: ({ bounceProbability }) => String(bounceProbability) },
  { name: 'svc_recommendation', cell: ({ recommendation }) => recommendation },
  { name: 'svc_reason', cell: ({ reason }) => reason ?? '' },
  { name: 'svc_email_type', cell: ({ emailType }) => emailType },
  { name: 'svc_esp', cell: ({ esp }) => esp },
  { name: 'svc_mailbox_type', cell: ({ mailboxType }) => mailboxType },
  { name: 'svc_actor_class', cell: ({ actorClass }) => actorClass },
  { name: 'svc_disposable', cell: ({ disposable }) => String(disposable) },
  { name: 'svc_role_account', cell: ({ roleAccount }) => String(roleAccount) },
  { name: 'svc_catch_all', cell: ({ catchAll }) => String(catchAll) },
  { name: 'svc_relay_alias', cell: ({ relayAlias }) => String(relayAlias) },
  { name: 'svc_decision', policy: true, cell: ({ decision }) => decision?.decision ?? '' },
  { name: 'svc_decision_rule', policy: true, cell: ({ decision }) => inert(decision?.ruleId ?? '') },
  { name: 'svc_trace_id', cell: ({ traceId }) => traceId },
];

/** A spreadsheet runs a cell that begins with one of these: OWASP, CSV injection (the last four are full width). */
const RUNS = /^[=+\-@\t\r\n＝＋－＠]/u;
const inert = (cell: string): string => (RUNS.test(cell) ? `'${cell}` : cell);

const columns = (hasPolicy: boolean) => COLUMNS.filter(({ policy }) => hasPolicy || policy === undefined);

export const headerCells = (hasPolicy: boolean): string[] => [
  'svc_status',
  ...columns(hasPolicy).map(({ name }) => name),
];

/** The new cells of a row: with `null`, the job did not get to it. */
export function rowCells(number: number, result: RowResult | null, hasPolicy: boolean): string[] {
  const empty = columns(hasPolicy).map(() => '');
  if (number === SKIPPED_ROW) return ['skipped', ...empty];
  if (result === null) return ['', ...empty];
  if (result.status === 'error') return ['error', ...empty];
  return ['ok', ...columns(hasPolicy).map(({ cell }) => cell(result))];
}
