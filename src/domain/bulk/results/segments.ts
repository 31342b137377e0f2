import type { BulkPreview } from '../../../contract/bulk.ts';
import { isTerminal } from '../../answer/precheck.ts';
import { SKIPPED_ROW } from '../csv/address-file.ts';
import type { NewCells } from '../csv/compose.ts';
import type { RowKind, RowResult } from './row-result.ts';

type Checked = Extract<RowKind, { status: 'ok' }>;
type Segment = (result: Checked) => boolean;

const WITHOUT_POLICY: Readonly<Record<string, Segment>> = {
  deliverable: ({ recommendation }) => recommendation === 'send',
  undeliverable: ({ recommendation, reason }) => recommendation === 'drop' || (reason !== null && isTerminal(reason)),
  review: ({ recommendation }) => recommendation === 'hold' || recommendation === 'challenge',
};

const WITH_POLICY: Readonly<Record<string, Segment>> = {
  allow: ({ decision }) => decision?.decision === 'allow' || decision?.decision === 'allow_with_flow',
  deny: ({ decision }) => decision?.decision === 'deny',
  review: ({ decision }) => decision?.decision === 'review' || decision?.decision === 'challenge',
};

const ALWAYS: Readonly<Record<string, Segment>> = { business: ({ emailType }) => emailType === 'business' };

/** A job's segments beside `all`. */
export const segmentsOf = (hasPolicy: boolean): Readonly<Record<string, Segment>> => ({
  ...(hasPolicy ? WITH_POLICY : WITHOUT_POLICY),
  ...ALWAYS,
});

/** The segments whose addresses may be blocked. */
export const blockableOf = (hasPolicy: boolean): readonly string[] => [hasPolicy ? 'deny' : 'undeliverable', 'review'];

/** Tests whether a row belongs to the segment, which only checked rows do. Null for an unknown segment. */
export function segment(name: string, hasPolicy: boolean): ((row: RowKind | null) => boolean) | null {
  const segments = segmentsOf(hasPolicy);
  const test = Object.hasOwn(segments, name) ? segments[name] : undefined;
  return test === undefined ? null : (row) => row?.status === 'ok' && test(row);
}

/** Whether the row's address can be a rule; invalid syntax can't. */
export const canBeRule = (row: RowKind | null): boolean => row?.status === 'ok' && row.reason !== 'syntax_invalid';

type Shown = BulkPreview['rows'][number]['result'];

const NOTHING = {
  verdict: null,
  bounce_probability: null,
  recommendation: null,
  reason: null,
  email_type: null,
  decision: null,
  rule_id: null,
  did_you_mean: null,
  basis: null,
  warning: null,
  trace_id: null,
} as const;

/** A row's result in a preview; null if not reached. `correction`: a typo's corrected address. */
export function previewResult(row: RowResult | 'skipped' | null, correction: string | null): Shown {
  if (row === null) return null;
  if (row === 'skipped') return { status: 'skipped', ...NOTHING };
  const { kind, traceId } = row;
  if (kind.status === 'error') return { status: 'error', ...NOTHING };
  return {
    status: 'ok',
    verdict: kind.verdict,
    bounce_probability: kind.bounceProbability,
    recommendation: kind.recommendation,
    reason: kind.reason,
    email_type: kind.emailType,
    decision: kind.decision?.decision ?? null,
    rule_id: kind.decision?.ruleId ?? null,
    did_you_mean: correction,
    basis: kind.basis,
    warning: kind.warning,
    trace_id: traceId,
  };
}

const VERSION = 1;
const WORD_BYTES = 4;

/** The results of the chunk that starts with this address. */
export interface Part {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/**
 * All chunks' results in one file, so that a download reads one. Four-byte words, little-endian: version, number of
 * parts, each part's first address and length in bytes; then the parts.
 */
export function encodeMerged(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const head = (2 + 2 * parts.length) * WORD_BYTES;
  const bytes = new Uint8Array(head + parts.reduce((sum, part) => sum + part.bytes.length, 0));
  const words = [VERSION, parts.length, ...parts.flatMap((part) => [part.from, part.bytes.length])];
  const view = new DataView(bytes.buffer);
  for (const [place, word] of words.entries()) view.setUint32(place * WORD_BYTES, word, true);
  let at = head;
  for (const part of parts) {
    bytes.set(part.bytes, at);
    at += part.bytes.length;
  }
  return bytes;
}

/** Null for another version, or truncated bytes. */
export function decodeMerged(bytes: Uint8Array): Part[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 2 * WORD_BYTES) return null;
  if (view.getUint32(0, true) !== VERSION) return null;
  const count = view.getUint32(WORD_BYTES, true);
  let at = (2 + 2 * count) * WORD_BYTES;
  if (bytes.length < at) return null;
  const parts: Part[] = [];
  for (let part = 0; part < count; part += 1) {
    const [from, length] = [2 + 2 * part, 3 + 2 * part].map((word) => view.getUint32(word * WORD_BYTES, true));
    if (from === undefined || length === undefined) return null;
    parts.push({ from, bytes: bytes.subarray(at, at + length) });
    at += length;
  }
  return at === bytes.length ? parts : null;
}

/** Appended columns between the status and a row's own. `policy`: only if the job ran one. */
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
];

/** Spreadsheets execute a cell that starts with one of these (OWASP, CSV injection; the last four are full width). */
const RUNS = /^[=+\-@\t\r\n＝＋－＠]/u;
const inert = (cell: string): string => (RUNS.test(cell) ? `'${cell}` : cell);

const columns = (hasPolicy: boolean) => COLUMNS.filter(({ policy }) => hasPolicy || policy === undefined);

export const headerCells = (hasPolicy: boolean): string[] => [
  'svc_status',
  ...columns(hasPolicy).map(({ name }) => name),
  'svc_trace_id',
  'svc_did_you_mean',
  'svc_basis',
  'svc_warning',
];

/**
 * Makes rows' new cells; `null`: not reached. Rows of one kind share all but the last four.
 * @param corrections the corrected address of each number whose domain is a typo
 */
export function cellsMaker(
  hasPolicy: boolean,
  corrections: ReadonlyMap<number, string>,
): (number: number, row: RowResult | null) => NewCells {
  const names = columns(hasPolicy);
  const alone = (status: string): NewCells => ({ shared: [status, ...names.map(() => '')], own: ['', '', '', ''] });
  const [skipped, none, error] = [alone('skipped'), alone(''), alone('error')];
  const made = new WeakMap<RowKind, readonly string[]>();
  return (number, row) => {
    if (number === SKIPPED_ROW) return skipped;
    if (row === null) return none;
    const { kind, traceId } = row;
    if (kind.status === 'error') return error;
    const known = made.get(kind);
    const shared = known ?? ['ok', ...names.map(({ cell }) => cell(kind))];
    if (known === undefined) made.set(kind, shared);
    return { shared, own: [traceId ?? '', inert(corrections.get(number) ?? ''), kind.basis, kind.warning ?? ''] };
  };
}
