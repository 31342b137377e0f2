import type { Features, StoredPolicyDecision, Trace, TraceRow } from '../../contract/traces.ts';
import type { Verification } from '../../contract/verification.ts';
import type { Purpose } from '../../contract/vocabulary.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { asciiJson } from '../../kernel/encoding.ts';
import { type Id, idTimeMs } from '../../kernel/ids.ts';
import { type KeyMode, type KeyIdentity, seesWholeOrganisation } from '../access/keys.ts';
import { usd } from '../metering/usage.ts';

/**
 * A decision as stored: the answer and its inputs, without the address. Times in epoch milliseconds, money in micros.
 * `detail` is stored 90 days, the rest 400.
 */
export interface TraceRecord {
  readonly id: Id<'vr'> | Id<'dc'>;
  readonly organisationId: Id<'org'>;
  readonly verificationId: Id<'vr'> | null;
  readonly kind: Trace['kind'];
  readonly mode: KeyMode;
  /** Null if the object was unreachable while the answer was made. */
  readonly keyId: Id<'key'> | null;
  readonly createdAt: number;
  readonly addressHash: string | null;
  readonly display: string;
  readonly domain: string;
  /** The domain of `did_you_mean`, cleared along with `domain`; null without one. */
  readonly meantDomain: string | null;
  readonly verdict: Trace['verdict'];
  readonly bounceProbability: number;
  readonly recommendation: Trace['recommendation'];
  readonly reason: Trace['reason'];
  readonly emailType: Trace['email_type'];
  readonly esp: Trace['esp'];
  readonly costMicros: number;
  readonly latencyMs: number;
  readonly cacheHit: boolean;
  readonly degraded: boolean;
  readonly bulkJobId: Id<'bj'> | null;
  /** Null without a policy. Stored as long as the rest. */
  readonly policyDecision: StoredPolicyDecision | null;
  /** Inputs of segments beside the decision. */
  readonly actorClass: Verification['actor_class'];
  readonly mailboxType: Verification['mailbox_type'];
  readonly disposable: boolean;
  readonly roleAccount: boolean;
  /** The row of the tables; null where a finding or a rule settled the number. */
  readonly hostClass: string | null;
  /** Input of the nightly jobs: the back ends' names, separated by spaces, or null. */
  readonly backEnds: string | null;
  /** Vendors that received the address, by their ids in `GET /v1/subprocessors`, separated by spaces. */
  readonly sentTo: string;
  /** The history's new observation; null where a finding or a rule settled the number. */
  readonly observation: TraceObservation | null;
  /** Null once it is too old, or after a long outage filled the outbox. */
  readonly detail: TraceDetail | null;
}

/** What an account's history is rebuilt from, beside the other fields. */
interface TraceObservation {
  readonly purpose: Purpose;
  readonly features: readonly string[];
  /** The providers' answers in this request, with their time. */
  readonly answers: readonly {
    readonly provider: string;
    readonly verdict: string;
    readonly catch_all?: boolean;
    readonly full?: true;
    readonly warning?: string;
    readonly at: number;
  }[];
}

/** The evidence is recomputed when a trace is read. `groups`: the groups' log-odds, or null. */
type StoredFeatures = Omit<Features, 'evidence'> & { readonly groups: readonly number[] | null };

export interface TraceDetail {
  readonly confidenceInterval: Trace['confidence_interval'];
  readonly signals: Trace['signals'];
  readonly providers: Trace['providers'];
  readonly providerFailures: Trace['provider_failures'];
  readonly features: StoredFeatures;
  readonly route: Trace['route'];
  readonly reasons: Trace['reasons'];
  readonly disagreement: number;
  readonly calibration: Trace['calibration'];
  readonly context: Trace['context'];
}

/** The fields that a policy's rules can read, in this order. */
export const DECIDABLE = [
  'id',
  'kind',
  'verificationId',
  'addressHash',
  'verdict',
  'bounceProbability',
  'recommendation',
  'reason',
  'emailType',
  'esp',
  'actorClass',
  'mailboxType',
  'costMicros',
  'latencyMs',
  'cacheHit',
  'degraded',
  'policyDecision',
  'disposable',
  'roleAccount',
  'meantDomain',
] as const;
export const DECIDABLE_DETAIL = ['signals', 'reasons', 'disagreement', 'calibration', 'context'] as const;

export type DecidableTrace = Pick<TraceRecord, (typeof DECIDABLE)[number]> & {
  readonly detail: Pick<TraceDetail, (typeof DECIDABLE_DETAIL)[number]> | null;
};

/**
 * A record for the outbox, in ASCII: the mask's `•••` would make the runtime hold the whole text in two bytes a
 * character, and a chunk of a bulk job has a hundred records.
 */
export const traceJson = ({ display, ...rest }: TraceRecord): string =>
  `{"display":${asciiJson(JSON.stringify(display))},${JSON.stringify(rest).slice(1)}`;

/** Whether a key may read a trace: those of its mode; a manual or service key below admin only its own. */
export const maySeeTrace = (key: KeyIdentity, trace: Pick<TraceRecord, 'mode' | 'keyId'>): boolean =>
  trace.mode === key.mode && (seesWholeOrganisation(key) || trace.keyId === key.id);

export function traceRow(record: Omit<TraceRecord, 'detail'>): TraceRow {
  return {
    trace_id: record.id,
    verification_trace_id: record.verificationId,
    kind: record.kind,
    // Lists are ordered by id. A retried row of a file has its chunk's first time.
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

/** The providers in the order they were asked: Postgres' `jsonb` loses it. */
function shownProviders({ providers, route }: TraceDetail): Trace['providers'] {
  const asked = (route ?? []).map(({ choice }) => choice);
  const placeOf = (provider: string): number => asked.indexOf(provider);
  return providers && Object.fromEntries(Object.entries(providers).sort(([a], [b]) => placeOf(a) - placeOf(b)));
}

function shownFeatures({ features }: TraceDetail, evidence: Features['evidence']): Features {
  const { groups: _, losses, ...rest } = features;
  return { ...rest, evidence, losses };
}

/** Without a mask (invalid syntax, an erased address) only the existence of a correction is shown. */
const maskedCorrection = ({ display, meantDomain }: TraceRecord): Trace['did_you_mean'] => {
  if (meantDomain === null) return null;
  const at = display.lastIndexOf('@');
  return at === -1 ? display : `${display.slice(0, at)}@${meantDomain}`;
};

/** `evidenceOf`: the evidence behind the number. */
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

const ERASED = '•••';

/** A trace without its address before it is stored, equal to what `forgetTraces` leaves. */
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

/** Simulated traces whose decision or recommendation would change. */
export interface Changes<W extends string> {
  /** Takes a trace; order affects only the samples. */
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
