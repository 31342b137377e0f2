import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { commandLine } from '../command-line.ts';

/** Types of schemas of OpenAPI 3.1. openapi-typescript does not run on this repository's TypeScript (its issue 2841). */
const ROOT = join(import.meta.dirname, '../..');
const REF = '#/components/schemas/';

export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The members of an object, those that may be missing also as `undefined`: callers compile with
 * `exactOptionalPropertyTypes`.
 */
const members = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { description, ...schema }]) => [
      name,
      required.includes(name)
        ? adapted({ ...schema, description })
        : { description, anyOf: [adapted(schema), { tsType: 'undefined' }] },
    ]),
  );

/** Translates a schema of OpenAPI 3.1 into the form that json-schema-to-typescript reads. */
function adapted({ $ref, propertyNames, minItems, maxItems, ...rest }: Schema): Schema {
  // A pair is a tuple. Any other bound would be spelt out, one form for each length.
  const schema: Schema = minItems !== undefined && minItems === maxItems ? { ...rest, minItems, maxItems } : rest;
  // A reference is resolved, not inlined, only when nothing stands beside it.
  if (typeof $ref === 'string') {
    const { description } = schema;
    const reference = { $ref: $ref.replace(REF, '#/definitions/') };
    return description === undefined ? reference : { description, allOf: [reference] };
  }
  const keys = (propertyNames as Schema | undefined)?.$ref;
  if (typeof keys === 'string') {
    const orNull = [schema['type']].flat().includes('null') ? ' | null' : '';
    return { ...schema, tsType: `Partial<Record<${keys.replace(REF, '')}, number>>${orNull}` };
  }
  const { properties, required = [], items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(isSchema(properties) && { properties: members(properties as Record<string, Schema>, required as string[]) }),
    ...(isSchema(items) && { items: adapted(items) }),
    ...(Array.isArray(anyOf) && { anyOf: (anyOf as Schema[]).map(adapted) }),
    ...(isSchema(additionalProperties) && { additionalProperties: adapted(additionalProperties) }),
  };
}

/** The schemas named so, and all that they refer to. */
export function closure(
  all: Readonly<Record<string, Schema>>,
  names: readonly string[],
  found = new Map<string, Schema>(),
) {
  for (const name of names) {
    if (found.has(name)) continue;
    const schema = all[name];
    if (schema === undefined) throw new Error(`public/openapi.json does not have the schema ${name}`);
    found.set(name, schema);
    const refers = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    closure(
      all,
      Array.from(refers, ([, to]) => to ?? ''),
      found,
    );
  }
  return found;
}

/**
 * TypeScript of a type and of the definitions that it names. `banner`: the first line. Neither is formatted.
 */
export async function typescriptOf(
  name: string,
  type: Schema,
  schemas: ReadonlyMap<string, Schema>,
  banner: string,
): Promise<string> {
  const sorted = [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const definitions = Object.fromEntries(sorted.map(([key, schema]) => [key, adapted(schema) as JSONSchema]));
  return compile({ ...adapted(type), definitions }, name, {
    additionalProperties: false,
    bannerComment: `${banner}\n`,
    format: false,
  });
}

/** A schema that refers to each of these by its name. */
export const namesAll = (names: Iterable<string>): Schema => ({
  type: 'object',
  properties: Object.fromEntries(Array.from(names, (name) => [name, { $ref: `${REF}${name}` }])),
});

/** A script that writes a file made of the document. With `--check` it writes nothing, and ends with 1 where the file differs. */
export async function typesScript(
  command: string,
  description: string,
  target: string,
  typesOf: (openapi: string) => Promise<string>,
): Promise<void> {
  const { check } = commandLine(command, description)
    .option('--check', 'write nothing; end with 1 when the file differs', false)
    .parse()
    .opts<{ check: boolean }>();
  const source = 'public/openapi.json';
  writeGenerated(target, await typesOf(readFileSync(join(ROOT, source), 'utf8')), check, command, source);
}

/** Writes a file made of `source`, formatted. With `check` it writes nothing: the process ends with 1 where the file differs. */
export function writeGenerated(target: string, text: string, check: boolean, command: string, source: string): void {
  const formatted = execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), [`--stdin-filepath=${target}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (!check) writeFileSync(join(ROOT, target), formatted);
  else if (readFileSync(join(ROOT, target), 'utf8') !== formatted) {
    console.error(`${target} differs from ${source}: run npm run ${command}.`);
    process.exitCode = 1;
  }
}
