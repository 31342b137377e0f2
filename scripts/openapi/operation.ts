import * as policy from '../../src/contract/policy.ts';
import { type RouteDeclaration, takesNoBody } from '../../src/contract/route.ts';
import { curlOf } from './curl.ts';
import { refusalsOf } from './refusals.ts';
import type { JsonSchema, Schemas } from './schemas.ts';
import { tagOf } from './tags.ts';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` });

/** `/v1/traces/:trace_id` as OpenAPI writes it. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

export const CSV_EXAMPLE = 'Name,E-mail\nAda,ada@example.com\nBob,bob@example.com\n';

/** `listBlockedDomains`: "List blocked domains"; `traces`: "List traces"; `trace`: "Get trace". */
function titleOf(id: string, { method, query }: RouteDeclaration): string {
  const isNoun = method === 'get' && !/^(?:list|estimate)/.test(id);
  const verb = !isNoun ? '' : query !== undefined && 'limit' in query.shape ? 'list ' : 'get ';
  const words = verb + id.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The service takes any JSON here, to name every fault of a policy itself. */
const DOCUMENT_OF = new Map([[policy.PutPolicyRequest, policy.PolicyDocument]]);

const METERED: Record<NonNullable<RouteDeclaration['meter']>, string> = {
  verify: 'Counts as one verification.',
  decide: 'Counts as one verification.',
  screen: 'Counts as one screening; screenings have an allowance of their own.',
  check: 'Free.',
};

function descriptionOf(route: RouteDeclaration): string {
  if (route.access === 'public') return `${route.summary}\n\nNeeds no key.`;
  const role = `Needs a key of role \`${route.access}\`${route.access === 'admin' ? '' : ' or above'}.`;
  const limit = route.body?.limitBytes ?? route.upload?.limitBytes;
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
  ];
}

function bodyOf(route: RouteDeclaration, schemas: Schemas): object | null {
  const { body, upload } = route;
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
      ...(route.access === 'public'
        ? {}
        : { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') }),
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

/** A route's declaration as an OpenAPI operation. `example`: an answer the service has given. */
export function operationOf(id: string, route: RouteDeclaration, schemas: Schemas, example: unknown): object {
  const parameters = parametersOf(route, schemas);
  const requestBody = bodyOf(route, schemas);
  return {
    operationId: id,
    tags: [tagOf(route.path).name],
    summary: titleOf(id, route),
    description: descriptionOf(route),
    ...(route.access === 'public' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      [route.response.status]: answerOf(route, schemas, example),
      ...Object.fromEntries(
        refusalsOf(route).map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route) }],
  };
}
