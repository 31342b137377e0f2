import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationOf, declarationsOf, namesIn, type Schema, type Schemas } from './typescript.ts';

/**
 * Types of the API's calls for the client library and for the dashboard, from the OpenAPI document. `scripts/preflight.mjs` has them
 * written before every script. openapi-typescript needs the API of TypeScript 5, which ours no longer has.
 */
const ROOT = join(import.meta.dirname, '../..');

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** What `client/src/client.ts` imports, and all that it refers to: without imports, to stand in the library's one file. */
export function clientTypes(): string {
  const { components } = JSON.parse(read('public/openapi.json')) as Document;
  const [, imported = ''] = /^import type \{([^}]*)\} from '.\/types.ts';/m.exec(read('client/src/client.ts')) ?? [];
  return declarationsOf(imported.match(/\w+/g) ?? [], components.schemas);
}

const object = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});

/** Headers of our own stand in no call of the pages: a reference to a shared parameter is one. */
function parametersOf(parameters: readonly Parameter[]): Schema {
  const own = parameters.filter(({ $ref }) => $ref === undefined);
  const places = Object.entries(Object.groupBy(own, (each) => each.in)).map(([place, here]) => {
    const properties = here.map(
      ({ name, schema, description }) =>
        [name, description === undefined ? schema : { ...schema, description }] as const,
    );
    const required = here.flatMap(({ name, required: isRequired }) => (isRequired === true ? [name] : []));
    return { place, required, schema: object(Object.fromEntries(properties), required) };
  });
  return object(
    Object.fromEntries(places.map(({ place, schema }) => [place, schema])),
    places.filter(({ required }) => required.length > 0).map(({ place }) => place),
  );
}

const contentOf = (content: Content): Schema =>
  object({ content: object(Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]))) });

const ERROR: Schema = contentOf({ 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } });

function operationType({ summary, parameters = [], requestBody, responses }: Operation): Schema {
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content !== undefined ? [[status, contentOf(content)] as const] : [],
  );
  const type = object(
    {
      parameters: parametersOf(parameters),
      ...(requestBody && { requestBody: contentOf(requestBody.content) }),
      responses: object({ ...Object.fromEntries(answers), default: ERROR }),
    },
    ['parameters', 'responses', ...(requestBody?.required === true ? ['requestBody'] : [])],
  );
  return { ...type, description: summary };
}

/** Every call of the pages in the form of openapi-fetch, which makes an array of a tuple: so these have none. */
function dashboardTypes(): string {
  const { paths, components } = JSON.parse(read('public/openapi.json'), (key, value: unknown) =>
    key === 'maxItems' ? undefined : value,
  ) as Document;
  const called = Object.entries(paths).filter(([path]) => path.startsWith('/v1/'));
  const types = called.map(([path, operations]) => {
    const byMethod = Object.entries(operations).map(([method, operation]) => [method, operationType(operation)]);
    return [path, object(Object.fromEntries(byMethod) as Record<string, Schema>)] as const;
  });
  const all = object(Object.fromEntries(types));
  const named = declarationsOf(namesIn(all), components.schemas);
  return `${declarationOf('Paths', all, components.schemas)}\n${named}`;
}

/** Whole or not at all: several scripts may start at once. */
function put(file: string, types: string): void {
  const path = join(ROOT, file);
  const text = `// Made from public/openapi.json before every npm script.\n\n${types}`;
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // A fresh clone has none.
  }
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text);
  renameSync(aside, path);
}

/** Writes both where they differ. */
export function writeTypes(): void {
  put('client/src/types.ts', clientTypes());
  put('dashboard/app/api/schema.ts', dashboardTypes());
}
