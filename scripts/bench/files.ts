import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob } from '../../src/contract/bulk.ts';
import { emailOf, type Loader, type LoadResult, openLoader } from './load.ts';
import { type BenchRow, figure, spread } from './measure.ts';
import { type BenchRuntime, createOrganisation, withRuntime } from './runtime.ts';

const ORGANISATIONS = 20;
const ROWS = 1_000;
const DIRECT_S = 3;
const ALONE_S = 4;
const WATCH_MS = 100;
const POLL_MS = 250;
const MB = 2 ** 20;
/** The platform's price of a million milliseconds of CPU, in dollars. */
const USD_PER_MILLION_MS = 0.02;

const file = (owner: number): string =>
  ['email', ...Array.from({ length: ROWS }, (_, row) => emailOf(row, owner)), ''].join('\n');

/** Runs jobs of a member, in an organisation of its own, to their end. */
async function openJobs(runtime: BenchRuntime) {
  const { key } = await createOrganisation(runtime);
  const call = async (method: string, path: string, body?: string, type = 'application/json'): Promise<BulkJob> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const url = `${runtime.urls.service}v1/bulk/jobs${path}`;
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json<{ job: BulkJob }>()).job;
  };
  return async (csv: string): Promise<void> => {
    const { id } = await call('POST', '', '{}');
    await call('PUT', `/${id}/upload`, csv, 'text/csv');
    await call('POST', `/${id}/start`, '{}');
    for (;;) {
      const { state } = await call('GET', `/${id}`);
      if (state === 'done') return;
      if (state !== 'running' && state !== 'queued') throw new Error(`the job is ${state}`);
      await sleep(POLL_MS);
    }
  };
}

/** A file each of twenty organisations at once, beside direct calls. Traces go to a database that stores none. */
export const run = (isQuick: boolean): Promise<BenchRow[]> =>
  withRuntime(async (runtime) => {
    const loader = openLoader();
    try {
      return await filesBeside(runtime, loader, isQuick ? ORGANISATIONS / 4 : ORGANISATIONS);
    } finally {
      loader.close();
    }
  });

async function filesBeside(runtime: BenchRuntime, loader: Loader, organisations: number): Promise<BenchRow[]> {
  const owner = await createOrganisation(runtime);
  const url = `${runtime.urls.service}v1/verify`;
  const verify = (connections: number, seconds: number) => loader.apply({ url, key: owner.key, connections, seconds });
  await verify(16, DIRECT_S);
  const before = runtime.cpuMs();
  const direct = await verify(16, DIRECT_S);
  await owner.object.flush(null);
  const directMs = (runtime.cpuMs() - before) / direct.requests;

  const opened = await Promise.all(Array.from({ length: organisations }, () => openJobs(runtime)));
  // The code of bulk is loaded with the first job.
  const [first] = opened;
  await first?.(file(-2));
  const alone = await verify(1, ALONE_S);

  const watched = { isOver: false, mostBytes: 0 };
  const restBytes = runtime.rssBytes();
  const watching = (async () => {
    for (; !watched.isOver; await sleep(WATCH_MS)) watched.mostBytes = Math.max(watched.mostBytes, runtime.rssBytes());
  })();
  const [cpuBefore, started] = [runtime.cpuMs(), performance.now()];
  const ended = Promise.all(
    opened.map(async (runFile, place) => {
      await runFile(file(place));
      return (performance.now() - started) / 1_000;
    }),
  );
  // Direct calls go on until the files are done; their own share is subtracted by the cost of such a call.
  const beside: LoadResult[] = [];
  const calls = (async () => {
    while (!watched.isOver) beside.push(await verify(1, 1));
  })();
  const ends = await ended;
  const cpu = runtime.cpuMs() - cpuBefore;
  watched.isOver = true;
  await Promise.all([watching, calls]);
  const called = beside.reduce((sum, { requests }) => sum + requests, 0);
  const rowMs = (cpu - called * directMs) / (organisations * ROWS);
  const { median, range } = spread(ends);
  const p99 = spread(beside.map(({ p99Ms }) => p99Ms)).median;
  return [
    {
      name: 'CPU of a row / a direct verification',
      value: rowMs / directMs,
      unit: '×',
      target: { atMost: 1 },
      note: `${figure(rowMs)} / ${figure(directMs)} ms`,
    },
    {
      name: 'CPU of 100,000 rows on the platform’s bill',
      value: (rowMs * 100_000 * USD_PER_MILLION_MS) / 1e6,
      unit: '$',
      note: 'of the whole local runtime, which is more than what is billed',
    },
    {
      name: `${organisations} files at once: last / median to end`,
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
      note: `${figure(p99)} / ${figure(alone.p99Ms)} ms, one caller`,
    },
    {
      name: 'a direct call beside them: p50 / alone',
      value: spread(beside.map(({ p50Ms }) => p50Ms)).median / alone.p50Ms,
      unit: '×',
      note: `${figure(spread(beside.map(({ p50Ms }) => p50Ms)).median)} / ${figure(alone.p50Ms)} ms`,
    },
  ];
}
