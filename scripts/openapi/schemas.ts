import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a schema describes: a request as it is sent, or an answer as it is given (defaults filled in). */
export type Side = 'input' | 'output';

export interface Schemas {
  /** The schema itself where it has no name, else a reference that makes it a component. */
  use(schema: z.ZodType, side: Side): JsonSchema;
  /** Each member of an object's schema: the parameters of a path or a query. */
  members(schema: z.ZodObject): readonly { name: string; required: boolean; schema: JsonSchema }[];
  /** Every schema that `use` has referred to, with those it refers to in turn. */
  components(): Readonly<Record<string, JsonSchema>>;
}

const CONTRACT = join(import.meta.dirname, '../../src/contract');
const PREFIX = '#/components/schemas/';

/** A number or a text stands where it is used, with what is said about it there. */
const NAMED = [z.ZodObject, z.ZodEnum, z.ZodUnion, z.ZodArray, z.ZodRecord, z.ZodLazy] as const;
const isNamed = (value: unknown): value is z.ZodType => NAMED.some((type) => value instanceof type);

const pascal = (file: string): string => file.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A component's name is that of its export; where two files have one of the same name, the second says its file too. */
async function contractRegistry() {
  const registry = z.registry<{ id: string }>();
  const taken = new Set<string>();
  for (const file of readdirSync(CONTRACT).toSorted()) {
    const exported = (await import(join(CONTRACT, file))) as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(exported)) {
      if (!isNamed(value) || registry.has(value)) continue;
      const own = z.globalRegistry.get(value)?.id ?? name;
      const id = taken.has(own) ? pascal(file.replace(/\.ts$/, '')) + own : own;
      taken.add(id);
      registry.add(value, { id });
    }
  }
  return registry;
}

const isTrimmed = ({ _zod: { def } }: z.core.$ZodTypes): boolean =>
  def.type === 'string' && def.checks?.some(({ _zod: check }) => check.def.check === 'overwrite') === true;

/** Schemas of answers stay open: a field may be added to an answer without a new version of the API. */
const open = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Record<string, unknown> }) => {
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete jsonSchema.additionalProperties;
  // Zod leaves out of a request the default of what it transforms: of a query's whole number it is the same number.
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
  // JavaScript's own bounds of an integer say nothing about the field.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // Spaces around a text don't count, which the length of a schema can't say: the description says it.
  if (isTrimmed(zodSchema)) delete jsonSchema.maxLength;
  // Classes of characters are not in every tool's regular expressions.
  if (/\\p\{/i.test(String(jsonSchema.pattern))) delete jsonSchema.pattern;
};

/** A tuple of alike items as an array of so many: generators stumble over `prefixItems`. */
function alike([first = {}, ...others]: readonly JsonSchema[], { items: _, ...rest }: JsonSchema): JsonSchema {
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new Error('the items of a published tuple must be alike');
  const length = others.length + 1;
  return { ...rest, items: first, minItems: length, maxItems: length };
}

/** Says the same in the form that generators and pages read best: `type: [integer, null]` for a plain value or null. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { anyOf, propertyNames, prefixItems, ...rest } = value as JsonSchema;
  if (Array.isArray(prefixItems)) return alike(prefixItems as JsonSchema[], rest);
  const names = JSON.stringify(propertyNames) === '{"type":"string"}' ? {} : propertyNames && { propertyNames };
  const [first, second, third] = (anyOf ?? []) as readonly JsonSchema[];
  const isNullable = second?.type === 'null' && third === undefined && typeof first?.type === 'string';
  if (isNullable && first.enum === undefined) return { ...first, ...rest, type: [first.type, 'null'] };
  return { ...rest, ...(anyOf === undefined ? {} : { anyOf }), ...(names as object | undefined) };
}

const bare = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (_key, value: unknown) => plain(value)) as JsonSchema;

/** The components a schema refers to. */
const referredBy = (schema: unknown): string[] =>
  Array.from(JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, id]) => id ?? '');

const rename = (schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const id = value.slice(PREFIX.length);
    return PREFIX + (names.get(id) ?? id);
  });

const descriptionOf = (schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): unknown =>
  typeof schema.$ref === 'string' ? all[schema.$ref.slice(PREFIX.length)]?.description : schema.description;

/** A field whose type says what it is says so itself: tools show a reference without what it refers to. */
function described(value: unknown, all: Readonly<Record<string, JsonSchema>>): unknown {
  const { type, properties } = (typeof value === 'object' && value !== null ? value : {}) as JsonSchema;
  if (![type].flat().includes('object') || properties === undefined) return value;
  const told = Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const description = schema.description ?? descriptionOf(schema, all);
    return [name, description === undefined ? schema : { ...schema, description }];
  });
  return { ...(value as object), properties: Object.fromEntries(told) as unknown };
}

/** JSON Schema of the contract's zod schemas, named as `src/contract/` names them. */
export async function readSchemas(): Promise<Schemas> {
  const registry = await contractRegistry();
  const convert = (io: Side) =>
    z.toJSONSchema(registry, { io, uri: (id) => PREFIX + id, override: open }).schemas as Record<string, JsonSchema>;
  const all: Readonly<Record<Side, Readonly<Record<string, JsonSchema>>>> = {
    input: convert('input'),
    output: convert('output'),
  };
  const used: Readonly<Record<Side, Set<string>>> = { input: new Set(), output: new Set() };

  const take = (id: string, side: Side): void => {
    if (used[side].has(id)) return;
    used[side].add(id);
    for (const each of referredBy(all[side][id] ?? {})) take(each, side);
  };

  /** Those that read differently in a request and in an answer: the request's is named so. */
  const split = (): ReadonlyMap<string, string> => {
    const differs = new Set(
      [...used.input].filter(
        (id) => used.output.has(id) && JSON.stringify(all.input[id]) !== JSON.stringify(all.output[id]),
      ),
    );
    for (let before = -1; before !== differs.size;) {
      before = differs.size;
      for (const id of used.input) {
        if (used.output.has(id) && referredBy(all.input[id]).some((each) => differs.has(each))) differs.add(id);
      }
    }
    return new Map([...differs].map((id) => [id, `${id}Input`]));
  };

  return {
    use(declared, side) {
      // What checks a form first says nothing of the form.
      const schema = declared instanceof z.ZodPipe ? (declared.out as z.ZodType) : declared;
      const id = registry.get(schema)?.id;
      if (id === undefined) {
        return bare(z.toJSONSchema(schema, { io: side, override: open }));
      }
      take(id, side);
      return { $ref: PREFIX + id };
    },
    members(schema) {
      const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', override: open });
      return Object.entries(properties).map(([name, member]) => ({
        name,
        required: required.includes(name),
        schema: member as JsonSchema,
      }));
    },
    components() {
      const names = split();
      const input = [...used.input].map((id) => [names.get(id) ?? id, rename(all.input[id] ?? {}, names)] as const);
      const output = [...used.output].map((id) => [id, all.output[id] ?? {}] as const);
      const schemas = Object.fromEntries(
        [...input, ...output]
          .map(([id, schema]) => [id, bare(schema)] as const)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      );
      return JSON.parse(JSON.stringify(schemas), (_, value: unknown) => described(value, schemas)) as typeof schemas;
    },
  };
}
