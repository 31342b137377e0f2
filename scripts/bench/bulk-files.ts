import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob } from '../../src/contract/bulk.ts';
import { csvFile } from './csv-file.ts';
import { watchHeap } from './heap.ts';
import { createOrganisation } from './organisation.ts';
import { ratios, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { startRuntime } from './runtime.ts';

const MB = 2 ** 20;
const FILE_ROUNDS = 5;
const POLL_MS = 250;

/** Every address once, ten domains' worth of look-ups apart. */
const email = (row: number): string => `ada.lovelace${row}@d${row % 1_000}.bulk.test`;

/** One job of 100,000 rows in 46 MB through the service, beside R2 alone with the same bytes. */
export async function run(): Promise<BenchRow[]> {
  const runtime = await startRuntime({ inspected: true });
  try {
    const file = Uint8Array.from(new TextEncoder().encode(csvFile(email)));
    const { key } = await createOrganisation(runtime, 'service');
    const { service, bare } = runtime.urls;
    const call = async (
      method: string,
      path: string,
      init: {
        readonly body?: string | Uint8Array<ArrayBuffer>;
        readonly headers?: Readonly<Record<string, string>>;
      } = {},
    ): Promise<Response> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
      const response = await fetch(`${service}v1/bulk/jobs${path}`, { ...init, method, headers });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response;
    };
    const jobOf = async (response: Response) => (await response.json<{ job: BulkJob }>()).job;
    const create = async () => (await jobOf(await call('POST', '', { body: '{}' }))).id;
    const upload = (id: string) =>
      call('PUT', `/${id}/upload`, { body: file, headers: { 'content-type': 'text/csv' } });
    const download = async (id: string) => length(await call('GET', `/${id}/results.csv`));

    const uploads = await takeTurns(
      {
        ours: async () => {
          const id = await create();
          const ms = await time(() => upload(id));
          await call('DELETE', `/${id}`);
          return ms;
        },
        bare: () => time(() => fetch(`${bare}file`, { method: 'PUT', body: file })),
      },
      FILE_ROUNDS,
    );

    const heap = await watchHeap(await runtime.miniflare.getInspectorURL(), 'service');
    heap.restart();
    const id = await create();
    await upload(id);
    await call('POST', `/${id}/start`, { body: '{}' });
    const started = performance.now();
    let job = await jobOf(await call('GET', `/${id}`));
    while (job.state === 'running') {
      await sleep(POLL_MS);
      job = await jobOf(await call('GET', `/${id}`));
    }
    if (job.state !== 'done') throw new Error(`the job is ${job.state}`);
    const runMs = performance.now() - started;
    const lengthOfResults = await download(id);
    const oneJob = heap.most();
    heap.restart();
    await Promise.all([download(id), download(id), download(id)]);
    const threeDownloads = heap.most();
    heap.stop();

    const downloads = await takeTurns(
      {
        ours: () => time(() => download(id)),
        bare: () => time(async () => length(await fetch(`${bare}file`))),
      },
      FILE_ROUNDS,
    );
    return [
      against('upload / PUT to R2', uploads, 2.5, file.length),
      against('download / read of R2', downloads, 6, lengthOfResults),
      {
        ...{ name: 'most memory: upload, run, download', value: oneJob / MB, unit: 'MB', target: { atMost: 64 } },
        note: `100,000 addresses; ran ${(runMs / 1_000).toFixed(1)} s without a database`,
      },
      { name: 'most memory: three downloads', value: threeDownloads / MB, unit: 'MB', target: { atMost: 96 } },
    ];
  } finally {
    await runtime.stop();
  }
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
    ...{ name, value, range, unit: '×', target: { atMost } },
    note: `${ours} / ${bare} ms, ${(bytes / MB).toFixed(1)} MB`,
  };
}
