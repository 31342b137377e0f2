import type { JobRecord } from '../domain/bulk/job-record.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Counters } from '../kernel/counters.ts';
import type { Id } from '../kernel/ids.ts';
import type { OutboxRow, WriteFailure } from '../storage/outbox-row.ts';

/** What an organisation's object needs beyond its own storage. */
export interface ObjectServices {
  readonly now: Clock;
  /** How far service time is ahead of the machine's clock, which alarms follow. */
  readonly clockOffsetMs: number;
  readonly counters: Counters;
  wakeJobs(organisation: Id<'org'>, jobs: readonly Id<'bj'>[]): Promise<void>;
  deleteJobFiles(organisation: Id<'org'>, job: Id<'bj'>): Promise<void>;
  /** False: try again later. */
  sendJobMail(record: JobRecord): Promise<boolean>;
  writeOutbox(kind: OutboxRow['kind'], rows: readonly OutboxRow[]): Promise<WriteFailure | null>;
  /** Cuts addresses off from their rows in Postgres, by their hashes; false: try again later. */
  erase(organisation: Id<'org'>, addressHashes: readonly string[]): Promise<boolean>;
}
