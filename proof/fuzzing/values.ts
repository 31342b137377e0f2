import fc from 'fast-check';
import type { ApiDocument, Schema } from './document.ts';

const DEPTH_MAX = 5;
const LENGTH_MAX = 3;

const EMAILS = [
  'ada@business.test',
  'deliverable@example.com',
  'catch-all@example.com',
  'ada@gmial.com',
  'user+tag@gmail.com',
  'a@nxdomain.test',
  '"a b"@business.test',
  'ñandú@bücher.example',
  '用户@例え.jp',
];

/** Values that break what expects another: ends of numbers, texts that parsers stumble over, names of prototypes. */
const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  2 ** 53,
  1e308,
  0.1,
  '',
  ' ',
  '\0',
  '\u{d800}',
  '\u202e',
  '\r\nset-cookie: a=b',
  '../../etc/passwd',
  "'; drop table trace; --",
  '{{7*7}}${7*7}',
  '<script>alert(1)</script>',
  '=cmd|calc',
  '%00%ff',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(5_000),
  `${'a'.repeat(64)}@${'b.'.repeat(120)}test`,
  `a@${'xn--'.repeat(20)}.test`,
  'a@[127.0.0.1]',
  '2026-02-30T25:61:61Z',
  [],
  {},
  [[[[[[[[[[]]]]]]]]]],
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
];
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

const textOf = ({ pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<unknown> => {
  const texts = fc.string({
    minLength: Number(minLength),
    maxLength: Math.min(Number(maxLength), Number(minLength) + 60),
  });
  if (typeof pattern !== 'string') return fc.oneof(fc.constantFrom(...EMAILS), texts);
  // Some patterns are beyond the generator.
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' });
  } catch {
    return texts;
  }
};

/** Values that a schema allows, by the keywords that are supported here. */
export function valuesOf(document: ApiDocument, given: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = document.resolve(given) as Schema & {
    readonly anyOf?: readonly Schema[];
    readonly enum?: readonly unknown[];
    readonly items?: Schema;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  const inner = (each: Schema): fc.Arbitrary<unknown> => valuesOf(document, each, depth + 1);
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (depth > DEPTH_MAX) return fc.constant(null);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(inner));
  const { minimum = 0, maximum = 1_000_000 } = schema as { readonly minimum?: number; readonly maximum?: number };
  switch (schema['type']) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = Number(schema['minItems'] ?? 0);
      return fc.array(inner(schema.items ?? {}), { minLength, maxLength: Math.max(minLength, LENGTH_MAX) });
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const fields = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)]));
      return fc.record(fields, { requiredKeys: [...required] });
    }
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

/** Paths of all values inside a value. */
const placesIn = (value: unknown, at: readonly string[] = []): (readonly string[])[] => [
  at,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => placesIn(each, [...at, name]))
    : []),
];

const replaced = (value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown => {
  if (name === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = replaced(copy[name], rest, by);
  return copy;
};

/** A value with one place in it broken: changed into something hostile, taken away, or with a field too many. */
export const broken = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(fc.constantFrom(...placesIn(value)), hostile, fc.boolean()).map(([place, by, isAdded]) => {
    if (!isAdded) return replaced(value, place, by);
    const name = typeof by === 'string' ? by : 'extra';
    return replaced(value, [], { wrapped: value, [name]: by });
  });

/** Bodies that are no JSON, or JSON that a parser may choke on. */
export const rawBodies: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[',
    'null',
    '"',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '{"email":"a@b.c"',
    '['.repeat(20_000),
    `{"a":${'9'.repeat(400)}}`,
    '{}{}',
    'NaN',
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
