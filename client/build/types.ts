import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { commandLine } from '../../scripts/command-line.ts';

/**
 * Writes `client/src/types.ts` from `public/openapi.json`. With `--check` it writes nothing and ends with 1 when the file
 * differs.
 */
const ROOT = join(import.meta.dirname, '../..');
const TARGET = 'client/src/types.ts';
const REF = '#/components/schemas/';

/** The schemas that the client's functions take and return, and those that they refer to. */
const USED = [
  'CheckResult',
  'Verification',
  'VerificationContext',
  'ScreeningResult',
  'DomainStanding',
  'AddressStanding',
  'DomainList',
  'AddressList',
  'RulesAdded',
  'RulesRemoved',
  'BulkJob',
  'ErrorCode',
];

type Schema = Readonly<Record<string, unknown>>;

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
function adapted({ $ref, prefixItems, propertyNames, ...schema }: Schema): Schema {
  // A reference is resolved, not inlined, only when nothing stands beside it.
  if (typeof $ref === 'string') {
    const { description } = schema;
    const reference = { $ref: $ref.replace(REF, '#/definitions/') };
    return description === undefined ? reference : { description, allOf: [reference] };
  }
  if (prefixItems !== undefined) return { ...schema, items: (prefixItems as Schema[]).map(adapted) };
  const keys = (propertyNames as Schema | undefined)?.$ref;
  if (typeof keys === 'string') return { ...schema, tsType: `Partial<Record<${keys.replace(REF, '')}, number>>` };
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
function closure(all: Readonly<Record<string, Schema>>, names: readonly string[], found = new Map<string, Schema>()) {
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

async function typesOf(openapi: string): Promise<string> {
  const { components } = JSON.parse(openapi) as { components: { schemas: Record<string, Schema> } };
  const schemas = closure(components.schemas, USED);
  const sorted = [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const definitions = Object.fromEntries(sorted.map(([name, schema]) => [name, adapted(schema) as JSONSchema]));
  // A type that names them all is added and removed again: without it the generator comments on each.
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  const text = await compile({ type: 'object', properties, definitions }, 'All', {
    additionalProperties: false,
    bannerComment: '// Written by `npm run client:types` from public/openapi.json.\n',
    format: false,
  });
  return text.replace(/export interface All \{[^}]*\}\n/, '');
}

const formatted = (text: string): string =>
  execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', `--stdin-file-path=${TARGET}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });

const { check } = commandLine('client:types', "Writes the client library's types from the OpenAPI document.")
  .option('--check', 'write nothing; end with 1 when the file differs')
  .parse()
  .opts<{ check?: true }>();
const text = formatted(await typesOf(readFileSync(join(ROOT, 'public/openapi.json'), 'utf8')));
if (check !== true) writeFileSync(join(ROOT, TARGET), text);
else if (readFileSync(join(ROOT, TARGET), 'utf8') !== text) {
  console.error(`${TARGET} differs from public/openapi.json: run npm run client:types.`);
  process.exitCode = 1;
}
