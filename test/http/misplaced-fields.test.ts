import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES } from '../../src/contract/routes.ts';
import { BODY_CASES } from '../support/http-table.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The fields of a body and of the objects in it, as the OpenAPI document shows them: those of a list's entries are not the request's. */
function fieldsOf(schema: JsonSchema): string[] {
  const forms = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])] as JsonSchema[];
  return forms.flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, inner]) => [name, ...fieldsOf(inner as JsonSchema)]),
  );
}

/** Every name, those in lists included. */
const namesIn = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([name, inner]) => [
        ...(name === 'properties' ? Object.keys(inner as object) : []),
        ...namesIn(inner),
      ]);

const MESSAGES_OF_MCP = '/mcp';
const resourceOf = (path: string): string =>
  path.slice(0, path.indexOf('v1/') + 3) + (path.split('v1/')[1]?.split('/')[0] ?? '');

const REQUESTS = BODY_CASES.filter(({ path }) => path !== MESSAGES_OF_MCP).map((request) => ({
  ...request,
  schema: z.toJSONSchema(request.route.body?.schema ?? z.never(), { io: 'input', unrepresentable: 'any' }),
}));

/** Each request, with the fields that only other requests of its resource accept. */
const TABLE = REQUESTS.map(({ id, route, method, path, schema, body }) => {
  // The schema of a policy is any JSON: its example has its fields.
  const own = new Set([...namesIn(schema), ...Object.keys(body as object)]);
  const others = REQUESTS.filter((other) => resourceOf(other.path) === resourceOf(path)).flatMap((other) =>
    fieldsOf(other.schema),
  );
  return {
    id,
    route,
    method,
    path,
    body: body as object,
    fields: [...new Set(others)].filter((name) => !own.has(name)),
  };
});

/** Routes that refuse every unknown field with a message of their own. */
const STRICT: Readonly<Record<string, RegExp>> = {
  putPolicy: /^`\w+` is not a known member\.$/,
  changeOrganisation: /a field that is not known here: `\w+`\.$/,
  putLosses: /a field that is not known here: `\w+`\.$/,
  changeConnection: /a field that is not known here: `\w+`\.$/,
};

/** `POST /v1/x` → the fields of its body. */
const TAKEN = new Map(REQUESTS.map(({ route, method, schema }) => [`${method} ${route.path}`, fieldsOf(schema)]));

describe('a field that another request of the same resource takes', () => {
  it('is asked of every route that takes JSON', () => {
    const taking = Object.entries(ROUTES).filter(([, route]) => 'body' in route);
    expect(TABLE.map(({ id }) => id).toSorted()).toEqual(taking.map(([id]) => id).toSorted());
    expect(TABLE.filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(8);
  });

  it.each(TABLE)('is 400, and the message names where it belongs: $method $route.path', async (row) => {
    const key = row.route.access === 'operator' ? service.operatorKey : mine.keys.admin;
    for (const field of row.fields) {
      const sent = { ...row.body, [field]: 'x' };
      const { status, body } = await service.call(row.method, row.path, key, sent);
      expect({ field, status, code: body.error?.code }).toEqual({ field, status: 400, code: 'invalid_request' });
      const own = STRICT[row.id];
      if (own !== undefined) {
        expect(body.error.message).toMatch(own);
        continue;
      }
      const hint = /^`(\w+)` is not known here: `([^`]+)` takes it as `(?:\w+\.)?(\w+)`\.$/.exec(body.error.message);
      expect([hint?.[1], hint?.[3]]).toEqual([field, field]);
      expect(TAKEN.get(hint?.[2] ?? '')).toContain(field);
    }
  });

  it.each([
    ['PATCH', '/v1/bulk/jobs/x', 'purpose', '`POST /v1/bulk/jobs` takes it as `purpose`'],
    ['POST', '/v1/bulk/jobs', 'notify', '`POST /v1/bulk/jobs/:id/start` takes it as `notify`'],
  ])('is named with the nearest request that takes it: %s %s with `%s`', async (method, path, field, hint) => {
    const { body } = await service.call(method, path, mine.keys.member, { [field]: 'signup' });
    expect(body.error.message).toBe(`\`${field}\` is not known here: ${hint}.`);
  });

  it('comes after what is wrong with the request itself', async () => {
    const call = async (path: string, body: object) =>
      (await service.call('POST', path, mine.keys.member, body)).body.error.message;
    expect(await call('/v1/addresses/blocklist', { email: 'a@example.com' })).toMatch(/either `emails` or `trace_ids`/);
    expect(await call('/v1/verify', { email: 'a@example.com', name: 'A', purpose: 'signup' })).toMatch(/belongs in/);
  });

  it('of another resource is ignored, as any unknown field is', async () => {
    const body = { email: 'a@example.com', name: 'Ada', webhook_secret: 'x', porpoise: 'signup' };
    expect((await service.call('POST', '/v1/verify', mine.keys.member, body)).status).toBe(200);
  });
});
