import { describe, expect, it } from 'vitest';
import { BULK_STATES, type BulkState } from '../../../src/contract/bulk.ts';
import { BULK_EVENTS, type BulkEvent, nextState } from '../../../src/domain/bulk/job.ts';

/** Every transition that the contract allows. */
const TABLE: Readonly<Record<BulkState, readonly (readonly [BulkEvent, BulkState])[]>> = {
  uploading: [
    ['file_read', 'ready'],
    ['file_unreadable', 'failed'],
    ['delete', 'cancelled'],
    ['time_over', 'expired'],
  ],
  ready: [
    ['change', 'ready'],
    ['start_in_slot', 'running'],
    ['start_without_slot', 'queued'],
    ['delete', 'cancelled'],
    ['time_over', 'expired'],
  ],
  queued: [
    ['slot_freed', 'running'],
    ['cancel', 'cancelled'],
    ['delete', 'cancelled'],
    ['time_over', 'expired'],
  ],
  running: [
    ['quota_ended', 'paused_quota'],
    ['last_chunk_done', 'done'],
    ['cancel', 'cancelled'],
    ['delete', 'cancelled'],
    ['time_over', 'expired'],
  ],
  paused_quota: [
    ['resume_in_slot', 'running'],
    ['resume_without_slot', 'queued'],
    ['cancel', 'cancelled'],
    ['delete', 'cancelled'],
    ['time_over', 'expired'],
  ],
  done: [
    ['delete', 'done'],
    ['time_over', 'done'],
  ],
  failed: [
    ['delete', 'failed'],
    ['time_over', 'failed'],
  ],
  cancelled: [
    ['delete', 'cancelled'],
    ['time_over', 'cancelled'],
  ],
  expired: [
    ['delete', 'expired'],
    ['time_over', 'expired'],
  ],
};

const CASES = BULK_STATES.flatMap((state) =>
  BULK_EVENTS.map((event) => {
    const [, next] = TABLE[state].find(([one]) => one === event) ?? [event, null];
    return [state, event, next] as const;
  }),
);

describe('a bulk job', () => {
  it.each(CASES)('%s, %s: %s', (state, event, next) => expect(nextState(state, event)).toBe(next));
});
