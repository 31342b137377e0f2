import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../src/kernel/crypto.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS, traceRecord } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon().answer = () => 'down';
});

const GIB = 2 ** 30;

/** An organisation whose SQLite reports this size, as after a long outage of Postgres. */
async function createSized(bytes: number) {
  const organisation = await createTestOrganisation();
  Object.assign(organisation.storage.sql, { databaseSize: bytes });
  return organisation;
}

describe('an outbox that grew through a long outage', () => {
  it.each([
    ['keeps everything up to 1 GB', GIB, true],
    ['keeps traces without their detail past it', GIB + 1, false],
  ])('%s', async (_, bytes, isKept) => {
    const { authorize, commit, object } = await createSized(bytes);
    const record = traceRecord();
    await authorize({ operationId: record.id });
    await commit(record.id, { trace: { kind: 'trace', id: record.id, record: JSON.stringify(record) } });
    const { held } = await object.flush(record.id);
    expect(JSON.parse(held ?? 'null')).toEqual(isKept ? record : { ...record, detail: null });
  });

  it.each([
    ['authorizes up to 5 GB', 5 * GIB, { ok: true }],
    ['authorizes nothing past it', 5 * GIB + 1, { ok: false, refusal: 'rate_limited', retryAfterS: 60 }],
  ])('%s', async (_, bytes, answer) => {
    const { authorize } = await createSized(bytes);
    expect(await authorize()).toMatchObject(answer);
  });

  it('still refuses key and role first when it is full', async () => {
    const { authorize, keys } = await createSized(6 * GIB);
    expect(await authorize({ keyHash: sha256Hex('unknown') })).toMatchObject({ refusal: 'unauthorized' });
    expect(await authorize({ keyHash: keys.viewer.hash })).toMatchObject({ refusal: 'forbidden' });
  });
});
