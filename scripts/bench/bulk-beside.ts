import { fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openJobs } from './jobs.ts';
import type { Load, LoadResult } from './load.ts';
import { createOrganisation } from './organisation.ts';
import { spread } from './rounds.ts';
import { type BenchRow, figure } from './row.ts';
import { withRuntime } from './runtime.ts';

const ORGANISATIONS = 20;
const ROWS = 1_000;
const DIRECT_S = 3;
const ALONE_S = 4;
const WATCH_MS = 100;
const MB = 2 ** 20;
/** The platform's price of a million milliseconds of CPU, in dollars. */
const USD_PER_MILLION_MS = 0.02;

/** Ten domains of the local test zone, as many as the direct calls have. */
const email = (owner: number, row: number): string => `ada${owner}.lovelace${row}@d${10 + (row % 10)}.bulk.test`;
const file = (owner: number): string =>
  ['email', ...Array.from({ length: ROWS }, (_, row) => email(owner, row)), ''].join('\n');

/** A file each of twenty organisations at once, beside direct calls before and meanwhile. Traces go to a database that keeps none. */
export const run = (): Promise<BenchRow[]> =>
  withRuntime({}, async (runtime) => {
    const loader = fork(join(import.meta.dirname, 'load.ts'));
    const owner = await createOrganisation(runtime);
    const verify = async (connections: number, seconds: number): Promise<LoadResult> => {
      const bodies = Array.from({ length: 100 }, (_, row) => JSON.stringify({ email: email(-1, row) }));
      const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' };
      loader.send({ url: `${runtime.urls.service}v1/verify`, headers, bodies, connections, seconds } satisfies Load);
      const [result] = (await once(loader, 'message')) as [LoadResult];
      if (result.failed > 0) throw new Error(`${result.failed} direct calls failed`);
      return result;
    };
    try {
      await verify(16, DIRECT_S);
      const before = runtime.cpuMs();
      const direct = await verify(16, DIRECT_S);
      await owner.object.flush(null);
      const directMs = (runtime.cpuMs() - before) / direct.requests;

      const opened = await Promise.all(Array.from({ length: ORGANISATIONS }, () => openJobs(runtime)));
      // The code of bulk is loaded with the first job.
      const [first] = opened;
      if (first !== undefined) await first.done(await first.start(file(-2)));
      const alone = await verify(1, ALONE_S);

      const watched = { isOver: false, mostBytes: 0 };
      const restBytes = runtime.rssBytes();
      const watching = (async () => {
        for (; !watched.isOver; await sleep(WATCH_MS))
          watched.mostBytes = Math.max(watched.mostBytes, runtime.rssBytes());
      })();
      const [cpuBefore, started] = [runtime.cpuMs(), performance.now()];
      const ended = Promise.all(
        opened.map(async (jobs, place) => {
          await jobs.done(await jobs.start(file(place)));
          return (performance.now() - started) / 1_000;
        }),
      );
      // Direct calls go on until the files are done: their own share is taken off by what such a call costs.
      const beside: LoadResult[] = [];
      const calls = (async () => {
        while (!watched.isOver) beside.push(await verify(1, 1));
      })();
      const ends = await ended;
      const cpu = runtime.cpuMs() - cpuBefore;
      watched.isOver = true;
      await Promise.all([watching, calls]);
      const called = beside.reduce((sum, { requests }) => sum + requests, 0);
      const rowMs = (cpu - called * directMs) / (ORGANISATIONS * ROWS);
      const { median, range } = spread(ends);
      const p99 = spread(beside.map(({ p99Ms }) => p99Ms)).median;
      const load = `load ${loadavg()[0]?.toFixed(0)}`;
      return [
        {
          name: 'CPU of a row / a direct verification',
          value: rowMs / directMs,
          unit: '×',
          target: { atMost: 1 },
          note: `${figure(rowMs)} / ${figure(directMs)} ms; ${load}`,
        },
        {
          name: 'CPU of 100,000 rows on the platform’s bill',
          value: (rowMs * 100_000 * USD_PER_MILLION_MS) / 1e6,
          unit: '$',
          note: 'of the whole local runtime, which is more than what is billed',
        },
        {
          name: `${ORGANISATIONS} files at once: last / median to end`,
          value: range[1] / median,
          unit: '×',
          target: { atMost: 1.5 },
          note: `first ${range[0].toFixed(1)}, median ${median.toFixed(1)}, last ${range[1].toFixed(1)} s for ${ROWS} rows each`,
        },
        {
          name: 'memory of the runtime, more than before',
          value: (watched.mostBytes - restBytes) / MB,
          unit: 'MB',
          note: `${(restBytes / MB).toFixed(0)} MB before`,
        },
        {
          name: 'a direct call beside them: p99 / alone',
          value: p99 / alone.p99Ms,
          unit: '×',
          target: { atMost: 2 },
          note: `${figure(p99)} / ${figure(alone.p99Ms)} ms, one caller; ${load}`,
        },
        {
          name: 'a direct call beside them: p50 / alone',
          value: spread(beside.map(({ p50Ms }) => p50Ms)).median / alone.p50Ms,
          unit: '×',
          note: `${figure(spread(beside.map(({ p50Ms }) => p50Ms)).median)} / ${figure(alone.p50Ms)} ms`,
        },
      ];
    } finally {
      loader.disconnect();
    }
  });
