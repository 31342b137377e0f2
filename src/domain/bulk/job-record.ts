import type { BulkErrorCode } from '../../contract/bulk.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyIdentity } from '../access/key-record.ts';
import type { OrganisationSettings } from '../metering/organisation-settings.ts';
import type { LayoutHints } from './csv/detect.ts';
import type { StoredUpload } from './files.ts';
import type { Job } from './job.ts';

/** How many of a sample's addresses had evidence, what one without is expected to cost, and when that was found. */
export interface CachedSample {
  readonly addresses: number;
  readonly cached: number;
  readonly expectedMicros: number;
  readonly at: number;
}

/** A job with what its transitions do not read. */
export interface JobRecord {
  readonly job: Job;
  /** The key that created it. */
  readonly owner: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  /** What was said of the file before there was one. Once it was read, or the job has ended without, a column's name is ''. */
  readonly wishes: LayoutHints;
  readonly upload: StoredUpload | null;
  readonly sample: CachedSample | null;
  /** Of the policy it runs: the version in force when it began, for all of its rows; null before that, and without one. */
  readonly policyVersion: number | null;
}

/** A job as the outbox holds it. */
export interface ProjectedJob {
  readonly organisationId: Id<'org'>;
  /** Counts a job's writings, so that an older one changes nothing. */
  readonly version: number;
  readonly record: JobRecord;
}

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
