import { describe, expect, it } from 'vitest';
import { type Id, newId } from '../../../src/kernel/ids.ts';
import { type QueueMessage, readMessage, wireMessage } from '../../../src/services/queue-message.ts';
import { START_MS } from '../../support/records.ts';

const organisationId = newId('org', START_MS);
const jobId = newId('bj', START_MS);
const v = 1;

/** One of each kind. */
const SENT: { readonly [K in QueueMessage['kind']]: QueueMessage } = {
  timers: { kind: 'timers', organisationId },
  job: { kind: 'job', organisationId, jobId },
  step: { kind: 'step', organisationId, step: 'a step', runAt: 2, since: 1 },
  night: { kind: 'night', organisationId, runAt: 2, since: 1 },
};

describe('a queue’s message', () => {
  it.each(Object.values(SENT))('is read as it was sent: $kind', (message) => {
    const wire = JSON.parse(JSON.stringify(wireMessage(message))) as object;
    expect(wire).toEqual({ v, ...message });
    expect(readMessage(wire)).toEqual(message);
    expect(readMessage({ ...wire, more: true })).toEqual(message);
  });

  it.each([
    {},
    null,
    { v, organisationId: 'org_x' },
    { v, organisationId: jobId as unknown as Id<'org'> },
    { v, organisationId, jobId: 'bj_x' },
    { v: 0, organisationId },
    { v, kind: null, organisationId },
    { v, kind: 'job', organisationId },
    { v, kind: 'night', organisationId, runAt: 2 },
    { v: 2, kind: 'timers', organisationId },
  ])('is malformed: %j', (body) => {
    expect(readMessage(body)).toBeNull();
  });

  it('waits for a release that knows its kind', () => {
    expect(readMessage({ v, kind: 'unknown', organisationId })).toBe('newer');
  });
});
