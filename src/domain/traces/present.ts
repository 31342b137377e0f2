import type { StoredPolicyDecision, Trace, TraceRow } from '../../contract/traces.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { type KeyIdentity, seesWholeOrganisation } from '../access/index.ts';
import { usd } from '../metering/index.ts';
import type { TraceRecord } from './record.ts';

/** Whether a key may read a trace: its own mode's only, and below admin a manual or service key only what it wrote. */
export const maySeeTrace = (key: KeyIdentity, trace: Pick<TraceRecord, 'mode' | 'keyId'>): boolean =>
  trace.mode === key.mode && (seesWholeOrganisation(key) || trace.keyId === key.id);

export function traceRow(record: Omit<TraceRecord, 'detail'>): TraceRow {
  return {
    trace_id: record.id,
    verification_trace_id: record.verificationId,
    kind: record.kind,
    created_at: epochSeconds(record.createdAt),
    display: record.display,
    domain: record.domain,
    verdict: record.verdict,
    bounce_probability: record.bounceProbability,
    recommendation: record.recommendation,
    reason: record.reason,
    email_type: record.emailType,
    esp: record.esp,
    cost_usd: usd(record.costMicros),
    latency_ms: record.latencyMs,
    cache_hit: record.cacheHit,
    degraded: record.degraded,
    bulk_job_id: record.bulkJobId,
  };
}

/** Of a trace that `/v1/decide` wrote; null of every other. */
export const decidedBy = ({
  kind,
  policyDecision,
}: Pick<TraceRecord, 'kind' | 'policyDecision'>): StoredPolicyDecision | null =>
  kind === 'decide' && policyDecision ? { ...policyDecision, attributes: policyDecision.attributes ?? null } : null;

export function traceBody(record: TraceRecord, outcome: Trace['outcome']): Trace {
  const { detail } = record;
  return {
    ...traceRow(record),
    confidence_interval: detail?.confidenceInterval ?? null,
    signals: detail?.signals ?? null,
    providers: detail?.providers ?? null,
    provider_failures: detail?.providerFailures ?? null,
    features: detail?.features ?? null,
    route: detail?.route ?? null,
    policy_decision: decidedBy(record),
    outcome,
    reasons: detail?.reasons ?? null,
    disagreement: detail?.disagreement ?? null,
    calibration: detail?.calibration ?? null,
    context: detail?.context ?? null,
  };
}
