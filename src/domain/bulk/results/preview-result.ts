import type { BulkPreview } from '../../../contract/bulk.ts';
import type { RowResult } from './row-result.ts';

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

/** What a preview says of a row. Null: the job has not come to it. `correction`: of a slip, the corrected address. */
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
