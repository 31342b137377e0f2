import * as policy from '../../src/contract/policy.ts';
import { type RouteDeclaration, takesNoBody } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import { operationIdOf, titleOf } from './operation-ids.ts';
import { isKeyed, refusalsOf } from './refusals.ts';
import { samplesOf, takesTestKeys } from './samples.ts';
import type { JsonSchema, Schemas } from './schemas.ts';
import { tagOf } from './tags.ts';
import { WEBHOOKS } from './webhooks.ts';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** `/v1/traces/:trace_id` as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

export const CSV_EXAMPLE = 'Name,E-mail\nAda,ada@example.com\nBob,bob@example.com\n';

/** The service takes any JSON here, to report every fault of a policy itself. */
const DOCUMENT_OF = new Map([[policy.PutPolicyRequest, policy.PolicyDocument]]);

const METERED: Record<NonNullable<RouteDeclaration['meter']>, string> = {
  verify: 'Counts as one verification.',
  decide: 'Counts as one verification.',
  screen: 'Counts as one screening; screenings have an allowance of their own.',
  check: 'Free.',
};

/** The credentials of each kind of access. */
const NEEDS: Readonly<Record<RouteDeclaration['access'] | 'signed', string>> = {
  public: 'Needs no key.',
  signed: 'Needs no key: its signature shows who sends it.',
  bootstrap: 'Needs a token made with the service secret, which works once and for five minutes.',
  operator: 'Needs an operator key.',
  viewer: 'Needs a key of role `viewer` or above.',
  member: 'Needs a key of role `member` or above.',
  admin: 'Needs a key of role `admin`.',
};

function descriptionOf(route: RouteDeclaration): string {
  const role = NEEDS[route.signed === undefined ? route.access : 'signed'];
  const limit = (route.body ?? route.upload ?? route.signed)?.limitBytes;
  const needs = [
    role,
    route.live === true ? 'Refused to test keys.' : null,
    route.meter === null ? null : METERED[route.meter],
    limit === undefined ? null : `Body up to ${limit < 2 ** 20 ? `${limit / 1024} KB` : `${limit / 2 ** 20} MB`}.`,
  ]
    .filter((part) => part !== null)
    .join(' ');
  return `${route.summary}\n\n${needs}`;
}

function parametersOf(route: RouteDeclaration, schemas: Schemas): object[] {
  const named = (place: 'path' | 'query') => {
    const declared = place === 'path' ? route.params : route.query;
    return declared === undefined
      ? []
      : schemas.members(declared).map(({ name, required, schema: { description, ...schema } }) => ({
          name,
          in: place,
          required: place === 'path' || required,
          ...(description === undefined ? {} : { description }),
          schema,
        }));
  };
  return [
    ...named('path'),
    ...named('query'),
    ...(route.idempotent === true ? [parameter('IdempotencyKey')] : []),
    ...(route.versioned === true && route.method !== 'get' ? [parameter('IfMatch')] : []),
    // `Authorization` is a security scheme's.
    ...(route.signed?.headers ?? [])
      .filter((name) => name !== 'Authorization')
      .map((name) => ({
        name,
        in: 'header',
        required: true,
        description: 'Shows who sends it, and that it arrived unchanged.',
        schema: { type: 'string' },
      })),
  ];
}

function bodyOf(id: string, route: RouteDeclaration, schemas: Schemas): object | null {
  const { body, upload } = route;
  const webhook = WEBHOOKS[id as RouteId];
  if (webhook !== undefined) {
    const { contentType, schema, example, says } = webhook;
    return { required: true, description: says, content: { [contentType]: { schema, example } } };
  }
  if (upload !== undefined) {
    const content = { schema: { type: 'string' }, example: CSV_EXAMPLE };
    return { required: true, content: { [upload.contentType]: content } };
  }
  if (body === undefined) return null;
  const schema = schemas.use(DOCUMENT_OF.get(body.schema as never) ?? body.schema, 'input');
  return { required: !takesNoBody(route), content: { 'application/json': { schema, example: body.example } } };
}

const DONE = { 200: 'The answer.', 201: 'Created.', 202: 'Taken on.' } as const;

function answerOf(route: RouteDeclaration, schemas: Schemas, example: unknown): object {
  const { response } = route;
  const isFile = 'contentType' in response;
  const schema: JsonSchema = isFile ? { type: 'string' } : schemas.use(response.schema, 'output');
  return {
    description: isFile ? 'The file, streamed.' : DONE[route.response.status],
    headers: {
      'x-trace-id': header('TraceId'),
      ...(isKeyed(route) ? { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') } : {}),
      ...(route.versioned === true ? { ETag: header('VersionTag') } : {}),
      ...(isFile ? { 'Content-Disposition': header('ContentDisposition') } : {}),
    },
    content: {
      [isFile ? response.contentType : 'application/json']: {
        schema,
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

/** For other proofs than an account's key. */
function securityOf(id: string, { access }: RouteDeclaration): { security?: object[] } {
  if (id === 'postmarkWebhook') return { security: [{ webhookPassword: [] }] };
  if (access === 'public') return { security: [] };
  if (access === 'operator') return { security: [{ operatorKey: [] }] };
  return access === 'bootstrap' ? { security: [{ bootstrapToken: [] }] } : {};
}

/** A route's declaration as an OpenAPI operation. `example`: an answer of the service. */
export function operationOf(id: string, route: RouteDeclaration, schemas: Schemas, example: unknown): object {
  const parameters = parametersOf(route, schemas);
  const requestBody = bodyOf(id, route, schemas);
  return {
    operationId: operationIdOf(id, route),
    tags: [tagOf(route.path).name],
    summary: titleOf(id, route),
    description: descriptionOf(route),
    ...securityOf(id, route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [route.response.status]: answerOf(route, schemas, example),
      ...Object.fromEntries(
        refusalsOf(route).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
    ...(route.signed === undefined ? { 'x-codeSamples': samplesOf(operationIdOf(id, route), route) } : {}),
    ...(takesTestKeys(route) ? { 'x-test-keys': true } : {}),
  };
}
