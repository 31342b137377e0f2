import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { type QueueMessage, readMessage } from '../../../src/services/queue-message.ts';
import { START_MS } from '../../support/records.ts';

const organisationId = newId('org', START_MS);
const jobId = newId('bj', START_MS);
const v = 1;

/** Each kind as it stands in a queue. */
const SENT: { readonly [K in QueueMessage['kind']]: Extract<QueueMessage, { kind: K }> } = {
  timers: { v, kind: 'timers', organisationId },
  job: { v, kind: 'job', organisationId, jobId },
  step: { v, kind: 'step', organisationId, step: 'a step', runAt: 2, since: 1 },
  night: { v, kind: 'night', organisationId, runAt: 2, since: 1 },
};

describe('a queue’s message', () => {
  it.each(Object.values(SENT))('is read as it was sent, without what it does not need: $kind', (message) => {
    expect(readMessage({ ...message, more: true })).toEqual(message);
  });

  it.each([
    {},
    null,
    { v, kind: 'timers', organisationId: 'org_x' },
    { v, kind: 'timers', organisationId: jobId },
    { v, kind: 'job', organisationId, jobId: 'bj_x' },
    { v: 0, kind: 'timers', organisationId },
    { v, kind: null, organisationId },
    { v, kind: 'job', organisationId },
    { v, kind: 'night', organisationId, runAt: 2 },
  ])('is malformed: %j', (body) => {
    expect(readMessage(body)).toBeNull();
  });

  it.each([
    { v, kind: 'unknown', organisationId },
    { v: 2, kind: 'timers' },
  ])('waits for a release that reads it: %j', (body) => {
    expect(readMessage(body)).toBe('newer');
  });
});
