import type { Features, StoredPolicyDecision, Trace, TraceRow } from '../../contract/traces.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { type Id, idTimeMs } from '../../kernel/ids.ts';
import { type KeyIdentity, seesWholeOrganisation } from '../access/keys.ts';
import { usd } from '../metering/usage.ts';
import type { TraceDetail, TraceRecord } from './record.ts';

/** Whether a key may read a trace: only of its mode, and a manual or service key below admin only what it wrote. */
export const maySeeTrace = (key: KeyIdentity, trace: Pick<TraceRecord, 'mode' | 'keyId'>): boolean =>
  trace.mode === key.mode && (seesWholeOrganisation(key) || trace.keyId === key.id);

export function traceRow(record: Omit<TraceRecord, 'detail'>): TraceRow {
  return {
    trace_id: record.id,
    verification_trace_id: record.verificationId,
    kind: record.kind,
    // Lists are in the order of the ids. A row of a file that was tried again has its range's first time there.
    created_at: epochSeconds(idTimeMs(record.id)),
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

/** The decision of a trace that `/v1/decide` or a bulk job wrote; null for every other trace. */
export const decidedBy = (
  by: 'decide' | 'bulk',
  { kind, policyDecision }: Pick<TraceRecord, 'kind' | 'policyDecision'>,
): StoredPolicyDecision | null =>
  kind === by && policyDecision ? { ...policyDecision, attributes: policyDecision.attributes ?? null } : null;

/** The providers in the order they were asked, as in the answer: Postgres' `jsonb` loses the order. */
function shownProviders({ providers, route }: TraceDetail): Trace['providers'] {
  const asked = (route ?? []).map(({ choice }) => choice);
  const placeOf = (provider: string): number => asked.indexOf(provider);
  return providers && Object.fromEntries(Object.entries(providers).sort(([a], [b]) => placeOf(a) - placeOf(b)));
}

function shownFeatures({ features }: TraceDetail, evidence: Features['evidence']): Features {
  const { groups: _, losses, ...rest } = features;
  return { ...rest, evidence, losses };
}

/** Of what has no mask of its own, broken syntax or an erased address, that there was a correction is all that is told. */
const maskedCorrection = ({ display, meantDomain }: TraceRecord): Trace['did_you_mean'] => {
  if (meantDomain === null) return null;
  const at = display.lastIndexOf('@');
  return at === -1 ? display : `${display.slice(0, at)}@${meantDomain}`;
};

/** `evidenceOf`: why the number is what it is. */
export function traceBody(
  record: TraceRecord,
  outcome: Trace['outcome'],
  evidenceOf: (detail: TraceDetail) => Features['evidence'],
): Trace {
  const { detail } = record;
  return {
    ...traceRow(record),
    sent_to: record.sentTo.split(' ').filter((id) => id !== ''),
    did_you_mean: maskedCorrection(record),
    confidence_interval: detail?.confidenceInterval ?? null,
    signals: detail?.signals ?? null,
    providers: detail && shownProviders(detail),
    provider_failures: detail?.providerFailures ?? null,
    features: detail && shownFeatures(detail, evidenceOf(detail)),
    route: detail?.route ?? null,
    policy_decision: decidedBy('decide', record),
    bulk_decision: decidedBy('bulk', record),
    outcome,
    reasons: detail?.reasons ?? null,
    disagreement: detail?.disagreement ?? null,
    calibration: detail?.calibration ?? null,
    context: detail?.context ?? null,
  };
}

/** The mask of an address that is erased. */
const ERASED = '•••';

/** A trace cut off from its address before it is stored, as `forgetTraces` leaves one that was. */
export const withoutAddress = (trace: TraceRecord): TraceRecord => ({
  ...trace,
  addressHash: null,
  display: ERASED,
  domain: '',
  meantDomain: trace.meantDomain === null ? null : '',
  backEnds: null,
  policyDecision: trace.policyDecision && withoutPerson(trace.policyDecision),
});

function withoutPerson(decision: StoredPolicyDecision): StoredPolicyDecision {
  const { company: _, person: __, ...rest } = decision;
  return { ...rest, attributes: null };
}

const SAMPLES_MAX = 20;

/** What a simulation says of the traces whose word (a decision, a recommendation) would be another. */
export interface Changes<W extends string> {
  /** Takes one trace; the order of traces changes the samples alone. */
  note(id: Id<'vr' | 'dc'>, from: W, to: W): void;
  /** The most frequent pair first, and the first traces that came. */
  result(): {
    readonly changed: { from: W; to: W; count: number }[];
    readonly sample_trace_ids: Id<'vr' | 'dc'>[];
  };
}

export function countChanges<W extends string>(): Changes<W> {
  const changed = new Map<string, { from: W; to: W; count: number }>();
  const samples: Id<'vr' | 'dc'>[] = [];
  return {
    note: (id, from, to) => {
      if (from === to) return;
      const pair = changed.get(`${from} ${to}`) ?? { from, to, count: 0 };
      pair.count += 1;
      changed.set(`${from} ${to}`, pair);
      if (samples.length < SAMPLES_MAX) samples.push(id);
    },
    result: () => ({
      changed: [...changed.values()].map((pair) => ({ ...pair })).sort((a, b) => b.count - a.count),
      sample_trace_ids: [...samples],
    }),
  };
}
