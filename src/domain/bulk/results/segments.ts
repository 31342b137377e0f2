import type { BulkPreview } from '../../../contract/bulk.ts';
import { isTerminal } from '../../answer/precheck.ts';
import type { RowKind, RowResult } from './row-result.ts';

type Checked = Extract<RowKind, { status: 'ok' }>;
type Segment = (result: Checked) => boolean;

/** By the verification's recommendation. */
const WITHOUT_POLICY: Readonly<Record<string, Segment>> = {
  deliverable: ({ recommendation }) => recommendation === 'send',
  undeliverable: ({ recommendation, reason }) => recommendation === 'drop' || (reason !== null && isTerminal(reason)),
  review: ({ recommendation }) => recommendation === 'hold' || recommendation === 'challenge',
};

/** By the policy's decision. */
const WITH_POLICY: Readonly<Record<string, Segment>> = {
  allow: ({ decision }) => decision?.decision === 'allow' || decision?.decision === 'allow_with_flow',
  deny: ({ decision }) => decision?.decision === 'deny',
  review: ({ decision }) => decision?.decision === 'review' || decision?.decision === 'challenge',
};

const ALWAYS: Readonly<Record<string, Segment>> = { business: ({ emailType }) => emailType === 'business' };

/** The segments of a job beside `all`. */
export const segmentsOf = (hasPolicy: boolean): Readonly<Record<string, Segment>> => ({
  ...(hasPolicy ? WITH_POLICY : WITHOUT_POLICY),
  ...ALWAYS,
});

/** The segments whose addresses may be blocked. */
export const blockableOf = (hasPolicy: boolean): readonly string[] => [hasPolicy ? 'deny' : 'undeliverable', 'review'];

/** Tests whether a row belongs to the segment; only checked rows do. Null: the segment does not exist. */
export function segment(name: string, hasPolicy: boolean): ((row: RowKind | null) => boolean) | null {
  const segments = segmentsOf(hasPolicy);
  const test = Object.hasOwn(segments, name) ? segments[name] : undefined;
  return test === undefined ? null : (row) => row?.status === 'ok' && test(row);
}

/** Whether the row's address can be a rule; one with broken syntax can't. */
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

/** What a preview says of a row. Null: the job has not come to it. `correction`: of a typo, the corrected address. */
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
