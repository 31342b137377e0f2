import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, it } from 'vitest';
import { DOCUMENTED, describeApi, documentText, OPENAPI } from '../../scripts/openapi/document.ts';
import { EXAMPLES } from '../../scripts/openapi/examples.ts';
import { isKeyed, refusalsOf } from '../../scripts/openapi/refusals.ts';
import { ErrorCode } from '../../src/contract/error.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { ROUTES as CONTRACT } from '../../src/contract/routes.ts';
import { TOOLS } from '../../src/contract/mcp.ts';
import { startAmazon } from '../support/amazon.ts';
import { ApiCalls } from '../support/api-calls.ts';
import { disordered } from '../support/documented-order.ts';
import { startService } from '../support/service.ts';
import { steady } from '../support/steady.ts';

/** What a document says about one answer. */
interface Documented {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface Document {
  readonly info: { readonly description: string };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Documented>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Documented>> };
}

const document = (await describeApi({})) as Document;
const amazon = await startAmazon();
afterAll(amazon.stop);
const service = await startService({
  LOCAL_STACK: '1',
  SNS_BASE_URL: amazon.url,
  DISPOSABLE_SOURCE_URLS: `${amazon.url}/no-list`,
});
const calls = await ApiCalls.open(service, amazon);

/** The document's schema without additional properties, so that an undocumented field is a fault. */
const closed = JSON.parse(JSON.stringify(document), (_, value: Record<string, unknown> | null) =>
  value?.type === 'object' && 'properties' in value ? { additionalProperties: false, ...value } : value,
) as Document;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: 'api:/document', ...closed });

function documented(route: RouteDeclaration, status: number): { pointer: string; answer: Documented } | null {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const answer = closed.paths[path]?.[route.method]?.responses[status];
  if (answer === undefined) return null;
  const name = answer.$ref?.split('/').at(-1);
  return name === undefined
    ? { pointer: `/paths/${path.replaceAll('/', '~1')}/${route.method}/responses/${status}`, answer }
    : { pointer: `/components/responses/${name}`, answer: closed.components.responses[name] ?? {} };
}

/** Ajv's complaints about an answer; empty if it is as documented. */
function faults(route: RouteDeclaration, status: number, headers: Headers, body: unknown): unknown[] {
  const found = documented(route, status);
  if (found === null) return [`${status} is not documented: ${JSON.stringify(body)}`];
  const absent = Object.keys(found.answer.headers ?? {}).filter((name) => !headers.has(name));
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
  if (found.answer.content?.[type] === undefined) return [...absent, `${type} is not documented`];
  const pointer = `api:/document#${found.pointer}/content/${type.replaceAll('/', '~1')}/schema`;
  ajv.validate({ $ref: encodeURI(pointer) }, body);
  return [
    ...absent,
    ...(ajv.errors ?? []).map(({ instancePath, message, params }) => ({ instancePath, message, params })),
  ];
}

const ROUTES = DOCUMENTED.map(([id, route]) => ({ id, route }));
const KEYED = ROUTES.filter(({ route }) => isKeyed(route));
const answers: Record<string, unknown> = {};

describe.each(ROUTES)('the example of $id', ({ id, route }) => {
  it('is served as documented', async () => {
    const { status, headers, body } = await calls.example(id, route);
    expect({ status, body }).toMatchObject({ status: route.response.status });
    expect(faults(route, status, headers, body)).toEqual([]);
    const schema = documented(route, status)?.answer.content?.['application/json']?.schema ?? {};
    expect(disordered(document, schema, body)).toEqual([]);
    if (!(id in EXAMPLES)) answers[id] = steady(body);
  });
});

describe('the comparison', () => {
  it('finds a field that is not documented, one that is missing, a header that is missing and another status', async () => {
    const route: RouteDeclaration = CONTRACT.verify;
    const { status, headers, body } = await calls.example('verify', route);
    const { verdict: _, ...rest } = body as Record<string, unknown>;
    expect(faults(route, status, headers, { ...rest, verdict: 'valid', extra: 1 })).toHaveLength(1);
    expect(faults(route, status, headers, rest)).toHaveLength(1);
    expect(faults(route, status, new Headers({ 'content-type': 'application/json' }), body).length).toBeGreaterThan(1);
    expect(faults(route, 418, headers, body)).toHaveLength(1);
  });
});

describe('the overview', () => {
  it('names every error code with its status, those of each operation among them', () => {
    const rows = Array.from(
      document.info.description.matchAll(/^\| (\d{3}) `(\w+)` \|/gm),
      ([, status, code]) => `${status} ${code}`,
    );
    expect(new Set(rows.map((row) => row.split(' ')[1]))).toEqual(new Set(ErrorCode.options));
    const refused = DOCUMENTED.flatMap(([, route]) => refusalsOf(route)).map(({ status, code }) => `${status} ${code}`);
    expect(refused.filter((row) => !rows.includes(row))).toEqual([]);
  });

  it('names every tool of agents, and how many there are', () => {
    const [chapter = ''] = /^# Agents$[^#]+/m.exec(document.info.description) ?? [];
    expect(Array.from(chapter.matchAll(/`(\w+_\w+)`/g), ([, name]) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect([TOOLS.length, chapter.includes(' eight ')]).toEqual([8, true]);
  });
});

describe('the documented answers', () => {
  it('are those the service has given', async () => {
    await expect(await documentText(answers)).toMatchFileSnapshot(OPENAPI);
  });
});

describe('refusals are as documented', () => {
  it.each(KEYED)('$id without a key', async ({ id, route }) => {
    const { status, headers, body } = await calls.with(id, route, { key: null });
    expect(status).toBe(401);
    expect(faults(route, status, headers, body)).toEqual([]);
  });

  it.each(KEYED)('$id with a key that may do least', async ({ id, route }) => {
    const key = route.live === true ? calls.keys.test : calls.keys.viewer;
    const { status, headers, body } = await calls.with(id, route, { key });
    expect(status === 403).toBe(route.access !== 'viewer' || route.live === true);
    expect(faults(route, status, headers, body)).toEqual([]);
  });

  it.each(KEYED.filter(({ route }) => route.body !== undefined))('$id with a bad body', async ({ id, route }) => {
    const oversized = JSON.stringify({ filler: 'x'.repeat(route.body?.limitBytes ?? 0) });
    for (const [text, expected] of [
      ['{', 400],
      [oversized, 413],
    ] as const) {
      const { status, headers, body } = await calls.with(id, route, { body: text });
      expect(status).toBe(expected);
      expect(faults(route, status, headers, body)).toEqual([]);
    }
  });

  it.each(KEYED.filter(({ route }) => route.params !== undefined && route.method === 'get'))(
    '$id of something unknown',
    async ({ id, route }) => {
      const { status, headers, body } = await calls.with(id, route, {});
      expect(status).toBe(404);
      expect(faults(route, status, headers, body)).toEqual([]);
    },
  );
});
