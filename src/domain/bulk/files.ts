import type { Id } from '../../kernel/ids.ts';

/** Where a job's files stand. Every upload, reading and range result has a place of its own, so that no two ever mix. */

export const ORGANISATIONS_PREFIX = 'orgs/';
export const organisationPrefix = (organisation: Id<'org'>): string => `${ORGANISATIONS_PREFIX}${organisation}/`;
export const jobsPrefix = (organisation: Id<'org'>): string => `${organisationPrefix(organisation)}jobs/`;

export const jobPrefix = (organisation: Id<'org'>, job: Id<'bj'>): string => `${jobsPrefix(organisation)}${job}/`;

/** The file a job was read from, and what one pass over it wrote. */
export interface StoredUpload {
  /** Names the upload, and the reading of it. */
  readonly attempt: string;
  readonly reading: string;
  /** Made of pasted cells: a `'` before what a spreadsheet would run is not part of the cell. */
  readonly isPasted?: boolean;
}

export const uploadKey = (prefix: string, attempt: string): string => `${prefix}uploads/${attempt}`;
export const rowIndexKey = (prefix: string, reading: string): string => `${prefix}readings/${reading}/index.bin`;
export const addressesKey = (prefix: string, reading: string): string => `${prefix}readings/${reading}/addresses.bin`;
/** Of the range that begins with this address, as the holder of the lease left it. */
export const resultsKey = (prefix: string, from: number, lease: string): string => `${prefix}results/${from}-${lease}`;
/** The results of all ranges of a job that is done. */
export const mergedKey = (prefix: string): string => `${prefix}results/all`;
/** What was paid for of a range that has no result yet. */
export const checkpointKey = (prefix: string, from: number): string => `${prefix}checkpoints/${from}`;

export const UPLOAD_BYTES_MAX = 50 * 2 ** 20;
