import { describe, expect, it, vi } from 'vitest';
import { createClient } from '../../../client/src/client.ts';
import { DOCUMENTED, describeApi } from '../../../scripts/openapi/document.ts';
import { operationIdOf } from '../../../scripts/openapi/operation-ids.ts';
import { samplesOf } from '../../../scripts/openapi/samples.ts';

type Json = Readonly<Record<string, unknown>>;

const document = (await describeApi()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
};

/** Every object inside a value, with the way to it. */
function* objectsIn(value: unknown, way = ''): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [way, value as Json];
  for (const [name, each] of Object.entries(value)) if (name !== 'example') yield* objectsIn(each, `${way}/${name}`);
}
const SCHEMAS = [...objectsIn(document.components.schemas), ...objectsIn(document.paths)];

describe('the OpenAPI document', () => {
  it('describes every field, and every parameter', () => {
    // A field may itself be called `properties`.
    const fields = SCHEMAS.flatMap(([way, { type, properties }]) =>
      [type].flat().includes('object') && properties !== undefined
        ? Object.entries(properties as Record<string, Json>).map(([name, field]) => [`${way}/${name}`, field] as const)
        : [],
    );
    const parameters = SCHEMAS.filter(([, { in: place, name }]) => place !== undefined && name !== undefined);
    expect([fields.length > 500, parameters.length > 50]).toEqual([true, true]);
    expect([...fields, ...parameters].filter(([, { description }]) => !description).map(([way]) => way)).toEqual([]);
  });

  it('has no tuple and no class of characters in a pattern: generators stumble over both', () => {
    expect(SCHEMAS.filter(([, { prefixItems }]) => prefixItems !== undefined)).toEqual([]);
    expect(SCHEMAS.filter(([, { pattern }]) => /\\p\{/i.test(String(pattern)))).toEqual([]);
  });

  it('has every route, each under a name that begins with what it does', () => {
    const named = DOCUMENTED.map(([id, route]) => operationIdOf(id, route));
    const documented = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(documented)).toEqual(new Set(named));
    expect(new Set(named).size).toBe(DOCUMENTED.length);
    expect(named.filter((name) => !/^[a-z]+[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
  });
});

describe('the samples', () => {
  const withSamples = DOCUMENTED.filter(([, { signed }]) => signed === undefined).map(([id, route]) => ({ id, route }));

  it.each(withSamples)(
    'in JavaScript of $id make the call of its route, by the client library too',
    async ({ id, route }) => {
      const calls: { url: string; init: RequestInit }[] = [];
      const answer = { status: 200, json: async () => ({}), text: async () => '' };
      const values: Readonly<Record<string, unknown>> = {
        fetch: async (url: string, init: RequestInit = {}) => calls.push({ url, init }) && answer,
        console: { log: () => undefined },
        BASE_URL: 'http://service',
        API_KEY: 'evk',
        contacts: 'a,b',
      };
      const samples = samplesOf(operationIdOf(id, route), route);
      const source = samples.find(({ label }) => label === 'JavaScript')?.source ?? '';
      const byClient = samples
        .find(({ label }) => label === 'Client')
        ?.source.replace(/^import.*$/m, '')
        .replaceAll('…', 'x');
      const AsyncFunction = (async () => undefined).constructor as new (
        ...parts: string[]
      ) => (...given: unknown[]) => Promise<void>;
      await new AsyncFunction(...Object.keys(values), source)(...Object.values(values));
      const filledIn = new Map(
        Array.from(source.matchAll(/^const (\w+) = '([^']+)'/gm), ([, name, value]) => [name, value]),
      );
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => filledIn.get(name) ?? 'left open');
      expect(calls.map(({ url }) => url)).toEqual([`http://service${path}`]);
      const { method = 'GET', headers = {}, body } = calls[0]?.init ?? {};
      expect(method).toBe(route.method.toUpperCase());
      expect('Authorization' in headers).toBe(route.access !== 'public');
      if (route.body !== undefined) expect(JSON.parse(body as string)).toEqual(route.body.example);
      if (byClient === undefined) return;
      const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ object: {} }));
      const mail = createClient({ apiKey: 'evk_test_x', baseUrl: 'http://service' });
      const given = { ...values, createClient: () => mail };
      await new AsyncFunction(...Object.keys(given), byClient)(...Object.values(given)).catch(() => undefined);
      const sent = fetched.mock.calls.map(([url, init]) => ({ url: url as string, init }));
      fetched.mockRestore();
      expect(sent.map(({ url, init }) => [url, init?.method])).toEqual([[calls[0]?.url.replaceAll('…', 'x'), method]]);
      if (route.body === undefined) return;
      const { example } = route.body;
      expect([example, { events: [example] }]).toContainEqual(JSON.parse(sent[0]?.init?.body as string));
    },
  );

  it('write true, false and null in Python as Python does, but not inside strings', () => {
    const body = { schema: document as never, limitBytes: 1, example: { a: true, b: [null, false], c: 'true "null"' } };
    const [, , python] = samplesOf('noCall', { ...DOCUMENTED[1]?.[1], body } as never);
    expect(python?.source.replaceAll(/\s+/g, ' ')).toContain(
      'json={ "a": True, "b": [ None, False ], "c": "true \\"null\\"" }',
    );
  });
});
