import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { KEYED_CASES } from '../support/http-table.ts';
import { startService } from '../support/service.ts';
import { charge, dispute, invoice, item, stripeEvent, stripeSignature, subscription } from '../support/stripe.ts';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../public/openapi.json'), 'utf8'));
const service = await startService();
const mine = await service.createOrganisation();
const SECRET = 'whsec_first_secret';
const { connection } = (
  await service.call('POST', `/operator/v1/organisations/${mine.id}/connections`, service.operatorKey, {
    kind: 'stripe',
    webhook_secret: SECRET,
  })
).body;

/** Numbers that fit no integer column, time or count. */
const NUMBERS = [0.5, 1.5, 1_795_344_977.5, 1_795_344_977.123_456, 1e-7, 5e-324, 2 ** 53 + 2, 1e21, 1e308, -0, -1.5];
const TEXTS = [...NUMBERS.map(String), '0x10', '1e2', ' 5', 'Infinity', 'NaN'];

type Path = readonly (string | number)[];
type Schema = z.core.JSONSchema.BaseSchema;

/** The paths at which a schema accepts a number. */
function numberPaths(schema: Schema, path: Path = []): Path[] {
  const { type, properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = schema;
  const below = [
    ...Object.entries(properties).flatMap(([name, inner]) => numberPaths(inner as Schema, [...path, name])),
    ...(typeof additionalProperties === 'object' ? numberPaths(additionalProperties, [...path, 'x']) : []),
    ...(typeof items === 'object' && !Array.isArray(items) ? numberPaths(items, [...path, 0]) : []),
    ...[...anyOf, ...oneOf].flatMap((inner) => numberPaths(inner, path)),
  ];
  return type === 'number' || type === 'integer' ? [path, ...below] : below;
}

/** A copy with another value at a path. */
function withAt(value: unknown, [head, ...rest]: Path, leaf: unknown): unknown {
  if (head === undefined) return leaf;
  if (typeof head === 'number') return [withAt((value as unknown[] | undefined)?.[head], rest, leaf)];
  const object = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return { ...object, [head]: withAt(object[head], rest, leaf) };
}

const pathsOf = (schema: z.ZodType | undefined): Path[] =>
  schema === undefined ? [] : numberPaths(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));

/** What is read afterwards shows what was stored. */
const READS = ['/v1/usage', '/v1/traces', '/v1/policies/default', '/v1/me', '/v1/bulk/jobs'];

const CASES = KEYED_CASES.map((each) => ({
  ...each,
  bodies: pathsOf(each.route.body?.schema),
  queries: pathsOf(each.route.query),
})).filter(({ bodies, queries }) => bodies.length + queries.length > 0);

describe('a number that is not an integer, or past every bound, is not a failure of the service', () => {
  it.each(CASES)('$method $route.path', async ({ id, route, method, body, bodies, queries }) => {
    const key = route.access === 'operator' ? service.operatorKey : mine.keys.admin;
    const path = route.path.replace(':id', mine.id).replace(':slug', 'default');
    const send = id === 'mcp' ? [] : bodies.flatMap((at) => NUMBERS.map((number) => withAt(body, at, number)));
    for (const sent of send) {
      const answer = await service.call(method, path, key, sent);
      expect(answer.status, JSON.stringify([sent, answer.body])).toBeLessThan(500);
    }
    for (const [name] of queries) {
      for (const text of TEXTS) {
        const answer = await service.call(method, `${path}?${name}=${encodeURIComponent(text)}`, key, body);
        expect(answer.status, `${name}=${text}`).toBeLessThan(500);
      }
    }
    await service.passTimers(mine.id);
    expect(await service.objectOf(mine.id).object.status()).toMatchObject({ outboxDead: 0 });
    for (const read of READS) expect((await service.call('GET', read, mine.keys.admin)).status).toBe(200);
  });

  const OBJECTS: [type: string, object: object, at: Path[]][] = [
    ['invoice.paid', invoice(), [['amount_paid']]],
    [
      'customer.subscription.updated',
      subscription({ items: { object: 'list', data: [item(2_990)] } }),
      [
        ['items', 'data', 0, 'quantity'],
        ['items', 'data', 0, 'price', 'unit_amount'],
        ['items', 'data', 0, 'price', 'recurring', 'interval_count'],
      ],
    ],
    ['charge.refunded', charge(), [['amount_refunded']]],
    ['charge.dispute.created', dispute(), [['amount']]],
  ];

  it.each(OBJECTS)('a webhook of Stripe: %s', async (type, object, paths) => {
    let sent = 0;
    const post = async (change: object, changed: unknown) => {
      const body = JSON.stringify(
        stripeEvent(type, changed as object, { id: `evt_${type}_${(sent += 1)}`, ...change }),
      );
      const headers = { 'stripe-signature': stripeSignature(body, [SECRET]) };
      return (await service.call('POST', `/integrations/stripe/${connection.id}`, null, body, headers)).status;
    };
    const now = Math.floor(Date.now() / 1_000);
    for (const created of [...NUMBERS, now + 0.5, now + 0.123_456]) expect(await post({ created }, object)).toBe(200);
    for (const at of paths) {
      for (const number of NUMBERS) expect(await post({}, withAt(object, at, number))).toBe(200);
    }
  });
});

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: object }[];
}

describe('a number in a query is written in decimal digits', () => {
  const NAMED = CASES.flatMap(({ route, queries }) => queries.map(([name]) => [route, String(name)] as const));
  const OTHERWISE = ['0x5', '0b1', '1e1', '1.0', '%201', '1%20', '+7', '%2B7', '007', '-1', '1_0', '٣', '', 'Infinity'];

  it.each(NAMED.map(([route, name]) => ({ route, name })))('$route.path $name', async ({ route, name }) => {
    const key = route.access === 'operator' ? service.operatorKey : mine.keys.admin;
    const ask = async (text: string) => {
      const path = route.path.replace(':id', mine.id).replace(':slug', 'default');
      const { status, body } = await service.call(route.method, `${path}?${name}=${text}`, key);
      return [status, body.error?.message];
    };
    for (const text of OTHERWISE)
      expect(await ask(text), text).toEqual([400, `\`${name}\` must be a whole number in decimal digits.`]);
    const [, message] = await ask('1');
    expect(message ?? '').not.toContain('decimal');
  });

  it('is an integer with its bounds and default in the document', () => {
    const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path) as Operation[]);
    const inQueries = operations
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => parameter.in === 'query');
    const schemas = (of: string) => inQueries.filter(({ name }) => name === of).map(({ schema }) => schema);
    for (const [, name] of NAMED)
      for (const schema of schemas(name)) expect(schema, name).toMatchObject({ type: 'integer' });
    const limit = { type: 'integer', minimum: 1, maximum: 200, default: 50 };
    expect(schemas('limit')).toContainEqual(limit);
    const days = { type: 'integer', minimum: 1, maximum: 365, default: 90 };
    expect(schemas('window_days')).toEqual(schemas('window_days').map(() => days));
  });
});
