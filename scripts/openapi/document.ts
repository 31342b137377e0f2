import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BulkQuotaError } from '../../src/contract/bulk.ts';
import { ErrorEnvelope } from '../../src/contract/error.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { ROUTES, type RouteId } from '../../src/contract/routes.ts';
import { EXAMPLES } from './examples.ts';
import { operationOf, templateOf } from './operation.ts';
import { REFUSALS, type Refusal } from './refusals.ts';
import { readSchemas, type Schemas } from './schemas.ts';
import { usedTags } from './tags.ts';

/** The document that `/openapi.json` serves. */
export const OPENAPI = join(import.meta.dirname, '../../public/openapi.json');

/** By route. */
type Answers = Readonly<Record<string, unknown>>;

export const DOCUMENTED: readonly (readonly [id: string, route: RouteDeclaration])[] = Object.entries(
  ROUTES as Readonly<Record<string, RouteDeclaration>>,
);

const TRACE_ID = 'rq_01kjmz7c6m4f1n9t3w7x2d5k10';

const text = (description: string) => ({ description, schema: { type: 'string' } });

const HEADERS = {
  TraceId: text('The `trace_id` of the answer; of one that names none, an `rq_` id. Quote it to support.'),
  RateLimit: text('What is left of the window, and in how many seconds it is whole again: `"default";r=5999;t=60`.'),
  RateLimitPolicy: text('Requests a window, and its seconds: `"default";q=6000;w=60`.'),
  Link: text('Where the documentation explains the code: `</docs/errors#rate_limited>; rel="help"`.'),
  RetryAfter: { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  WwwAuthenticate: text('`Bearer`.'),
  VersionTag: text('The policy’s version: `"3"`.'),
  ContentDisposition: text('`attachment`, with a file name made of the job’s name.'),
};

const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Within 24 hours the same key, route and body is charged once and answered alike. While the first is at work a repeat is 409 `request_in_progress`.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
    example: 'signup-7f3a',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The version this change is made from, as `ETag` showed it, or `*`; another one is 412.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

const HEADER_COMPONENT = { 'Retry-After': 'RetryAfter', 'WWW-Authenticate': 'WwwAuthenticate' } as const;

const responseOf = (refusal: Refusal, schemas: Schemas): object => ({
  description: refusal.description,
  headers: {
    'x-trace-id': { $ref: '#/components/headers/TraceId' },
    Link: { $ref: '#/components/headers/Link' },
    ...Object.fromEntries(
      (refusal.headers ?? []).map((name) => [name, { $ref: `#/components/headers/${HEADER_COMPONENT[name]}` }]),
    ),
  },
  content: {
    'application/json': {
      schema: schemas.use(refusal.schema === 'BulkQuotaError' ? BulkQuotaError : ErrorEnvelope, 'output'),
      example: {
        error: { code: refusal.code, message: refusal.message, trace_id: TRACE_ID },
        ...(refusal.schema === 'BulkQuotaError' ? { estimate: ESTIMATE } : {}),
      },
    },
  },
});

const ESTIMATE = {
  rows_unique: 1200,
  verifications: 1200,
  skipped: 3,
  cached: 150,
  cached_estimated: false,
  to_verify: 1050,
  quota_remaining: 900,
  fits: false,
  max_cost_usd: 8.4,
  expected_cost_usd: 5.1,
  enrichment_max_cost_usd: 0,
  provider_budget_remaining_usd: null,
  not_asked: { terminal: 30, rule: 0, recent: 150, catch_all: 120, budget: 0, no_provider: 0 },
};

interface Answered {
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}

/** The answers that the document already shows. */
function shownAnswers(): Answers {
  const { paths } = JSON.parse(readFileSync(OPENAPI, 'utf8')) as { paths: Record<string, Record<string, Answered>> };
  const shown = DOCUMENTED.map(([id, { path, method, response }]) => {
    const content = paths[templateOf(path)]?.[method]?.responses[response.status]?.content ?? {};
    return [id, Object.values(content)[0]?.example] as const;
  });
  return Object.fromEntries(shown);
}

/** The OpenAPI document of every declared route. `answers`: the service's answers to each route's example. */
export async function describeApi(answers: Answers = shownAnswers()): Promise<object> {
  const schemas = await readSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, route] of DOCUMENTED) {
    const item = (paths[templateOf(route.path)] ??= {});
    item[route.method] = operationOf(id, route, schemas, EXAMPLES[id as RouteId] ?? answers[id]);
  }
  const refusals = REFUSALS.filter((refusal) => JSON.stringify(paths).includes(`/responses/${refusal.name}"`));
  const responses = Object.fromEntries(refusals.map((refusal) => [refusal.name, responseOf(refusal, schemas)]));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Email verification',
      version: 'v1',
      contact: { name: 'The people who run this service' },
      description: readFileSync(join(import.meta.dirname, 'overview.md'), 'utf8').trim(),
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: usedTags(DOCUMENTED.map(([, { path }]) => path)),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of role `viewer`, `member` or `admin`.' },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'An operator key.' },
        bootstrapToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token made with the service secret: `npm run operator -- bootstrap` makes one.',
        },
        webhookPassword: { type: 'http', scheme: 'basic', description: 'User and password of the connection.' },
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses,
      schemas: schemas.components(),
    },
  };
}

/** Members of an operation, and schemas: `paths`, path, method, member. */
const OPERATION_DEPTH = 4;

/** JSON with a line for each member down to `depth`: a change shows where it is, in two thirds of the bytes. */
const inLines = (value: unknown, depth: number): string =>
  depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)
    ? JSON.stringify(value)
    : `{\n${Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${inLines(member, depth - 1)}`)
        .join(',\n')}\n}`;

/** The document as it is committed. */
export const documentText = async (answers?: Answers): Promise<string> =>
  `${inLines(await describeApi(answers), OPERATION_DEPTH)}\n`;
