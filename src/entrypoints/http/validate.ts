import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import type * as z from 'zod';
import { findMisplaced, type Misplaced } from '../../contract/requests.ts';
import { type RouteDeclaration, takesNoBody } from '../../contract/route.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type BodyFault, readWhole } from '../../kernel/read-body.ts';
import type { RawInput } from '../../services/verb.ts';
import type { HttpEnv, ReadBody } from './env.ts';
import { firstIssue, pathText } from './issue-words.ts';

/** A part of the input as its schema reads it, or its fault. */
type Read = { readonly data: unknown } | { readonly fault: DomainError };

const TARGETS = ['param', 'query', 'json'] as const;
type Target = (typeof TARGETS)[number];

const schemasOf = ({ params, query, body }: RouteDeclaration): Readonly<Record<Target, z.ZodType | undefined>> => ({
  param: params,
  query,
  json: body?.schema,
});

/**
 * Reads a request's input by the route's schemas. Faults are values, which `inputOf` returns, because a wrong key or
 * role is reported first.
 */
export const validate = (route: RouteDeclaration): MiddlewareHandler<HttpEnv>[] => {
  const schemas = schemasOf(route);
  return TARGETS.flatMap((target): MiddlewareHandler<HttpEnv>[] => {
    const schema = schemas[target];
    if (schema === undefined) return [];
    const validator = zValidator(target, schema, undefined, {
      validationFunction: async (_, value) => ({ success: true, data: await read(route, target, schema, value) }),
    }) as MiddlewareHandler;
    if (target !== 'json') return [validator];
    return [async (c, next) => ((await bodyOf(c, route)).fault === null ? validator(c, next) : next())];
  });
};

/** What `validate` has read, or the first fault. */
export function inputOf(c: Context<HttpEnv>, route: RouteDeclaration): RawInput | DomainError {
  const fault = c.get('body')?.fault;
  if (fault) return fault;
  const schemas = schemasOf(route);
  const parts = TARGETS.map((target): Read =>
    schemas[target] === undefined ? { data: undefined } : c.req.valid(target as never),
  );
  return wholeOf(parts);
}

/** The same for input without a request, such as a tool's arguments. */
export async function parseInput(
  route: RouteDeclaration,
  { params, query, body }: RawInput,
): Promise<RawInput | DomainError> {
  const values = { param: params, query, json: body };
  const schemas = schemasOf(route);
  const reads = TARGETS.map(async (target): Promise<Read> => {
    const schema = schemas[target];
    return schema === undefined ? { data: undefined } : read(route, target, schema, values[target]);
  });
  return wholeOf(await Promise.all(reads));
}

function wholeOf(parts: readonly Read[]): RawInput | DomainError {
  const data: unknown[] = [];
  for (const part of parts) {
    if ('fault' in part) return part.fault;
    data.push(part.data);
  }
  const [params, query, body] = data;
  return { params, query, body };
}

/** Rejects only for bugs. */
async function read(route: RouteDeclaration, target: Target, schema: z.ZodType, input: unknown): Promise<Read> {
  const misplaced = target === 'json' ? findMisplaced(schema, input) : null;
  if (misplaced !== null) return { fault: misplacedFault(misplaced) };
  const result = await schema.safeParseAsync(input);
  if (!result.success) return { fault: new DomainError('invalid_request', firstIssue(result.error.issues, input)) };
  // A field of another request is refused last: what this request lacks says more.
  const isForeign = target === 'json' && findMisplaced(schema, input, () => ANYWHERE) !== null;
  const foreign = isForeign ? await placedElsewhere(route, schema, input) : null;
  return foreign === null ? { data: result.data } : { fault: misplacedFault(foreign) };
}

const JSON_TYPE = /^application\/(?:[\w.-]{1,64}\+)?json\s*(?:;|$)/i;

/** The body as Hono's validator then reads it. */
async function bodyOf(c: Context<HttpEnv>, route: RouteDeclaration): Promise<ReadBody> {
  const body = c.get('body') ?? (await readJsonBody(c, route, route.body?.limitBytes ?? 0));
  c.set('body', body);
  Object.assign(c.req.bodyCache, { text: Promise.resolve(body.text) });
  return body;
}

/** Reads the body within its limit, whatever `Content-Length` says; an empty one is `{}` if the route takes none. */
export async function readJsonBody(
  c: Context<HttpEnv>,
  route: RouteDeclaration,
  limitBytes: number,
): Promise<ReadBody> {
  const faulty = (fault: DomainError) => ({ text: '', value: undefined, fault });
  const body = await readWhole(c.req.raw, limitBytes);
  const isAbsent = body.ok && body.text === '' && takesNoBody(route);
  if (!isAbsent && !JSON_TYPE.test(c.req.header('Content-Type') ?? '')) {
    return faulty(new DomainError('invalid_request', 'Send a JSON body with `Content-Type: application/json`.'));
  }
  if (!body.ok) return faulty(textFault(body.fault, limitBytes));
  const text = isAbsent ? '{}' : body.text;
  try {
    return { text, value: JSON.parse(text), fault: null };
  } catch {
    return faulty(new DomainError('invalid_request', 'The body is not valid JSON.'));
  }
}

export function textFault(fault: BodyFault, limitBytes: number): DomainError {
  if (fault === 'too_large') return new DomainError('too_large', `The body is larger than ${limitBytes / 1024} KB.`);
  return new DomainError(
    'invalid_request',
    fault === 'not_utf8' ? 'The body is not valid UTF-8.' : 'The body broke off.',
  );
}

/** A place for every name, which finds the fields that this request does not take. */
const ANYWHERE = { belongsAt: '', of: null };

/** Loads the routes' schemas, which most isolates never need for this. */
async function placedElsewhere(route: RouteDeclaration, schema: z.ZodType, input: unknown): Promise<Misplaced | null> {
  const { placeElsewhere } = await import('../../contract/requests.ts');
  return findMisplaced(schema, input, (name) => placeElsewhere(route, name));
}

/** A misplaced field: if ignored, it would change the answer unnoticed. */
function misplacedFault({ path, belongsAt, of }: Misplaced): DomainError {
  const hint =
    of === null ? `belongs in \`${belongsAt}\`` : `is not known here: \`${of}\` takes it as \`${belongsAt}\``;
  return new DomainError('invalid_request', `\`${pathText(path)}\` ${hint}.`);
}
