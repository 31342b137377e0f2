import { closure, type Schema, typescriptOf, typesScript } from './typescript.ts';

/**
 * Writes `dashboard/app/api/schema.ts` from `public/openapi.json`: the paths as openapi-fetch reads them. With `--check` it
 * writes nothing and ends with 1 when the file differs.
 */
const TARGET = 'dashboard/app/api/schema.ts';

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

const object = (properties: Readonly<Record<string, Schema>>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});

/** Headers of our own stand in no call of the pages: a reference to a shared parameter is one. */
function parametersOf(parameters: readonly Parameter[]): Schema {
  const own = parameters.filter(({ $ref }) => $ref === undefined);
  const places = [...new Set(own.map((each) => each.in))];
  const byPlace = places.map((place) => {
    const here = own.filter((each) => each.in === place);
    const properties = Object.fromEntries(
      here.map(({ name, schema, description }) => [name, { ...schema, description }]),
    );
    const required = here.flatMap(({ name, required: isRequired }) => (isRequired === true ? [name] : []));
    return [place, object(properties, required)] as const;
  });
  const needed = byPlace.filter(([, { required }]) => (required as string[]).length > 0).map(([place]) => place);
  return object(Object.fromEntries(byPlace), needed);
}

const contentOf = (content: Content): Schema =>
  object({ content: object(Object.fromEntries(Object.entries(content).map(([type, { schema }]) => [type, schema]))) });

const ERROR: Schema = contentOf({ 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } });

function operationType({ summary, parameters = [], requestBody, responses }: Operation): Schema {
  const answers = Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content !== undefined ? [[status, contentOf(content)] as const] : [],
  );
  return {
    ...object(
      {
        parameters: parametersOf(parameters),
        ...(requestBody && { requestBody: contentOf(requestBody.content) }),
        responses: object({ ...Object.fromEntries(answers), default: ERROR }),
      },
      ['parameters', 'responses', ...(requestBody?.required === true ? ['requestBody'] : [])],
    ),
    description: summary,
  };
}

/** openapi-fetch makes an array of a tuple: both have to be the same here. */
function withoutTuples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTuples);
  if (typeof value !== 'object' || value === null) return value;
  const { minItems, maxItems, ...rest } = value as Schema;
  const entries = Object.entries(rest).map(([name, each]) => [name, withoutTuples(each)]);
  return Object.fromEntries(entries);
}

async function typesOf(openapi: string): Promise<string> {
  const { paths, components } = withoutTuples(JSON.parse(openapi)) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const called = Object.entries(paths).filter(([path]) => path.startsWith('/v1/'));
  const types = called.map(([path, methods]) => {
    const operations = Object.entries(methods).map(
      ([method, operation]) => [method, operationType(operation)] as const,
    );
    return [path, object(Object.fromEntries(operations))] as const;
  });
  const named = JSON.stringify(types).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  const schemas = closure(
    components.schemas,
    Array.from(named, ([, name]) => name ?? ''),
  );
  const banner = '// Written by `npm run dashboard:types` from public/openapi.json.';
  const text = await typescriptOf('Paths', object(Object.fromEntries(types)), schemas, banner);
  // openapi-fetch looks for statuses that are numbers.
  return text.replaceAll(/"(\d{3})":/g, '$1:');
}

await typesScript('dashboard:types', "Writes the dashboard's types from the OpenAPI document.", TARGET, typesOf);
