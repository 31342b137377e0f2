import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ErrorCode } from '../../src/contract/error.ts';
import { type Client, type ClientOptions, createClient, EmailVerificationError } from '../src/client.ts';
import { ANSWERS, CHECKED, DROP_INS, EMAIL } from './functions.ts';
import { skipPauses } from './pauses.ts';
import {
  bytes,
  cutOff,
  cutOffChunks,
  deadUrl,
  endless,
  hangUp,
  json,
  noHttp,
  type Reply,
  refused,
  scriptedServer,
  silence,
  silenceInBody,
} from './scripted-server.ts';

const apiKey = 'evk_test_key';

/** Deadlines here are 1 s or longer. */
beforeAll(() => void skipPauses(1_000));
afterAll(() => void vi.restoreAllMocks());

interface Fault {
  readonly name: string;
  readonly reply: Reply;
  readonly error: { readonly status: number; readonly code: string; readonly traceId?: string | null };
  /** Requests of a call that may be sent again. */
  readonly attempts: 1 | 3;
  /** Nothing was carried out: those of any call. */
  readonly untouched?: true;
  readonly timeoutMs?: number;
}

const NOTHING = { status: 0, code: 'network_error', traceId: null };
const TOO_LATE = { status: 0, code: 'timeout', traceId: null };
const stranger = (status: number) => ({ status, code: 'invalid_response' });

/** The service's own refusal, which the client hands on with its code and trace. */
const refusal = (name: string, status: number, code: ErrorCode, attempts: 1 | 3): Fault => ({
  name,
  reply: refused(status, code),
  error: { status, code, traceId: 'rq_1' },
  attempts,
});

const FAULTS: readonly Fault[] = [
  { name: 'silence', reply: silence, error: TOO_LATE, attempts: 1, timeoutMs: 1_000 },
  { name: 'silence in the body', reply: silenceInBody, error: TOO_LATE, attempts: 1, timeoutMs: 1_000 },
  { name: 'a closed connection', reply: hangUp, error: NOTHING, attempts: 3 },
  { name: 'a body cut off', reply: cutOff, error: NOTHING, attempts: 3 },
  { name: 'a body of chunks cut off', reply: cutOffChunks, error: NOTHING, attempts: 3 },
  { name: 'bytes that are not HTTP', reply: noHttp, error: NOTHING, attempts: 3 },
  { name: 'an empty body', reply: bytes(''), error: stranger(200), attempts: 1 },
  { name: 'no content', reply: bytes('', 204), error: stranger(204), attempts: 1 },
  { name: 'a web page', reply: bytes('<html>'), error: stranger(200), attempts: 1 },
  { name: 'JSON that breaks off', reply: bytes('{"email":"a'), error: stranger(200), attempts: 1 },
  { name: 'a JSON array', reply: json([]), error: stranger(200), attempts: 1 },
  { name: 'JSON null', reply: json(null), error: stranger(200), attempts: 1 },
  {
    name: 'bytes that are not UTF-8',
    reply: bytes(Buffer.from('7b2261223a22ff227d', 'hex')),
    error: stranger(200),
    attempts: 1,
  },
  { name: 'a redirect', reply: bytes('', 307, { location: '/elsewhere' }), error: stranger(307), attempts: 1 },
  { name: 'a page of a proxy', reply: bytes('<h1>Bad gateway', 502), error: stranger(502), attempts: 3 },
  { name: 'an error of another form', reply: json({ error: 'no' }, 500), error: stranger(500), attempts: 3 },
  refusal('a wrong or revoked key', 401, 'unauthorized', 1),
  refusal('a role too low', 403, 'forbidden', 1),
  refusal('a spent quota', 402, 'quota_exceeded', 1),
  refusal('a bad request', 400, 'invalid_request', 1),
  refusal('an unknown route', 404, 'not_found', 1),
  { ...refusal('a storm of 429', 429, 'rate_limited', 3), untouched: true },
  { name: 'a storm of a stranger’s 429', reply: bytes('<h1>Slow down', 429), error: stranger(429), attempts: 3 },
  refusal('a bug', 500, 'internal_error', 3),
  refusal('a service away', 503, 'all_providers_failed', 3),
  refusal('a service whose database is away', 503, 'dependency_unavailable', 3),
];

/** What a call ends with, and what was seen of it. */
async function observe(reply: Reply, call: (client: Client) => Promise<unknown>, options: ClientOptions) {
  await using server = await scriptedServer(reply);
  const onError = vi.fn<(error: EmailVerificationError, helper: string) => void>();
  const [settled] = await Promise.allSettled([
    call(createClient({ apiKey, baseUrl: server.baseUrl, ...options, onError })),
  ]);
  return { settled, observed: onError.mock.calls, attempts: server.seen.length };
}

const errorLike = (error: Fault['error']): unknown =>
  expect.toSatisfy((reason) => reason instanceof EmailVerificationError && matches(reason, error));

const matches = (actual: EmailVerificationError, error: Fault['error']): boolean =>
  actual.status === error.status &&
  actual.code === error.code &&
  (error.traceId === undefined || actual.traceId === error.traceId);

describe.concurrent.each(FAULTS)('$name', ({ reply, error, attempts, untouched, timeoutMs }) => {
  it('is an error of every function with a full answer, after no more requests than are safe', async () => {
    const calls = ANSWERS.map(async ({ name, call }) => ({ name, ...(await observe(reply, call, { timeoutMs })) }));
    expect(await Promise.all(calls)).toEqual(
      ANSWERS.map(({ name, repeat }) => ({
        name,
        settled: { status: 'rejected', reason: errorLike(error) },
        observed: [],
        attempts: repeat === 'never' && untouched === undefined ? 1 : attempts,
      })),
    );
  });

  it('leaves every drop-in function its fallback, seen by onError', async () => {
    const calls = DROP_INS.map(async ({ name, call }) => ({ name, ...(await observe(reply, call, { timeoutMs })) }));
    expect(await Promise.all(calls)).toEqual(
      DROP_INS.map(({ name, fallback, requests }) => ({
        name,
        settled: { status: 'fulfilled', value: fallback },
        observed: [[errorLike(error), name]],
        attempts: attempts * requests.length,
      })),
    );
  });

  it('is an error of every drop-in function where the client fails closed', async () => {
    const closed = { timeoutMs, failOpen: false };
    const calls = DROP_INS.map(async ({ name, call }) => ({ name, ...(await observe(reply, call, closed)) }));
    expect(await Promise.all(calls)).toEqual(
      DROP_INS.map(({ name, requests }) => ({
        name,
        settled: { status: 'rejected', reason: errorLike(error) },
        observed: [],
        attempts: attempts * requests.length,
      })),
    );
  });
});

it('a dead service leaves drop-in functions their fallback and is an error of the others', async () => {
  const client = createClient({ apiKey, baseUrl: await deadUrl() });
  expect(await Promise.all(DROP_INS.map(({ call }) => call(client)))).toEqual(DROP_INS.map(({ fallback }) => fallback));
  const reasons = await Promise.all(ANSWERS.map(({ call }) => call(client).catch((reason: unknown) => reason)));
  expect(reasons).toEqual(ANSWERS.map(() => errorLike(NOTHING)));
});

it('an endless answer is not read to its end', async () => {
  await using server = await scriptedServer(endless);
  const client = createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 60_000 });
  await expect(client.checkEmail(EMAIL)).rejects.toMatchObject(stranger(200));
  expect(server.seen).toHaveLength(1);
});

it('a redirect never takes the address along', async () => {
  await using elsewhere = await scriptedServer(json(CHECKED));
  await using server = await scriptedServer(bytes('', 307, { location: `${elsewhere.baseUrl}/v1/check` }));
  await expect(createClient({ apiKey, baseUrl: server.baseUrl }).checkEmail(EMAIL)).rejects.toMatchObject(
    stranger(307),
  );
  expect(elsewhere.seen).toEqual([]);
});

it.each([
  ['isValidEmail', { ...CHECKED, passes: 'yes' }, true],
  ['isDisposableEmail', { status: 1 }, false],
  ['isDomainDisposable', {}, false],
  ['getEmailProvider', { ...CHECKED, mx_provider: 7 }, null],
  ['isBusinessEmail', { ...CHECKED, email_type: 'commercial' }, true],
  ['emailType', { ...CHECKED, email_type: ['role'] }, 'unknown'],
] as const)('%s falls back on an answer without the field it needs', async (name, answer, fallback) => {
  await using server = await scriptedServer(json(answer));
  const onError = vi.fn<(error: EmailVerificationError) => void>();
  const client = createClient({ apiKey, baseUrl: server.baseUrl, onError });
  expect(await client[name](name === 'isDomainDisposable' ? 'a.example' : EMAIL)).toBe(fallback);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'invalid_response' });
});

describe('onError', () => {
  const unhandled = vi.fn<(reason: unknown) => void>();
  beforeAll(() => void process.on('unhandledRejection', unhandled));
  afterAll(() => void process.off('unhandledRejection', unhandled));

  it.each([
    [
      'throws',
      () => {
        throw new Error('theirs');
      },
    ],
    ['rejects', () => Promise.reject(new Error('theirs'))],
    ['never ends', () => new Promise(() => undefined)],
    ['is not a function', 'oops' as unknown as () => void],
  ])('breaks nothing when it %s', async (_, onError) => {
    const client = createClient({ apiKey: '', onError });
    expect(await client.isValidEmail(EMAIL)).toBe(true);
    await new Promise(setImmediate);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

it('an error shows neither the address nor the key', async () => {
  await using server = await scriptedServer(hangUp);
  const client = createClient({ apiKey, baseUrl: server.baseUrl });
  const caught = (await client.verifyEmail(EMAIL).catch((e: unknown) => e)) as EmailVerificationError;
  const shown = inspect(caught, { depth: 10, showHidden: true });
  expect(shown).not.toContain(EMAIL);
  expect(shown).not.toContain(apiKey);
});

it('the trace of an answer without an envelope is read from its header', async () => {
  await using server = await scriptedServer(bytes('<html>', 403, { 'x-trace-id': 'rq_9' }));
  const client = createClient({ apiKey, baseUrl: server.baseUrl });
  await expect(client.checkEmail(EMAIL)).rejects.toMatchObject({ status: 403, traceId: 'rq_9' });
});
