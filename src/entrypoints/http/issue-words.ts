import type * as z from 'zod';

/** The first issue in our own words: some of zod's repeat the sent value. */
export function firstIssue(issues: readonly z.core.$ZodIssue[], input: unknown): string {
  const issue = issues[0];
  if (!issue) return 'The request is malformed.';
  const field = issue.path.length === 0 ? 'The body' : `\`${pathText(issue.path)}\``;
  return `${field} ${valueAt(input, issue.path) === undefined ? 'is required' : problem(issue)}.`;
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part], input);

export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('');

/** Zod's names for types that JSON calls otherwise. */
const TYPES: Readonly<Record<string, string>> = { record: 'object', int: 'integer' };

/** Whether an enum or a union has a message of its own: zod's start like this. */
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

/** Names a field that looks like one of ours, most likely a typo. Other names may contain an address. */
const named = ([name = '']: readonly string[]): string => (/^[a-z_]{1,40}$/.test(name) ? `: \`${name}\`` : '');

const unit = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '');
