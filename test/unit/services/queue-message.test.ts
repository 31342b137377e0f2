import { describe, expect, it } from 'vitest';
import { type Id, newId } from '../../../src/kernel/ids.ts';
import { type MessageOf, type QueueMessage, readMessage, wireMessage } from '../../../src/services/queue-message.ts';
import { START_MS } from '../../support/records.ts';

const organisationId = newId('org', START_MS);
const jobId = newId('bj', START_MS);
const [v, organisation_id] = [1, organisationId];

/** Each kind, and how releases before this one have sent it. */
const SENT: { readonly [K in QueueMessage['kind']]: readonly [MessageOf<K>, object] } = {
  timers: [
    { kind: 'timers', organisationId },
    { v, organisation_id },
  ],
  job: [
    { kind: 'job', organisationId, jobId },
    { v, organisation_id, job_id: jobId },
  ],
  night: [
    { kind: 'night', organisationId, runAt: 2, since: 1 },
    { v, organisation_id, run_at: 2, since: 1 },
  ],
};

describe('a queue’s message', () => {
  it.each(Object.values(SENT))('keeps its wire form: $kind', (message, wire) => {
    expect(wireMessage(message)).toEqual(wire);
    expect(readMessage(wire)).toEqual(message);
    expect(readMessage(JSON.parse(JSON.stringify({ ...wire, v: 2, later: true })))).toEqual(message);
  });

  it('of a night, from before it said since when, covers the run', () => {
    const read = readMessage({ v, organisation_id, run_at: 2 });
    expect(read).toEqual({ kind: 'night', organisationId, runAt: 2, since: 2 });
  });

  it.each([
    ['malformed', {}],
    ['malformed', null],
    ['malformed', { v, organisation_id: 'org_x' }],
    ['malformed', { v, organisation_id: jobId as unknown as Id<'org'> }],
    ['malformed', { v, organisation_id, job_id: 'bj_x' }],
    ['malformed', { v: 0, organisation_id }],
    ['newer', { v: 3 }],
    ['newer', { v: 3, organisation_id }],
  ])('is %s: %j', (expected, body) => {
    expect(readMessage(body)).toBe(expected);
  });
});
