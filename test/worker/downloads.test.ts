import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type StoredUpload, uploadKey } from '../../src/domain/bulk/job-record.ts';
import type { Job } from '../../src/domain/bulk/job.ts';
import { newId } from '../../src/kernel/ids.ts';
import { readUpload } from '../../src/services/bulk/uploads.ts';
import { resultStream } from '../../src/services/bulk/stored-files.ts';
import type { Blobs } from '../../src/storage/r2.ts';
import { CHECKED_ROW } from '../support/records.ts';
import { captureLog } from '../support/capture-log.ts';
import { until } from '../support/worker.ts';

const logged = captureLog();
const isLogged = (job: string): boolean =>
  logged.some((line) => line.includes('download_broken') && line.includes(job));

const blobs = env.BULK_FILES;
const WISHES = { hasHeader: null, emailColumn: null };
/** What `CHECKED_ROW` says, cell by cell. */
const CELLS = 'ok,valid,0.01,send,,business,unknown,corporate,human_mailbox,false,false,false,false';
/** Behind the trace: no correction, what the answer rests on, no warning. */
const LAST = ',local,';
const HEADER =
  'svc_status,svc_verdict,svc_bounce_probability,svc_recommendation,svc_reason,svc_email_type,svc_esp,svc_mailbox_type,' +
  'svc_actor_class,svc_disposable,svc_role_account,svc_catch_all,svc_relay_alias,svc_trace_id,svc_did_you_mean,' +
  'svc_basis,svc_warning';

/** Distinct addresses of one domain: numbered as they come. */
const LINES = Array.from({ length: 6_000 }, (_, row) => `a${row}@d.test,"${row}: ${'é'.repeat(row % 90)}\nmore"`);
const FILE = ['email,note', ...LINES, ''].join('\n');
const withCells = (name: string): string =>
  [`email,note,${HEADER}`, ...LINES.map((line, row) => `${line},${CELLS},vr_${name}${row},${LAST}`), ''].join('\n');

/** A job with its file read, and downloads of its results: each names its traces as it likes. */
async function openFile(text: string) {
  const id = newId('bj', Date.now());
  const prefix = `orgs/${newId('org', Date.now())}/jobs/${id}/`;
  await blobs.put(uploadKey(prefix, 'attempt'), text);
  const read = await readUpload(blobs, prefix, { attempt: 'attempt', reading: 'reading' }, WISHES);
  if (typeof read === 'string') throw new Error(read);
  const job = { id, file: read.file, policySlug: null } as Job;
  const upload: StoredUpload = read.upload;
  const download = (name: string, from: Pick<Blobs, 'get'> = blobs) => {
    const of = (number: number) => ({ kind: CHECKED_ROW, traceId: `vr_${name}${number}` as const });
    return resultStream(from, prefix, upload, job, { of, slips: () => [] }, null);
  };
  return { id, key: uploadKey(prefix, 'attempt'), file: read.file, download };
}

/** The bucket, but what stands under one key comes from elsewhere. */
const replaced = (key: string, body: ReadableStream<Uint8Array>): Pick<Blobs, 'get'> => ({
  get: (async (asked: string) => (asked === key ? { body } : blobs.get(asked))) as unknown as Blobs['get'],
});

/** Some of a file, then whatever `next` does. */
function beginning(next: (controller: ReadableByteStreamController) => void, cancel?: () => void) {
  let blocks = 0;
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      blocks += 1;
      if (blocks <= 2) controller.enqueue(new TextEncoder().encode(FILE.slice((blocks - 1) * 50_000, blocks * 50_000)));
      else next(controller);
    },
    cancel: () => cancel?.(),
  });
}

describe('a file', () => {
  it.each([65_535, 65_536, 65_537, 131_072, 196_608])('is read and returned whole at %i bytes', async (size) => {
    const rows = Math.floor((size - 'email\n'.length) / 'a00000@d.test\n'.length);
    const lines = Array.from({ length: rows }, (_, row) => `a${String(row).padStart(5, '0')}@d.test\n`).join('');
    const text = `email\n${lines}`;
    const padded = text + '\n'.repeat(size - text.length);
    const { file, download } = await openFile(padded);
    expect(file).toMatchObject({ rows, unique: rows, invalid: 0 });
    const cells = (line: string, row: number) => (line === '' ? line : `${line},${CELLS},vr_n${row - 1},${LAST}`);
    const expected = padded.split('\n').map((line, row) => (row === 0 ? `email,${HEADER}` : cells(line, row)));
    expect(await new Response(await download('n')).text()).toBe(expected.join('\n'));
  });

  it('comes to slow readers side by side as it is to each', async () => {
    const { download } = await openFile(FILE);
    const names = ['a', 'b', 'c'];
    const texts = await Promise.all(
      names.map(async (name) => {
        const reader = (await download(name)).getReader({ mode: 'byob' });
        const decoder = new TextDecoder();
        let text = '';
        for (let reads = 0; ; reads += 1) {
          const { done, value } = await reader.read(new Uint8Array(5_000));
          if (done) return text;
          text += decoder.decode(value, { stream: true });
          if (reads % 10 === 0) await scheduler.wait(1);
        }
      }),
    );
    for (const [place, name] of names.entries()) expect(texts[place] === withCells(name)).toBe(true);
  });
});

describe('a file that can’t be read to its end', () => {
  it.each<[string, string, (controller: ReadableByteStreamController) => void]>([
    ['breaks off', 'a stored file broke off', (controller) => controller.error(new Error('internal error (10001)'))],
    ['ends early', 'before its last row', (controller) => controller.close()],
  ])('since it %s breaks the download off, and is logged', async (_, message, next) => {
    const { id, key, download } = await openFile(FILE);
    const stream = await download('a', replaced(key, beginning(next)));
    await expect(new Response(stream).text()).rejects.toThrow(message);
    await until(async () => isLogged(id));
  });
});

it('a reader who goes away ends the reading of the file, and is nothing to log', async () => {
  const { id, key, download } = await openFile(FILE);
  let isCancelled = false;
  const body = beginning(
    (controller) => controller.enqueue(new Uint8Array(1_000).fill(0x61)),
    () => (isCancelled = true),
  );
  const reader = (await download('a', replaced(key, body))).getReader();
  await reader.read();
  await reader.cancel();
  await until(async () => isCancelled);
  expect(isLogged(id)).toBe(false);
});
