import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import worker from '../../src/index.ts';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, until } from '../support/worker.ts';

captureLog();
const loopback = (exports as unknown as { readonly default: Fetcher }).default;

const MB = 2 ** 20;

/** A file of this many rows, streamed in blocks. */
function streamed(rows: number, padding: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = -1;
  return new ReadableStream({
    pull(controller) {
      if (next === rows) return controller.close();
      const upTo = Math.min(rows, next + 500);
      let text = next === -1 ? 'email,note\n' : '';
      for (next = Math.max(0, next); next < upTo; next += 1) text += `a${next}@business.test,${'x'.repeat(padding)}\n`;
      controller.enqueue(encoder.encode(text));
    },
  });
}

async function openJobs() {
  const mine = await createOrganisation();
  const { id } = (await call('POST', '/v1/bulk/jobs', mine.key, {})).body.job;
  const path = `/v1/bulk/jobs/${id}`;
  const upload = async (body: BodyInit) => {
    const headers = { authorization: `Bearer ${mine.key}`, 'content-type': 'text/csv' };
    const response = await loopback.fetch(`https://service.test${path}/upload`, { method: 'PUT', headers, body });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  const download = async () => {
    const headers = { authorization: `Bearer ${mine.key}` };
    return (await loopback.fetch(`https://service.test${path}/results.csv`, { headers })).text();
  };
  const keys = async () => (await env.BULK_FILES.list({ prefix: `orgs/${mine.id}/` })).objects.map(({ key }) => key);
  const job = async () => (await call('GET', path, mine.key)).body.job;
  return { mine, id, path, upload, download, keys, job };
}

it('a file goes into R2 in parts or whole, is run by the queue, and comes back', async () => {
  for (const body of [streamed(250, 80_000), 'email\nada@business.test\nbob@business.test']) {
    const { mine, path, upload, download, job } = await openJobs();
    const uploaded = await upload(body);
    expect(uploaded).toMatchObject({ status: 200, body: { job: { state: 'ready' } } });
    const { unique } = uploaded.body.job;
    expect((await call('POST', `${path}/start`, mine.key, {})).status).toBe(202);
    await until(async () => (await job()).state === 'done');
    expect((await mine.usage()).calls.bulk).toBe(unique);
    expect((await download()).match(/,ok,/g)?.length).toBe(unique);
    expect((await call('DELETE', path, mine.key)).body.job.state).toBe('done');
  }
});

it('a file over 50 MB is refused on the way and leaves nothing in R2', async () => {
  const { upload, keys, job } = await openJobs();
  expect((await upload(streamed(60, MB))).status).toBe(413);
  expect(await keys()).toEqual([]);
  expect((await job()).state).toBe('uploading');
});

it('messages that come twice, or for nothing, charge and write nothing twice', async () => {
  const { mine, id, path, upload, job } = await openJobs();
  await upload('email\nada@business.test\nbob@business.test\n');
  await call('POST', `${path}/start`, mine.key, {});
  const body = { v: 1, organisation_id: mine.id, job_id: id };
  const messages = Array.from({ length: 6 }, (_, at) => ({ id: `m${at}`, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch('email-verification-bulk', messages);
  const context = createExecutionContext();
  await worker.queue(batch, env, context);
  expect((await getQueueResult(batch, context)).explicitAcks.length).toBe(6);
  await until(async () => (await job()).state === 'done');
  expect((await mine.usage()).calls.bulk).toBe(2);
  const { traces } = (await call('GET', `/v1/traces?bulk_job_id=${id}`, mine.key)).body;
  expect(traces.length).toBe(2);
});
