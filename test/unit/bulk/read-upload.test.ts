import { describe, expect, it } from 'vitest';
import { CHUNK_ADDRESSES, decodeRowIndex } from '../../../src/domain/bulk/csv/address-file.ts';
import { addressesKey, rowIndexKey, uploadKey } from '../../../src/domain/bulk/job-record.ts';
import { createAddressTables, readAddresses, readChunk } from '../../../src/services/bulk/stored-files.ts';
import { readUpload } from '../../../src/services/bulk/uploads.ts';
import { createBucket } from '../../support/bucket.ts';

const WISHES = { hasHeader: null, emailColumn: null };
const ADDRESSES = addressesKey('job/', 'reading');

async function read(lines: readonly string[]) {
  const { bucket, keys, bytes } = createBucket();
  const blobs = bucket as unknown as R2Bucket;
  await bucket.put(uploadKey('job/', 'attempt'), lines.join('\n'));
  return {
    blobs,
    keys,
    bytes,
    read: await readUpload(blobs, 'job/', { attempt: 'attempt', reading: 'reading' }, WISHES),
  };
}

/** Addresses of 300 characters at 50 domains; every fourth repeats an earlier one in capitals. */
const longAddress = (row: number): string => {
  const of = row % 4 === 3 ? Math.floor(row / 2) : row;
  const address = `${'a'.repeat(60)}${of}@${'long-label-'.repeat(20)}${of % 50}.example`;
  return of === row ? address : address.toUpperCase();
};

describe('a file whose addresses are too long to be held', () => {
  const rows = Array.from({ length: 60_000 }, (_, row) => longAddress(row));

  it('is read all the same: every row finds its address, and addresses of one domain stand together', async () => {
    const { blobs, read: found, bytes } = await read(['email', ...rows]);
    if (typeof found === 'string') throw new Error(found);
    const { unique } = found.file;
    expect(unique).toBe(new Set(rows.map((row) => row.toLowerCase())).size);
    // More than one part: it did not go up in one go.
    expect(bytes(ADDRESSES)?.length).toBeGreaterThan(8 * 2 ** 20);

    const everyNumber = Array.from({ length: unique }, (_, number) => number);
    const addresses = await readAddresses(blobs, ADDRESSES, unique, everyNumber);
    const index = decodeRowIndex((bytes(rowIndexKey('job/', 'reading')) as Uint8Array<ArrayBuffer>).slice().buffer);
    const [, ...numbers] = index?.numbers ?? [];
    expect(numbers.map((number) => addresses[number]?.toLowerCase())).toEqual(rows.map((row) => row.toLowerCase()));

    const domains = addresses.map((address) => address.toLowerCase().split('@')[1]);
    const changes = domains.filter((domain, number) => domain !== domains[number - 1]).length;
    // Fifty in each of two pieces.
    expect(changes).toBeLessThanOrEqual(100);
    const last = Math.ceil(unique / CHUNK_ADDRESSES) - 1;
    for (const chunk of [0, 1, last]) {
      const from = chunk * CHUNK_ADDRESSES;
      const part = await readChunk(blobs, createAddressTables(), ADDRESSES, unique, chunk);
      expect(part).toEqual(addresses.slice(from, from + CHUNK_ADDRESSES));
    }
  });

  it('leaves nothing of its addresses when it breaks off inside a quote', async () => {
    const { read: found, keys } = await read(['email', ...rows, '"never closed']);
    expect(found).toBe('unclosed_quote');
    expect(keys()).toEqual([uploadKey('job/', 'attempt')]);
  });
});
