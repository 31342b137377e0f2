import { describe, expect, it } from 'vitest';
import { progressLine } from '../../../scripts/operator/bulk-job.ts';

const job = (done: number, rows = 1_000, state: 'running' | 'queued' = 'running') => ({
  state,
  rows,
  progress: { chunks_done: 0, chunks_total: 10, rows_done: done },
});
const line = (done: number, { seconds = 10, before = 0, costUsd = null as number | null } = {}): string =>
  progressLine(job(done), { elapsedMs: seconds * 1_000, rowsBefore: before }, costUsd);

describe('the progress line of a job', () => {
  it.each([
    ['how far it is', line(250), /^running █{6}░{18} 250\/1000 /],
    ['a full bar at the end', line(1_000), /^running █{24} 1000\/1000 /],
    ['rows a second and the seconds left at that speed', line(250), / {2}25 rows\/s {2}30 s left$/],
    ['a second begun as one left', line(999), / 1 s left$/],
    [
      'the speed since it is looked at: what was done before took unknown time',
      line(600, { before: 500 }),
      / 10 rows\/s {2}40 s left$/,
    ],
    ['no time left where nothing moves', line(500, { before: 500 }), / 500\/1000 {2}0 rows\/s$/],
    ['no endless speed at the first look', line(0, { seconds: 0 }), / 0\/1000 {2}0 rows\/s$/],
    ['the expected cost of what is done', line(250, { costUsd: 8 }), / 30 s left {2}about \$2\.00$/],
    ['no cost where none is known', line(250), /^[^$]+$/],
  ])('has %s', (_, text, expected) => {
    expect(text).toMatch(expected);
  });

  it('is drawn of a queued job too, whose progress is still unknown', () => {
    const text = progressLine({ state: 'queued', rows: 40, progress: null }, { elapsedMs: 5_000, rowsBefore: 0 }, 1);
    expect(text).toBe(`queued ${'░'.repeat(24)} 0/40  0 rows/s  about $0.00`);
  });
});
