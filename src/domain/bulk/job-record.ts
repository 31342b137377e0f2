import type { Id } from '../../kernel/ids.ts';
import type { KeyIdentity } from '../access/key-record.ts';
import type { OrganisationSettings } from '../metering/organisation-settings.ts';
import type { ReadingWishes } from './csv/detect.ts';
import type { StoredUpload } from './files.ts';
import type { Job } from './job.ts';

/** How many of a sample's addresses had evidence, what one without is expected to cost, and when that was found. */
export interface CachedSample {
  readonly addresses: number;
  readonly cached: number;
  readonly expectedMicros: number;
  readonly at: number;
}

/** A job with what its transitions need not know. */
export interface JobRecord {
  readonly job: Job;
  /** The key that created it. */
  readonly owner: KeyIdentity;
  readonly organisation: Pick<OrganisationSettings, 'id' | 'accountId' | 'name'>;
  /** What was said of the file before there was one. Once it was read, or the job has ended without, a column's name is ''. */
  readonly wishes: ReadingWishes;
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
