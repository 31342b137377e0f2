import type { OrganisationSettings } from '../../domain/metering/organisation-settings.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { ObjectServices } from '../services.ts';
import type { Timers } from '../timers.ts';
import { BulkJobStore, type BulkJobStoreDeps } from './job-store.ts';
import { BulkJobs } from './jobs.ts';
import { BulkTimers } from './timers.ts';

/** Waits a moment after a range's hundred traces, so that the next range's can go with them. */
const DRAIN_DELAY_MS = SECOND_MS;

interface BulkDeps extends Pick<BulkJobStoreDeps, 'sql' | 'transact' | 'project'> {
  readonly services: ObjectServices;
  readonly timers: Timers;
  readonly organisation: () => OrganisationSettings;
}

/** An object's bulk jobs. */
export interface Bulk {
  readonly calls: BulkJobs;
  /** Resumes paused jobs that have quota again. */
  resumePaused(): void;
  readonly timers: BulkTimers;
}

export function openBulk({ services, timers, organisation, ...storage }: BulkDeps): Bulk {
  const jobStore = new BulkJobStore({
    ...storage,
    now: () => services.now(),
    limits: () => organisation().limits,
    wakeBy: (timer, dueAt) => timers.advance(timer, dueAt),
  });
  const jobs = new BulkJobs(jobStore, () => timers.arm('outbox', services.now() + DRAIN_DELAY_MS));
  const bulkTimers = new BulkTimers(jobStore, {
    wake: (ids) => services.wakeJobs(organisation().id, ids),
    deleteFiles: (id) => services.deleteJobFiles(organisation().id, id),
    sendMail: (record) => services.sendJobMail(record),
  });
  return {
    calls: jobs,
    resumePaused: () => storage.transact(() => jobStore.resumePaused()),
    timers: bulkTimers,
  };
}
