import type { BulkErrorCode } from '../../contract/bulk.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyIdentity } from '../access/keys.ts';
import type { OrganisationSettings } from '../metering/organisation-settings.ts';
import type { LayoutHints } from './csv/detect.ts';
import type { Job } from './job.ts';

/** R2 keys of a job's files. Every upload, reading and chunk result has its own key, so that two never mix. */

export const ORGANISATIONS_PREFIX = 'orgs/';
export const organisationPrefix = (organisation: Id<'org'>): string => `${ORGANISATIONS_PREFIX}${organisation}/`;
export const jobsPrefix = (organisation: Id<'org'>): string => `${organisationPrefix(organisation)}jobs/`;

export const jobPrefix = (organisation: Id<'org'>, job: Id<'bj'>): string => `${jobsPrefix(organisation)}${job}/`;

/** A job's upload, and the files of one reading of it. */
export interface StoredUpload {
  /** The id of the upload and its reading. */
  readonly attempt: string;
  readonly reading: string;
  /** Made from pasted addresses: a `'` before a formula is not part of the cell. */
  readonly isPasted?: boolean;
}

export const uploadKey = (prefix: string, attempt: string): string => `${prefix}uploads/${attempt}`;
export const rowIndexKey = (prefix: string, reading: string): string => `${prefix}readings/${reading}/index.bin`;
export const addressesKey = (prefix: string, reading: string): string => `${prefix}readings/${reading}/addresses.bin`;
/** The results of the chunk that starts with this address, written under this lease. */
export const resultsKey = (prefix: string, from: number, lease: string): string => `${prefix}results/${from}-${lease}`;
export const mergedKey = (prefix: string): string => `${prefix}results/all`;
/** The paid answers of an unfinished chunk. */
export const checkpointKey = (prefix: string, from: number): string => `${prefix}checkpoints/${from}`;

export const UPLOAD_BYTES_MAX = 50 * 2 ** 20;

/** What a sample showed: addresses with evidence, and the expected cost of one without. */
export interface CachedSample {
  readonly addresses: number;
  readonly cached: number;
  /** The mean cost of an address that a provider would be asked about. */
  readonly expectedMicros: number;
  /** Addresses that no provider would be asked about, by reason. */
  readonly settled: Readonly<Record<'terminal' | 'rule' | 'recent' | 'catch_all', number>>;
  readonly at: number;
}

/** A job with the fields that its transitions don't read. */
export interface JobRecord {
  readonly job: Job;
  readonly owner: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  /** The caller's hints about the file. A column's name becomes '' once the file is read or the job has ended. */
  readonly wishes: LayoutHints;
  readonly upload: StoredUpload | null;
  readonly sample: CachedSample | null;
  /** The policy's version at the start, used for all rows; null before, and without a policy. */
  readonly policyVersion: number | null;
}

export interface ProjectedJob {
  readonly organisationId: Id<'org'>;
  /** Counts writes, so that an older one is ignored. */
  readonly version: number;
  readonly record: JobRecord;
}

export interface ReadFile {
  readonly upload: StoredUpload;
  readonly file: NonNullable<Job['file']>;
}

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
  /** `expire` requires that the files' retention is over. */
  | { readonly kind: 'resume' | 'cancel' | 'remove' | 'expire' };

export type Moved =
  /** `replaced`: the reading that a `change` replaced. */
  | { readonly ok: true; readonly record: JobRecord; readonly replaced?: string }
  | { readonly ok: false; readonly why: 'missing' | 'state' | 'no_email_column' | 'no_policy' | 'quota' };

/** A chunk's results, and the lease they were written under. */
export interface ResultPart {
  readonly from: number;
  readonly to: number;
  readonly lease: string;
}
