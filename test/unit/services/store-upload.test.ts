import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobMove, Moved } from '../../../src/domain/bulk/job-record.ts';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { DependencyError } from '../../../src/kernel/errors.ts';
import { storeUpload } from '../../../src/services/bulk/uploads.ts';
import type { Context } from '../../../src/services/verb.ts';
import { createBulk } from '../../support/bulk-object.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
});

/** How a step's answer comes back from the object. */
type Way = (answer: Promise<Moved>) => Promise<Moved>;

/** Uploads this text to a new job while the object's answers arrive this way. */
async function uploading(text: string, way: Way) {
  const { organisation, files, create, find, move } = await createBulk(1_000);
  const id = await create();
  const record = await find(id);
  if (record === null) throw new Error('no job');
  const moveJob = vi.fn((call: { readonly move: JobMove; readonly operationId: string }) =>
    way(move(id, call.move, call.operationId as never)),
  );
  const context = {
    organisationId: organisation.settings.id,
    traceId: 'rq_1',
    deps: {
      now: Date.now,
      blobs: files.bucket,
      objects: { stub: () => ({ moveJob }), now: Date.now, counters: { add: () => undefined } },
    },
  } as unknown as Context;
  const uploaded = storeUpload(context, record, false, async (key) => {
    await files.bucket.put(key, text);
    return 'stored';
  });
  return { id, uploaded, moveJob, find, move, files };
}

describe('an upload', () => {
  it('keeps its files when the job took it and the answer is late, until the job’s files go', async () => {
    const { id, uploaded, moveJob, find, move, files } = await uploading('email\na@b.test\n', async (answer) => {
      await answer;
      return new Promise(() => undefined);
    });
    const failure = uploaded.catch((error: unknown) => error);
    await vi.waitFor(() => expect(moveJob).toHaveBeenCalledOnce());
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(await failure).toBeInstanceOf(DependencyError);
    expect((await find(id))?.job.state).toBe('ready');
    expect(files.keys()).toHaveLength(3);
    await move(id, { kind: 'remove' });
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(files.keys()).toEqual([]);
  });

  it('is deleted when the job refused it', async () => {
    const { uploaded, files } = await uploading('email\na@b.test\n', async () => ({ ok: false, why: 'state' }));
    await expect(uploaded).rejects.toMatchObject({ code: 'conflict' });
    expect(files.keys()).toEqual([]);
  });

  it('is deleted when it can’t be read, once the job says so', async () => {
    const { id, uploaded, find, files } = await uploading('', (answer) => answer);
    await uploaded;
    expect((await find(id))?.job.state).toBe('failed');
    expect(files.keys()).toEqual([]);
  });
});
