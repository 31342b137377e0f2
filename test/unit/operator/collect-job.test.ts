import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../scripts/operator/api.ts';
import { type BulkCalls, collectJob, fetchCommand } from '../../../scripts/operator/bulk-job.ts';
import type { BulkJob, BulkState } from '../../../src/contract/bulk.ts';

const folder = mkdtempSync(join(tmpdir(), 'collect-job-'));
const output = join(folder, 'out.csv');
afterAll(() => rmSync(folder, { recursive: true }));
const WANTED = { output, segment: 'all', allowPartial: false };

describe('the command that fetches a job’s results', () => {
  it.each([
    ['job and file', {}, ''],
    ['a segment', { segment: 'review' }, ' --segment review'],
    ['leave to stop short', { allowPartial: true }, ' --allow-partial'],
    ['where the service is', { url: 'https://x.example/' }, ' --url https://x.example/'],
    ['whose stack it is', { state: '.other' }, ' --state .other'],
  ])('has %s', (_, wanted, rest) => {
    const command = fetchCommand('bj_1', { ...WANTED, output: 'out.csv', ...wanted });
    expect(command).toBe(`\`npm run operator -- fetch-file bj_1 out.csv${rest}\``);
  });

  it('is read by a shell as one word', () => {
    const odd = "it's $HOME/`a b`.csv";
    const command = fetchCommand('bj_1', { ...WANTED, output: odd }).slice(1, -1);
    const shell = `npm() { for word; do echo "$word"; done; }; ${command}`;
    const words = execFileSync('sh', ['-c', shell], { encoding: 'utf8' }).trim().split('\n');
    expect(words.slice(3)).toEqual(['fetch-file', 'bj_1', odd]);
  });
});

describe('a job that is waited for', () => {
  /** A job that passes through these states. */
  function jobIn(states: BulkState[], change: Partial<BulkJob> = {}) {
    const done: string[] = [];
    const controller = new AbortController();
    const as = (state: BulkState) =>
      ({ id: 'bj_1', state, rows: 2, progress: null, error: null, files_deleted_at: null, ...change }) as BulkJob;
    const calls = {
      signal: controller.signal,
      find: async () => {
        const state = states.shift();
        if (state === undefined) throw new OperatorError('It can’t be reached.');
        return as(state);
      },
      cancel: async () => {
        done.push('cancel');
        return as('cancelled');
      },
      results: async (_: string, segment: string) => {
        done.push(`results ${segment}`);
        return Readable.from(['a\n']);
      },
    };
    return { done, interrupt: () => controller.abort(), calls: calls as Partial<BulkCalls> as BulkCalls };
  }
  const collect = async (calls: BulkCalls, allowPartial: boolean) => {
    rmSync(output, { force: true });
    const { state } = await collectJob(calls, 'bj_1', { ...WANTED, segment: 'review', allowPartial }, null);
    expect(readFileSync(output, 'utf8')).toBe('a\n');
    return state;
  };

  it.each<[BulkState[], allowPartial: boolean, end: BulkState, done: string[]]>([
    [['running', 'done'], false, 'done', ['results review']],
    [['done'], true, 'done', ['results review']],
    [['queued', 'paused_quota'], true, 'cancelled', ['cancel', 'results review']],
    [['cancelled'], true, 'cancelled', ['results review']],
  ])('%s, partial results allowed: %s, is written as %s', async (states, allowPartial, end, expected) => {
    const { calls, done } = jobIn(states);
    expect(await collect(calls, allowPartial)).toBe(end);
    expect(done).toEqual(expected);
  });

  const failure = { error: { code: 'internal_error', message: 'Something went wrong on our side.' } } as const;
  it.each<[BulkState[], Partial<BulkJob>, allowPartial: boolean, says: RegExp]>([
    [
      ['paused_quota'],
      {},
      false,
      /is paused_quota: .*`.*fetch-file bj_1 \S+ --segment review` .* with --allow-partial/,
    ],
    [['cancelled'], {}, false, /is cancelled: .*`.*fetch-file bj_1 \S+ --segment review --allow-partial`/],
    [['cancelled'], { files_deleted_at: 1 }, true, /^The files of the job bj_1 are deleted\.$/],
    [['ready'], {}, true, /^The job bj_1 is ready: it was never started\.$/],
    [['failed'], failure, true, /^The job bj_1 is failed: Something went wrong on our side\.$/],
    [
      ['running'],
      {},
      false,
      /^It can’t be reached\. The job bj_1 goes on: `.*fetch-file bj_1 .*` fetches its results\.$/,
    ],
  ])('%s, %o, partial results allowed: %s, is left and told of', async (states, change, allowPartial, says) => {
    const { calls, done } = jobIn(states, change);
    await expect(collect(calls, allowPartial)).rejects.toThrow(says);
    expect([done, existsSync(output)]).toEqual([[], false]);
  });

  it('is left on Ctrl-C, with 130', async () => {
    const { calls, interrupt } = jobIn(['running', 'running', 'done']);
    const left = collect(calls, false);
    interrupt();
    await expect(left).rejects.toMatchObject({
      exitCode: 130,
      message: expect.stringMatching(/^The job bj_1 goes on: /),
    });
  });
});
