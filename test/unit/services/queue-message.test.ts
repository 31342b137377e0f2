import { describe, expect, it } from 'vitest';
import { type Id, newId } from '../../../src/kernel/ids.ts';
import { type MessageOf, type QueueMessage, readMessage, wireMessage } from '../../../src/services/queue-message.ts';
import { START_MS } from '../../support/records.ts';

const organisationId = newId('org', START_MS);
const jobId = newId('bj', START_MS);
const [v, organisation_id] = [1, organisationId];

/** Each kind, and its wire form. */
const SENT: { readonly [K in QueueMessage['kind']]: readonly [MessageOf<K>, object] } = {
  timers: [
    { kind: 'timers', organisationId },
    { v, kind: 'timers', organisation_id },
  ],
  job: [
    { kind: 'job', organisationId, jobId },
    { v, kind: 'job', organisation_id, job_id: jobId },
  ],
  step: [
    { kind: 'step', organisationId, step: 'a step', runAt: 2, since: 1 },
    { v, kind: 'step', organisation_id, step: 'a step', run_at: 2, since: 1 },
  ],
  night: [
    { kind: 'night', organisationId, runAt: 2, since: 1 },
    { v, kind: 'night', organisation_id, run_at: 2, since: 1 },
  ],
};

describe('a queue’s message', () => {
  it.each(Object.values(SENT))('is read as it was sent, and keeps its wire form: $kind', (message, wire) => {
    expect(wireMessage(message)).toEqual(wire);
    expect(readMessage(JSON.parse(JSON.stringify(wireMessage(message))))).toEqual(message);
    expect(readMessage({ ...wire, more: true })).toEqual(message);
  });

  it.each([
    {},
    null,
    { v, organisation_id: 'org_x' },
    { v, organisation_id: jobId as unknown as Id<'org'> },
    { v, organisation_id, job_id: 'bj_x' },
    { v: 0, organisation_id },
    { v, kind: null, organisation_id },
    { v, kind: 'job', organisation_id },
    { v, kind: 'night', organisation_id, run_at: 2 },
    { v: 2, kind: 'timers', organisation_id },
  ])('is malformed: %j', (body) => {
    expect(readMessage(body)).toBeNull();
  });

  it('waits for a release that knows its kind', () => {
    expect(readMessage({ v, kind: 'unknown', organisation_id })).toBe('newer');
  });
});
