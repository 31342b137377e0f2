import type { BulkErrorCode } from '../../contract/bulk.ts';
import type { Unasked } from '../../contract/vocabulary.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyIdentity } from '../access/key-record.ts';
import type { OrganisationSettings } from '../metering/organisation-settings.ts';
import type { LayoutHints } from './csv/detect.ts';
import type { StoredUpload } from './files.ts';
import type { Job } from './job.ts';

/** How many sampled addresses had evidence, the expected cost of one without, and when that was found. */
export interface CachedSample {
  readonly addresses: number;
  readonly cached: number;
  readonly expectedMicros: number;
  /** Why no provider would be asked about any of them; null: one would be. */
  readonly unasked: Unasked | null;
  readonly at: number;
}

/** A job with the fields that its transitions don't read. */
export interface JobRecord {
  readonly job: Job;
  /** The key that created it. */
  readonly owner: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  /**
   * What the caller said about the file beforehand. A column's name becomes '' once the file is read or the job has
   * ended.
   */
  readonly wishes: LayoutHints;
  readonly upload: StoredUpload | null;
  readonly sample: CachedSample | null;
  /** The policy's version in force when the job began, used for all rows; null before that, and without a policy. */
  readonly policyVersion: number | null;
}

/** A job as the outbox holds it. */
export interface ProjectedJob {
  readonly organisationId: Id<'org'>;
  /** Counts the writes of a job, so that an older write is ignored. */
  readonly version: number;
  readonly record: JobRecord;
}

/** What a reading found in an upload. */
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
  /** `expire` works only once the files' retention is over. */
  | { readonly kind: 'resume' | 'cancel' | 'remove' | 'expire' };

export type Moved =
  /** `replaced`: the reading that a `change` has replaced. */
  | { readonly ok: true; readonly record: JobRecord; readonly replaced?: string }
  | { readonly ok: false; readonly why: 'missing' | 'state' | 'no_email_column' | 'no_policy' | 'quota' };

/** A range's results, and the lease they were written under. */
export interface ResultPart {
  readonly from: number;
  readonly to: number;
  readonly lease: string;
}
