import { expect } from 'vitest';
import { chunksOf } from '../../../src/domain/bulk/csv/address-file.ts';
import { type Capacity, type Job, newJob, read, start, type Work } from '../../../src/domain/bulk/job.ts';
import { NO_COUNTS, type ChunkCounts } from '../../../src/domain/bulk/chunks.ts';
import { newId } from '../../../src/kernel/ids.ts';

export const T0 = Date.UTC(2026, 2, 29);
/** A file with three skipped rows, and `repeats` duplicate rows in each chunk. */
export const file = (unique: number, emailColumn: number | null = 0, repeats = 0): NonNullable<Job['file']> => ({
  reading: {
    dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
    hasHeader: true,
    emailColumn,
  },
  columns: ['email'],
  charset: null,
  emailColumnOther: null,
  rows: unique + 3 + repeats * chunksOf(unique),
  unique,
  invalid: 3,
  repeats: Array<number>(chunksOf(unique)).fill(repeats),
  domains: [],
});
export const created = (at = T0): Job =>
  newJob({ id: newId('bj', at), name: null, purpose: 'list_hygiene', policySlug: null }, at);
export const good = <T>(value: T): Exclude<T, string | null> => {
  expect(typeof value === 'string' || value === null ? value : 'good').toBe('good');
  return value as Exclude<T, string | null>;
};
export const ready = (unique: number, at = T0): Job => good(read(created(at), file(unique)));
export const FREE: Capacity = { quotaLeft: null, running: 0 };
export const WISHES = { allowPartial: true, notify: false };
export const started = (unique: number): Work => ({ job: good(start(ready(unique), WISHES, FREE, T0)), chunks: [] });
export const valid = (count: number): ChunkCounts => ({
  ...NO_COUNTS,
  counts: { valid: count },
  errors: 0,
});
