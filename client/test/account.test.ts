import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { operationIdOf } from '../../scripts/openapi/operation-ids.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import { type Client, createClient, EmailVerificationError } from '../src/client.ts';
import { ANSWERS, CHECKED, DROP_INS, EMAIL } from './functions.ts';
import { skipPauses } from './pauses.ts';
import { hangUp, json, refused, type ScriptedServer, type Seen, scriptedServer, silence } from './scripted-server.ts';

const apiKey = 'evk_test_key';
const clientOf = (server: ScriptedServer, options = {}) =>
  createClient({ apiKey, baseUrl: server.baseUrl, ...options });

type Anything = (...given: readonly unknown[]) => Promise<unknown>;

/** Functions whose operation has another name, and how their argument stands in the body. */
const OTHERS: Readonly<Record<string, { readonly operation: string; readonly as?: string }>> = {
  decide: { operation: 'decideSignup' },
  reportOutcomes: { operation: 'reportOutcome', as: 'outcomes' },
  importOutcomes: { operation: 'importOutcomes', as: 'outcomes' },
  sendEvents: { operation: 'sendEvents', as: 'events' },
  pasteBulkEmails: { operation: 'pasteBulkEmails', as: 'emails' },
};
const LISTS: Readonly<Record<string, readonly unknown[]>> = {
  outcomes: [{ trace_id: 'vr_1' }],
  events: [{ trace_id: 'vr_1' }],
  emails: [EMAIL],
};
const READS = new Set(['/v1/check', '/v1/domains/check', '/v1/addresses/check']);

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const OPERATIONS = new Map(
  Object.entries<RouteDeclaration>(ROUTES).map(([id, route]) => [operationIdOf(id, route), route] as const),
);
const KNOWN = new Set([
  ...[...DROP_INS, ...ANSWERS].map(({ name }) => name as string),
  'uploadBulkFile',
  'downloadList',
  'isValidContactListEmail',
]);
const FUNCTIONS = Object.keys(createClient({ apiKey })).filter((name) => !KNOWN.has(name));

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a function of the account is given: what stands in its path, then what it sends. */
function givenOf(name: string) {
  const { operation, as } = OTHERS[name] ?? { operation: name };
  const route = OPERATIONS.get(operation) as RouteDeclaration;
  const ids = [...route.path.matchAll(/:\w+/g)].map(() => 'it-1');
  const example = LISTS[as ?? ''] ?? route.body?.example;
  const input = route.body !== undefined ? [example] : route.query !== undefined ? [{ limit: 3, version: null }] : [];
  return { route, as, ids, example, input };
}

describe('all functions together', () => {
  const given = (name: string) => {
    const { ids, input } = givenOf(name);
    return [...ids, ...input];
  };
  const calls: readonly ((client: Client) => Promise<unknown>)[] = [
    ...[...DROP_INS, ...ANSWERS].map(({ call }) => call),
    ({ uploadBulkFile }) => uploadBulkFile('bj_1', 'email\n'),
    ({ downloadList }) => downloadList('bj_1'),
    ...FUNCTIONS.map((name) => (client: Client) => (client[name as 'getUsage'] as Anything)(...given(name))),
  ];

  it('call every operation of the OpenAPI document that a key may call', async () => {
    await using server = await scriptedServer(json({ ...CHECKED, status: 'none', job: { id: 'bj_1', state: 'done' } }));
    for (const call of calls) await call(clientOf(server));
    const { paths } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../public/openapi.json'), 'utf8'),
    ) as Document;
    const isForKeys = (path: string) => path === '/health' || path.startsWith('/v1/');
    const operations = Object.entries(paths)
      .filter(([path]) => isForKeys(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => ({
          operationId,
          asked: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?.*)?$`),
        })),
      );
    const called = (asked: RegExp) => server.seen.some(({ method, path }) => asked.test(`${method} ${path}`));
    const missing = operations.filter(({ asked }) => !called(asked)).map(({ operationId }) => operationId);
    // For a person who has signed in a moment ago: every key is refused.
    const people = [...OPERATIONS].filter(([, { fresh }]) => fresh === true).map(([id]) => id);
    expect(missing).toEqual(people);
  });

  it('send no write twice without an Idempotency-Key, when its answer was lost', async () => {
    skipPauses(4_900);
    for (const call of calls) {
      await using server = await scriptedServer(hangUp);
      await call(clientOf(server)).catch(() => undefined);
      for (const seen of Map.groupBy(server.seen, ({ path }) => path).values()) {
        const sent = seen.map(({ method, path, headers, body }) => [method, path, headers['idempotency-key'], body]);
        const [first] = sent;
        const key = first?.[2];
        // The service reads these by POST, so that no address gets into a URL.
        const reads = first?.[0] === 'GET' || READS.has(String(first?.[1]));
        expect(sent, String(first?.[1])).toEqual(Array(reads || key !== undefined ? 3 : 1).fill(first));
      }
    }
  });
});

describe.each(FUNCTIONS)('%s', (name) => {
  const { route, as, ids, example, input } = givenOf(name);
  const path = route.path.replaceAll(/:\w+/g, 'it-1');

  it('sends what the contract says and returns the answer as it came', async () => {
    await using server = await scriptedServer(json({ some: 'answer' }));
    const call = clientOf(server)[name as 'getUsage'] as Anything;
    expect(await call(...ids, ...input, { ifMatch: '"3"' })).toEqual({ some: 'answer' });
    const { method, path: asked, headers, body } = server.seen[0] as Seen;
    expect([method, asked]).toEqual([route.method.toUpperCase(), route.query === undefined ? path : `${path}?limit=3`]);
    const sent = route.body === undefined ? '' : JSON.stringify(as === undefined ? example : { [as]: example });
    expect(String(body)).toBe(sent);
    expect(headers['idempotency-key'] !== undefined).toBe(route.idempotent === true);
    expect(headers['if-match']).toBe('"3"');
  });

  it('is given up by its signal', async () => {
    await using server = await scriptedServer(silence);
    const call = clientOf(server)[name as 'getUsage'] as Anything;
    const given = new AbortController();
    const answer = call(...ids, ...input, { signal: given.signal });
    given.abort('enough');
    await expect(answer).rejects.toMatchObject({ code: 'aborted', status: 0, cause: 'enough' });
  });

  it.runIf(ids.length > 0)('lets no address and no way out of its path into the URL', async () => {
    await using server = await scriptedServer(json({}));
    const call = clientOf(server)[name as 'getUsage'] as Anything;
    for (const id of ['..', EMAIL, 'a/b', ''])
      await expect(call(id, ...input)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(server.seen).toEqual([]);
  });
});

describe('a signal', () => {
  it('makes no call when it was aborted before', async () => {
    await using server = await scriptedServer(json(CHECKED));
    const { verifyEmail } = clientOf(server);
    await expect(verifyEmail(EMAIL, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    expect(server.seen).toEqual([]);
  });

  it('ends a wait between two looks', async () => {
    await using server = await scriptedServer(json({ job: { id: 'bj_1', state: 'running' } }));
    const given = new AbortController();
    const waiting = clientOf(server).waitForList('bj_1', { pollMs: 60_000, signal: given.signal });
    await vi.waitFor(() => expect(server.seen).toHaveLength(1));
    given.abort();
    await expect(waiting).rejects.toBeInstanceOf(EmailVerificationError);
  });
});

describe('a set-up that is wrong', () => {
  it.each([
    ['a key that the service refuses', refused(401, 'unauthorized'), {}],
    ['a key whose role is too low', refused(403, 'forbidden'), {}],
    ['no key', json(CHECKED), { apiKey: '' }],
  ] as const)('is told once on the console, however many clients there are: %s', async (_, reply, options) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await using server = await scriptedServer(reply);
    for (const email of [EMAIL, 'ada@example.com', EMAIL])
      expect(await clientOf(server, options).isValidEmail(email)).toBe(true);
    await vi.waitFor(() => expect(warned).toHaveBeenCalledTimes(1));
    expect(warned.mock.calls.flat().join(' ')).not.toMatch(/@|evk_|example/);
  });

  it('goes to `onError` alone where there is one, and an outage to nothing', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const onError = vi.fn();
    await using server = await scriptedServer(refused(401, 'unauthorized'), refused(503, 'dependency_unavailable'));
    await clientOf(server, { onError }).isValidEmail(EMAIL);
    await clientOf(server, { timeoutMs: 200 }).isValidEmail(EMAIL);
    expect([onError.mock.calls.length, warned.mock.calls]).toEqual([1, []]);
  });
});
