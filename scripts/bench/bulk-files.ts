import { PLATFORM_HEAP_MB } from '../stack/heap-limit.ts';
import { csvFile } from './csv-file.ts';
import { watchHeap } from './heap.ts';
import { openJobs } from './jobs.ts';
import { ratios, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { type BenchRuntime, withRuntime } from './runtime.ts';

const MB = 2 ** 20;
const FILE_ROUNDS = 5;

/** Every address once, ten domains' worth of look-ups apart. */
const email = (row: number): string => `ada.lovelace${row}@d${row % 1_000}.bulk.test`;

/** One job of 100,000 rows in 46 MB through the service, beside R2 alone with the same bytes. */
export async function run(): Promise<BenchRow[]> {
  const file = Uint8Array.from(new TextEncoder().encode(csvFile(email)));
  const times = await withRuntime({}, (runtime) => timeFiles(runtime, file));
  const watch = (runtime: BenchRuntime) => watchMemory(runtime, file);
  const inPlatform = await withRuntime({ inspected: true }, watch);
  const unlimited = await withRuntime({ inspected: true, heapLimitMb: null }, watch);
  const memory = (name: string, of: keyof typeof unlimited, atMost: number): BenchRow => ({
    name: `most memory: ${name}`,
    value: inPlatform[of].most / MB,
    unit: 'MB',
    target: { atMost },
    note: `JS heap limited to ${PLATFORM_HEAP_MB} MB; without, ${(unlimited[of].most / MB).toFixed(0)} MB; nothing seen for up to ${inPlatform[of].unseenMs.toFixed(0)} ms`,
  });
  return [...times, memory('upload, run, download', 'oneJob', 64), memory('three downloads', 'threeDownloads', 96)];
}

async function timeFiles(runtime: BenchRuntime, file: Uint8Array<ArrayBuffer>): Promise<BenchRow[]> {
  const { bare } = runtime.urls;
  const jobs = await openJobs(runtime);
  const uploads = await takeTurns(
    {
      ours: async () => {
        const id = await jobs.create();
        const ms = await time(() => jobs.upload(id, file));
        await jobs.remove(id);
        return ms;
      },
      bare: () => time(() => fetch(`${bare}file`, { method: 'PUT', body: file })),
    },
    FILE_ROUNDS,
  );
  const id = await jobs.start(file);
  await jobs.done(id);
  const download = async () => length(await jobs.results(id));
  const results = await download();
  const downloads = await takeTurns(
    {
      ours: () => time(download),
      bare: () => time(async () => length(await fetch(`${bare}file`))),
    },
    FILE_ROUNDS,
  );
  return [
    against('upload / PUT to R2', uploads, 2.5, file.length),
    against('download / read of R2', downloads, 6, results),
  ];
}

async function watchMemory(runtime: BenchRuntime, file: Uint8Array<ArrayBuffer>) {
  const jobs = await openJobs(runtime);
  const heap = await watchHeap(await runtime.miniflare.getInspectorURL(), 'service');
  heap.restart();
  const id = await jobs.start(file);
  await jobs.done(id);
  const download = async () => length(await jobs.results(id));
  await download();
  const seen = () => ({ most: heap.most(), unseenMs: heap.unseenMs() });
  const oneJob = seen();
  heap.restart();
  await Promise.all([download(), download(), download()]);
  const threeDownloads = seen();
  heap.stop();
  return { oneJob, threeDownloads };
}

async function length(response: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}

async function time(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

function against(
  name: string,
  times: Readonly<Record<'ours' | 'bare', readonly number[]>>,
  atMost: number,
  bytes: number,
): BenchRow {
  const { median: value, range } = spread(ratios(times.ours, times.bare));
  const [ours, bare] = [times.ours, times.bare].map((all) => spread(all).median.toFixed(0));
  return {
    name,
    value,
    range,
    unit: '×',
    target: { atMost },
    note: `${ours} / ${bare} ms, ${(bytes / MB).toFixed(1)} MB`,
  };
}
