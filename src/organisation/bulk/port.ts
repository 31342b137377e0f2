import type { BulkErrorCode, BulkState } from '../../contract/bulk.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import type { StoredUpload } from '../../domain/bulk/files.ts';
import type { Job } from '../../domain/bulk/job.ts';
import type { CachedSample, JobRecord, ProjectedJob } from '../../domain/bulk/job-record.ts';
import type { Claim, Outcome } from '../../domain/bulk/ranges.ts';
import type { RuleMatch } from '../../domain/rules/types.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PORT_VERSION, PolicyInForce, RuleProbe } from '../port.ts';

/** What was read of an upload. */
export interface ReadFile {
  readonly upload: StoredUpload;
  readonly file: NonNullable<Job['file']>;
}

/** A step that the caller asks for. */
export type JobMove =
  | ({ readonly kind: 'read' } & ReadFile)
  | { readonly kind: 'unreadable'; readonly error: BulkErrorCode }
  | {
      readonly kind: 'change';
      readonly name?: string | null;
      readonly policySlug?: string | null;
      readonly reread: ReadFile | null;
    }
  | { readonly kind: 'start'; readonly allowPartial: boolean; readonly notify: boolean }
  /** `expire`: only once the files' time is over. */
  | { readonly kind: 'resume' | 'cancel' | 'remove' | 'expire' };

export type Moved =
  /** `replaced`: the reading that was in force before a `change` with another. */
  | { readonly ok: true; readonly record: JobRecord; readonly replaced?: string }
  | { readonly ok: false; readonly why: 'missing' | 'state' | 'no_email_column' | 'no_policy' | 'quota' };

/** A range's results as its holder left them. */
export interface ResultPart {
  readonly from: number;
  readonly to: number;
  readonly lease: string;
}

/** What enrichment cost of what was reserved for an address. */
export interface SettledEnrichment {
  /** The trace that it was reserved under. */
  readonly requestId: string;
  readonly spentMicros: number;
}

interface RangeCall {
  readonly id: Id<'bj'>;
  readonly range: number;
  readonly lease: string;
}

/** What is asked of an organisation's object about its jobs. Each call is safe to repeat. */
export type BulkCall = { readonly v: typeof PORT_VERSION } & (
  | { readonly do: 'create'; readonly record: JobRecord }
  | { readonly do: 'find'; readonly id: Id<'bj'> }
  | {
      readonly do: 'list';
      readonly mode: KeyIdentity['mode'];
      readonly state: BulkState | null;
      readonly limit: number;
      readonly before: Id<'bj'> | null;
    }
  | { readonly do: 'move'; readonly operationId: string; readonly id: Id<'bj'>; readonly move: JobMove }
  | { readonly do: 'note_sample'; readonly id: Id<'bj'>; readonly sample: CachedSample }
  | { readonly do: 'claim'; readonly id: Id<'bj'>; readonly lease: string }
  | ({ readonly do: 'renew' } & RangeCall)
  | ({
      readonly do: 'finish';
      readonly outcome: Outcome;
      readonly spendMicros: number;
      readonly enrichment: readonly SettledEnrichment[];
      /** Of each address that was checked: the trace's id and record. */
      readonly traces: readonly (readonly [id: string, record: string])[];
    } & RangeCall)
  | ({
      readonly do: 'fail';
      readonly retryAt: number;
      /** What vendors may bill for addresses that are tried again. The release before sends none. */
      readonly spendMicros?: number;
    } & RangeCall)
  | { readonly do: 'match_rules'; readonly probes: readonly RuleProbe[] }
  | { readonly do: 'list_results'; readonly id: Id<'bj'> }
  | { readonly do: 'restore'; readonly jobs: readonly Omit<ProjectedJob, 'organisationId'>[] }
);

interface BulkAnswers {
  create: JobRecord;
  /** Before a job has begun `policyVersion` is the one now in force. */
  find: JobRecord | null;
  /** Newest first. */
  list: readonly JobRecord[];
  move: Moved;
  note_sample: null;
  /** Null: nothing to do now. `calibration`: of the fitted model in force, as `admit` tells it. */
  claim: {
    readonly claim: Claim;
    readonly record: JobRecord;
    readonly policy: PolicyInForce | null;
    readonly calibration: string | null;
  } | null;
  renew: boolean;
  /** `lost`: the lease has ended; nothing changed. `last`: the job is done with it. */
  finish: 'lost' | 'kept' | 'last';
  fail: boolean;
  match_rules: readonly RuleMatch[];
  list_results: readonly ResultPart[];
  restore: null;
}
export type BulkAnswer<C extends BulkCall> = BulkAnswers[C['do']];

/** The jobs of an account, as the rest of the service sees them. */
export interface BulkPort {
  bulk<C extends BulkCall>(call: C): Promise<BulkAnswer<C>>;
}
