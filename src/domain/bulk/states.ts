import type { BulkState } from '../../contract/bulk.ts';

/** What moves a job. `slot`: one of the organisation's two places to run is free. */
export const BULK_EVENTS = [
  'file_read',
  'file_unreadable',
  'change',
  'start_in_slot',
  'start_without_slot',
  'slot_freed',
  'quota_ended',
  'resume_in_slot',
  'resume_without_slot',
  'last_chunk_done',
  'cancel',
  'delete',
  'time_over',
] as const;
export type BulkEvent = (typeof BULK_EVENTS)[number];

type Transitions = Partial<Readonly<Record<BulkEvent, BulkState>>>;

/** Transitions of a job that has not ended: after seven days it expires, and deleting its files cancels it. */
const UNFINISHED: Transitions = { delete: 'cancelled', time_over: 'expired' };
/** An ended job keeps its state when its files are deleted. */
const ended = (state: BulkState): Transitions => ({ delete: state, time_over: state });

/** All transitions. An event without a row is refused with 409. */
const TRANSITIONS: Readonly<Record<BulkState, Transitions>> = {
  uploading: { ...UNFINISHED, file_read: 'ready', file_unreadable: 'failed' },
  ready: { ...UNFINISHED, change: 'ready', start_in_slot: 'running', start_without_slot: 'queued' },
  queued: { ...UNFINISHED, slot_freed: 'running', cancel: 'cancelled' },
  running: { ...UNFINISHED, quota_ended: 'paused_quota', last_chunk_done: 'done', cancel: 'cancelled' },
  paused_quota: { ...UNFINISHED, resume_in_slot: 'running', resume_without_slot: 'queued', cancel: 'cancelled' },
  done: ended('done'),
  failed: ended('failed'),
  cancelled: ended('cancelled'),
  expired: ended('expired'),
};

/** The state after the event; null where the state does not allow it. */
export const nextState = (state: BulkState, event: BulkEvent): BulkState | null => TRANSITIONS[state][event] ?? null;

/** Jobs of an organisation that run at once; further ones queue, oldest start first. */
export const RUNNING_JOBS_MAX = 2;
