import type { Features, StoredPolicyDecision, Trace } from '../../contract/traces.ts';
import type { Verification } from '../../contract/verification.ts';
import type { Purpose } from '../../contract/vocabulary.ts';
import { asciiJson } from '../../kernel/encoding.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';

/**
 * A decision as it is kept: the answer and what it was made from, without the address. Times in epoch milliseconds, money
 * in micros. `detail` is kept 90 days, the rest 400.
 */
export interface TraceRecord {
  readonly id: Id<'vr'> | Id<'dc'>;
  readonly organisationId: Id<'org'>;
  readonly verificationId: Id<'vr'> | null;
  readonly kind: Trace['kind'];
  readonly mode: KeyMode;
  /** Null when the object could not be reached while the answer was made. */
  readonly keyId: Id<'key'> | null;
  readonly createdAt: number;
  readonly addressHash: string | null;
  readonly display: string;
  readonly domain: string;
  /** The domain of `did_you_mean`, empty as `domain` is; null without one. */
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
  /** What a policy decided; null without a policy. Kept as long as the rest. */
  readonly policyDecision: StoredPolicyDecision | null;
  /** What segments read beside the decision. */
  readonly actorClass: Verification['actor_class'];
  readonly mailboxType: Verification['mailbox_type'];
  readonly disposable: boolean;
  readonly roleAccount: boolean;
  /** The row of the tables. Null where a finding or a rule settled the number. */
  readonly hostClass: string | null;
  /** What the night learns from: the names of what stands behind the mail hosts, between blanks. Null: none. */
  readonly backEnds: string | null;
  /** Vendors that were sent the address, as `GET /v1/subprocessors` names them, between blanks. */
  readonly sentTo: string;
  /** What the address's history gained; null where a finding or a rule settled the number. */
  readonly observation: TraceObservation | null;
  /** Null once it is too old, or when a long outage filled the outbox. */
  readonly detail: TraceDetail | null;
}

/** What an account's history is rebuilt from, beside the other fields. */
export interface TraceObservation {
  readonly purpose: Purpose;
  readonly features: readonly string[];
  /** What providers said for this answer, with its time. */
  readonly answers: readonly {
    readonly provider: string;
    readonly verdict: string;
    readonly catch_all?: boolean;
    readonly full?: true;
    readonly warning?: string;
    readonly at: number;
  }[];
}

/** The evidence follows from the rest when a trace is read. `groups`: what the groups made of the log-odds; null: nothing. */
export type StoredFeatures = Omit<Features, 'evidence'> & { readonly groups: readonly number[] | null };

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

/** The fields of a trace that a policy's rules can read, in this order. */
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

/** A trace as a simulation reads it. */
export type DecidableTrace = Pick<TraceRecord, (typeof DECIDABLE)[number]> & {
  readonly detail: Pick<TraceDetail, (typeof DECIDABLE_DETAIL)[number]> | null;
};

/**
 * A record as the outbox takes it, in ASCII: the mask's `•••` would make the runtime hold the whole text in two bytes a
 * character, and a range of a bulk job has a hundred records.
 */
export const traceJson = ({ display, ...rest }: TraceRecord): string =>
  `{"display":${asciiJson(JSON.stringify(display))},${JSON.stringify(rest).slice(1)}`;
