import { describe, expect, it } from 'vitest';
import { type Blobs, putStream } from '../../../src/storage/r2.ts';
import { createBucket } from '../../support/bucket.ts';

const body = () => new Blob(['email\n']).stream();

describe('an upload of known length', () => {
  it.each([
    ['Network connection lost.', 'interrupted'],
    ['put: We encountered an internal error. Please try again. (10001)', 'thrown'],
  ])('that is stored and then said to have failed (%s) leaves nothing', async (message, result) => {
    const { bucket, keys } = createBucket();
    const blobs = {
      ...bucket,
      async put(key: string, value: unknown) {
        await bucket.put(key, value);
        throw new Error(message);
      },
    } as unknown as Blobs;
    const put = putStream(blobs, 'uploads/one', body(), true, 1_000);
    expect(await put.catch(() => 'thrown')).toBe(result);
    expect(keys()).toEqual([]);
  });

  it('stays when it is stored', async () => {
    const { bucket, keys } = createBucket();
    const put = putStream(bucket as unknown as Blobs, 'uploads/one', body(), true, 1_000);
    expect([await put, keys()]).toEqual(['stored', ['uploads/one']]);
  });
});
