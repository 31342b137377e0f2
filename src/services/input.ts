import type * as z from 'zod';
import { findMisplaced, type Misplaced } from '../contract/misplaced.ts';
import type { RouteDeclaration } from '../contract/route.ts';
import type { PolicyChange } from '../domain/policy/policy-records.ts';
import { DomainError } from '../kernel/errors.ts';
import type { SignedBody } from '../kernel/signed-body.ts';
import type { StreamedBody } from './files.ts';

/** What came with a request, before or after its route's schemas have read it. */
export interface RawInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What came with a request, as its route's schemas have read it. */
export interface ReadInput extends RawInput {
  readonly signed: SignedBody | undefined;
  readonly upload: StreamedBody | undefined;
  /** `If-Match`, where the route is `versioned`. */
  readonly expected: PolicyChange['expected'];
}

/**
 * Reads the input by the route's schemas. Throws `invalid_request`, which names the field by its path and never repeats its
 * value.
 */
export async function readInput(route: RouteDeclaration, raw: RawInput): Promise<RawInput> {
  return {
    params: route.params && (await read(route.params, raw.params)),
    query: route.query && (await read(route.query, raw.query)),
    body: route.body && (await readBody(route, route.body.schema, raw.body)),
  };
}

async function read(schema: z.ZodType, input: unknown): Promise<unknown> {
  const result = await schema.safeParseAsync(input);
  if (result.success) return result.data;
  throw new DomainError('invalid_request', firstIssue(result.error.issues, input));
}

/**
 * Refuses a field that belongs at another place: ignored, it would change the answer unnoticed. One that belongs in another
 * request is refused last: what this request lacks says more.
 */
async function readBody(route: RouteDeclaration, schema: z.ZodType, input: unknown): Promise<unknown> {
  refuse(findMisplaced(schema, input));
  const body = await read(schema, input);
  if (findMisplaced(schema, input, () => ANYWHERE) !== null) await refuseOfAnother(route, schema, input);
  return body;
}

/** A place for every name: what is found with it is a field that this request does not take. */
const ANYWHERE = { belongsAt: '', of: null };

/** Loads the routes' schemas, which most isolates never need for this. */
async function refuseOfAnother(route: RouteDeclaration, schema: z.ZodType, input: unknown): Promise<void> {
  const { placeElsewhere } = await import('../contract/requests.ts');
  refuse(findMisplaced(schema, input, (name) => placeElsewhere(route, name)));
}

function refuse(misplaced: Misplaced | null): void {
  if (misplaced === null) return;
  const { path, belongsAt, of } = misplaced;
  const hint =
    of === null ? `belongs in \`${belongsAt}\`` : `is not known here: \`${of}\` takes it as \`${belongsAt}\``;
  throw new DomainError('invalid_request', `\`${pathText(path)}\` ${hint}.`);
}

/** The first issue in our own words: some of zod's repeat the value that came. */
function firstIssue(issues: readonly z.core.$ZodIssue[], input: unknown): string {
  const issue = issues[0];
  if (!issue) return 'The request is malformed.';
  const field = issue.path.length === 0 ? 'The body' : `\`${pathText(issue.path)}\``;
  return `${field} ${valueAt(input, issue.path) === undefined ? 'is required' : problem(issue)}.`;
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input);

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('');

/** Zod's names for types that JSON calls otherwise. */
const TYPES: Readonly<Record<string, string>> = { record: 'object', int: 'integer' };

/** Whether an enum or a union has a message of its own: zod's begin so. */
const isOurs = ({ message }: z.core.$ZodIssue): boolean => !/^Invalid (?:input|option)/.test(message);

function problem(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${TYPES[issue.expected] ?? issue.expected}`;
  if (isOurs(issue) && (issue.code === 'invalid_value' || issue.code === 'invalid_union')) return issue.message;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
  if (issue.code === 'too_small' && issue.origin === 'array' && issue.minimum === 1) return 'must not be empty';
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unit(issue.origin)}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit(issue.origin)}`;
  // Our own patterns and conditions have messages.
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'unrecognized_keys') return `has a field that is not known here${named(issue.keys)}`;
  return issue.code === 'invalid_format' && issue.format === 'regex' ? issue.message : 'is not valid';
}

/** Names a field that looks like one of ours, most likely a slip. Other names may hold an address. */
const named = ([name = '']: readonly string[]): string => (/^[a-z_]{1,40}$/.test(name) ? `: \`${name}\`` : '');

const unit = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');
