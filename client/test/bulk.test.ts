import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ErrorCode } from '../../src/contract/error.ts';
import { createClient } from '../src/client.ts';
import {
  bytes,
  cutOff,
  cutOffChunks,
  hangUp,
  json,
  type Reply,
  refused,
  scriptedServer,
  silence,
} from './scripted-server.ts';

const apiKey = 'evk_test_key';
const MB = 1024 * 1024;
const job = (state: string, more: object = {}, status = 200) => json({ job: { id: 'bj_1', state, ...more } }, status);
const created = job('uploading', {}, 201);
const ready = job('ready', { email_column: 0 });
const running = job('running', {}, 202);

afterEach(() => vi.restoreAllMocks());

describe('verifyList', () => {
  it.each([
    ['a string', 'email\nzoë@bücher.example\n'],
    ['a buffer', Buffer.from('email\nzoë@bücher.example\n')],
    ['bytes', new TextEncoder().encode('email\nzoë@bücher.example\n')],
    ['a view into other bytes', new TextEncoder().encode('xxxemail\nzoë@bücher.example\nyyy').subarray(3, -3)],
    ['an ArrayBuffer', new TextEncoder().encode('email\nzoë@bücher.example\n').buffer],
    [
      'a DataView',
      new DataView(new TextEncoder().encode('email\nzoë@bücher.example\n').buffer) as unknown as Uint8Array,
    ],
  ])('creates, uploads %s byte for byte, and starts', async (_, csv) => {
    await using server = await scriptedServer(created, ready, running);
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    const options = { name: 'May', purpose: 'outbound', policy: 'strict', allowPartial: true } as const;
    expect(await client.verifyList(csv, options)).toEqual({ jobId: 'bj_1', job: { id: 'bj_1', state: 'running' } });
    const [create, upload, start] = server.seen;
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/bulk/jobs',
      'PUT /v1/bulk/jobs/bj_1/upload',
      'POST /v1/bulk/jobs/bj_1/start',
    ]);
    expect(JSON.parse(String(create?.body))).toEqual({ name: 'May', purpose: 'outbound', policy_slug: 'strict' });
    expect(String(upload?.body)).toBe('email\nzoë@bücher.example\n');
    expect(upload?.headers['content-type']).toBe('text/csv');
    expect(JSON.parse(String(start?.body))).toEqual({ allow_partial: true });
  });

  it('announces the length of the file', async () => {
    await using server = await scriptedServer(created, ready, running);
    await createClient({ apiKey, baseUrl: server.baseUrl }).verifyList('é'.repeat(100_000));
    expect(server.seen[1]?.headers).toMatchObject({ 'content-length': '200000' });
    expect(server.seen[1]?.headers).not.toHaveProperty('transfer-encoding');
  });

  it('sends nothing it was not given', async () => {
    await using server = await scriptedServer(created, ready, running);
    await createClient({ apiKey, baseUrl: server.baseUrl }).verifyList('email\n');
    expect([server.seen[0], server.seen[2]].map((seen) => String(seen?.body))).toEqual(['{}', '{}']);
  });

  it.each<[string, number, ErrorCode]>([
    ['a list without an email column', 400, 'no_email_column'],
    ['one that does not fit the quota', 402, 'quota_exceeded'],
    ['one that another caller changed', 409, 'invalid_request'],
  ])('throws on %s, naming the job', async (_, status, code) => {
    await using server = await scriptedServer(created, ready, refused(status, code));
    await expect(createClient({ apiKey, baseUrl: server.baseUrl }).verifyList('a\nb\n')).rejects.toMatchObject({
      status,
      code,
      traceId: 'rq_1',
      jobId: 'bj_1',
    });
  });

  it('throws on a file the service could not read, with its reason, and starts nothing', async () => {
    const failed = job('failed', { error: { code: 'too_many_rows', message: 'Too many rows.' } });
    await using server = await scriptedServer(created, failed);
    await expect(createClient({ apiKey, baseUrl: server.baseUrl }).verifyList('a\n')).rejects.toMatchObject({
      code: 'too_many_rows',
      message: 'Too many rows.',
      jobId: 'bj_1',
    });
    expect(server.seen).toHaveLength(2);
  });

  it.each<[string, readonly [Reply, ...Reply[]]]>([
    ['create', [hangUp]],
    ['upload', [created, hangUp]],
    ['start', [created, ready, hangUp]],
  ])('never sends %s twice: it may have been carried out', async (_, script) => {
    await using server = await scriptedServer(...script);
    await expect(createClient({ apiKey, baseUrl: server.baseUrl }).verifyList('a\n')).rejects.toMatchObject({
      code: 'network_error',
      jobId: script.length === 1 ? null : 'bj_1',
    });
    expect(server.seen).toHaveLength(script.length);
  });

  it('throws whatever failOpen says', async () => {
    const client = createClient({ apiKey: '', failOpen: true });
    await expect(client.verifyList('a\n')).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    await expect(client.waitForList('bj_1')).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(client.downloadList('bj_1')).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it.each([
    ['bytes', () => new Uint8Array(50 * MB + 1)],
    ['a string', () => 'x'.repeat(50 * MB + 1)],
    ['a string longer in UTF-8', () => 'é'.repeat(25 * MB + 1)],
  ])('refuses more than 50 MB as %s before anything is sent', async (_, csv) => {
    await using server = await scriptedServer(created);
    await expect(createClient({ apiKey, baseUrl: server.baseUrl }).verifyList(csv())).rejects.toMatchObject({
      status: 413,
      code: 'invalid_request',
      jobId: null,
    });
    expect(server.seen).toEqual([]);
  });

  it.each([null, undefined, 7, ['email'], new Blob(['email'])])('takes no %o for a file', async (csv) => {
    await using server = await scriptedServer(created);
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.verifyList(csv as unknown as string)).rejects.toMatchObject({
      name: 'EmailVerificationError',
      code: 'invalid_request',
    });
    expect(server.seen).toEqual([]);
  });

  it('uploads again what the service was too busy to take', async () => {
    const busy = refused(429, 'rate_limited', { 'retry-after': '0' });
    await using server = await scriptedServer(busy, created, busy, ready, busy, running);
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.verifyList('email\n')).toMatchObject({ job: { state: 'running' } });
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'PUT', 'POST', 'POST']);
    expect([2, 3].map((at) => String(server.seen[at]?.body))).toEqual(['email\n', 'email\n']);
  });

  it('uploads 50 MB', async () => {
    await using server = await scriptedServer(created, ready, running);
    await createClient({ apiKey, baseUrl: server.baseUrl }).verifyList(new Uint8Array(50 * MB));
    expect(server.seen[1]?.body.length).toBe(50 * MB);
  });

  it.each(['../../me', 'a/b', 'ada@example.com', ''])('a server’s job id %j gets into no URL', async (id) => {
    await using server = await scriptedServer(json({ job: { id, state: 'uploading' } }));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.verifyList('a\n')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(server.seen).toHaveLength(1);
  });

  it.each([{}, { job: null }, { job: {} }, { job: { id: 7, state: 'ready' } }])(
    '%j is not taken for a job',
    async (answer) => {
      await using server = await scriptedServer(json(answer));
      const client = createClient({ apiKey, baseUrl: server.baseUrl });
      await expect(client.verifyList('a\n')).rejects.toMatchObject({ code: 'invalid_response' });
      await expect(client.waitForList('bj_1')).rejects.toMatchObject({ code: 'invalid_response' });
    },
  );
});

describe('waitForList', () => {
  it.each(['done', 'failed', 'cancelled', 'expired', 'paused_quota'])('polls until the job is %s', async (state) => {
    await using server = await scriptedServer(job('queued'), job('running'), job(state, { rows: 3 }));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.waitForList('bj_1', { pollMs: 1 })).toEqual({ id: 'bj_1', state, rows: 3 });
    expect(server.seen.map(({ path }) => path)).toEqual(Array(3).fill('/v1/bulk/jobs/bj_1'));
  });

  it('polls every 5 s', async () => {
    const { setTimeout: real } = globalThis;
    const timer = vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation((run: () => void, ms?: number) => real(run, ms === 5_000 ? 0 : ms));
    await using server = await scriptedServer(job('running'), job('done'));
    await createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 60_000 }).waitForList('bj_1');
    expect(timer.mock.calls.filter(([, ms]) => ms === 5_000)).toHaveLength(1);
  });

  it('gives up after timeoutMs, a hanging service included', async () => {
    await using working = await scriptedServer(job('running'));
    await using hanging = await scriptedServer(silence);
    for (const { baseUrl } of [working, hanging]) {
      const waiting = createClient({ apiKey, baseUrl, timeoutMs: 60_000 }).waitForList('bj_1', {
        timeoutMs: 300,
        pollMs: 50,
      });
      await expect(waiting).rejects.toMatchObject({ status: 0, code: 'timeout' });
    }
    expect(working.seen.length).toBeGreaterThan(1);
  });

  it('throws on an outage and on a job it may not see', async () => {
    await using away = await scriptedServer(job('running'), refused(500, 'internal_error'));
    await using hidden = await scriptedServer(refused(404, 'not_found'));
    const wait = (baseUrl: string) => createClient({ apiKey, baseUrl }).waitForList('bj_1', { pollMs: 1 });
    await expect(wait(away.baseUrl)).rejects.toMatchObject({ status: 500 });
    await expect(wait(hidden.baseUrl)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([{ pollMs: Number.NaN }, { pollMs: -1 }, { timeoutMs: Number.NaN }])('refuses %j', async (options) => {
    await expect(createClient({ apiKey, baseUrl: 'http://127.0.0.1:9' }).waitForList('bj_1', options)).rejects.toThrow(
      RangeError,
    );
  });
});

describe('downloadList', () => {
  it.each([
    [undefined, 'all'],
    ['deliverable', 'deliverable'],
  ] as const)('of segment %s asks for %s', async (segment, asked) => {
    await using server = await scriptedServer(bytes('email,svc_status\r\n'));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.downloadList('bj_1', segment)).toBe('email,svc_status\r\n');
    expect(server.seen).toMatchObject([{ method: 'GET', path: `/v1/bulk/jobs/bj_1/results.csv?segment=${asked}` }]);
  });

  const text = 'name,email\r\nZoë,zoe@a.example\r\n';
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16LE', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16BE', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(text, 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('reads %s', async (name, file) => {
    await using server = await scriptedServer(bytes(file));
    const csv = await createClient({ apiKey, baseUrl: server.baseUrl }).downloadList('bj_1');
    expect(csv).toBe(name === 'nothing' ? '' : text);
  });

  it('reads more than any JSON answer may have', async () => {
    const file = 'ada@a.example\n'.repeat(2 * MB);
    await using server = await scriptedServer(bytes(file));
    expect(await createClient({ apiKey, baseUrl: server.baseUrl }).downloadList('bj_1')).toBe(file);
  });

  it.each([
    ['that breaks off', cutOff],
    ['in chunks that breaks off', cutOffChunks],
  ])('a file %s is fetched again, never handed on in part', async (_, broken) => {
    await using server = await scriptedServer(broken, bytes('whole\n'));
    expect(await createClient({ apiKey, baseUrl: server.baseUrl }).downloadList('bj_1')).toBe('whole\n');
    await using never = await scriptedServer(broken);
    const client = createClient({ apiKey, baseUrl: never.baseUrl });
    await expect(client.downloadList('bj_1')).rejects.toMatchObject({ code: 'network_error' });
  });

  it('hands on no web page', async () => {
    await using server = await scriptedServer(bytes('<html>', 200, { 'content-type': 'text/html; charset=utf-8' }));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.downloadList('bj_1')).rejects.toMatchObject({ status: 200, code: 'invalid_response' });
  });

  it.each([409, 410])('throws on %i', async (status) => {
    await using server = await scriptedServer(refused(status, 'invalid_request'));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.downloadList('bj_1')).rejects.toMatchObject({ status, code: 'invalid_request' });
  });

  it.each(['../me', 'ada@example.com', ''])('refuses %j as a job id', async (id) => {
    await using server = await scriptedServer(bytes('x'));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.downloadList(id)).rejects.toMatchObject({ status: 0, code: 'invalid_request' });
    await expect(client.waitForList(id)).rejects.toMatchObject({ status: 0, code: 'invalid_request' });
    expect(server.seen).toEqual([]);
  });
});

it('a file’s way up and down has 120 s however short the client’s timeoutMs is', async () => {
  const timer = vi.spyOn(globalThis, 'setTimeout');
  await using server = await scriptedServer(created, ready, running, bytes('x'));
  const short = createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 3_333 });
  await short.verifyList('a\n');
  await short.downloadList('bj_1');
  await createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 150_000 }).downloadList('bj_1');
  const deadlines = timer.mock.calls.map(([, ms]) => ms).filter((ms) => [3_333, 120_000, 150_000].includes(ms ?? 0));
  expect(deadlines).toEqual([3_333, 120_000, 3_333, 120_000, 150_000]);
});
