import type { Id } from '../../kernel/ids.ts';

/** The keys of a job's files. Every upload, reading and range result has a key of its own, so that two never mix. */

export const ORGANISATIONS_PREFIX = 'orgs/';
export const organisationPrefix = (organisation: Id<'org'>): string => `${ORGANISATIONS_PREFIX}${organisation}/`;
export const jobsPrefix = (organisation: Id<'org'>): string => `${organisationPrefix(organisation)}jobs/`;

export const jobPrefix = (organisation: Id<'org'>, job: Id<'bj'>): string => `${jobsPrefix(organisation)}${job}/`;

/** A job's upload, and the files that one reading of it wrote. */
export interface StoredUpload {
  /** The id of the upload and its reading. */
  readonly attempt: string;
  readonly reading: string;
  /** The file was made from pasted addresses: a `'` before a formula is not part of the cell. */
  readonly isPasted?: boolean;
}

export const uploadKey = (prefix: string, attempt: string): string => `${prefix}uploads/${attempt}`;
export const rowIndexKey = (prefix: string, reading: string): string => `${prefix}readings/${reading}/index.bin`;
export const addressesKey = (prefix: string, reading: string): string => `${prefix}readings/${reading}/addresses.bin`;
/** The results of the range that begins with this address, written under this lease. */
export const resultsKey = (prefix: string, from: number, lease: string): string => `${prefix}results/${from}-${lease}`;
/** The results of all ranges of a finished job. */
export const mergedKey = (prefix: string): string => `${prefix}results/all`;
/** The paid answers of a range that is still without a result. */
export const checkpointKey = (prefix: string, from: number): string => `${prefix}checkpoints/${from}`;

export const UPLOAD_BYTES_MAX = 50 * 2 ** 20;
