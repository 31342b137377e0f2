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
    expect(readMessage({ ...wire, v: 2, later: true })).toEqual(message);
  });

  it.each([
    ['malformed', {}],
    ['malformed', null],
    ['malformed', { v, organisation_id: 'org_x' }],
    ['malformed', { v, organisation_id: jobId as unknown as Id<'org'> }],
    ['malformed', { v, organisation_id, job_id: 'bj_x' }],
    ['malformed', { v: 0, organisation_id }],
    ['malformed', { v, kind: null, organisation_id }],
    ['malformed', { v, kind: 'job', organisation_id }],
    ['malformed', { v, kind: 'night', organisation_id, run_at: 2 }],
    ['newer', { v, kind: 'unknown', organisation_id }],
    ['newer', { v: 2, kind: 'unknown', organisation_id, job_id: jobId }],
    ['newer', { v: 3 }],
    ['newer', { v: 3, organisation_id }],
  ])('is %s: %j', (expected, body) => {
    expect(readMessage(body)).toBe(expected);
  });
});
