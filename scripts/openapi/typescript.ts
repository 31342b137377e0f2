/** A schema of OpenAPI 3.1, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The schemas that others refer to, by name. */
export type Schemas = Readonly<Record<string, Schema>>;

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', '\n * ')} */\n`;

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ');

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : JSON.stringify(value);

/** A number or an identifier stands as it is. */
const keyOf = (name: string): string => (/^(?:\d+|[a-z_$][\w$]*)$/i.test(name) ? name : literal(name));

const isUnion = ({ anyOf, enum: values, type }: Schema): boolean =>
  anyOf !== undefined || (values?.length ?? 0) > 1 || Array.isArray(type);

function arrayType({ items = {}, minItems, maxItems }: Schema, schemas: Schemas): string {
  const item = typeOf(items, schemas);
  if (minItems !== undefined && minItems === maxItems) return `[${Array(minItems).fill(item).join(', ')}]`;
  return isUnion(items) ? `(${item})[]` : `${item}[]`;
}

/** Members that may be missing may be `undefined` too: callers compile with `exactOptionalPropertyTypes`. */
function objectType({ properties, required = [], propertyNames, additionalProperties }: Schema, schemas: Schemas) {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, schemas) : 'unknown';
    const keys = propertyNames?.$ref;
    return keys === undefined ? `{ [key: string]: ${value} }` : `Partial<Record<${nameIn(keys)}, ${value}>>`;
  }
  const members = Object.entries(properties).map(([name, member]) => {
    const { $ref, description = $ref && schemas[nameIn($ref)]?.description } = member;
    const type = typeOf(member, schemas);
    const typed = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`;
    return `${comment(description)}${keyOf(name)}${typed};\n`;
  });
  return members.length === 0 ? '{}' : `{\n${indented(members.join(''))}}`;
}

/** TypeScript of a schema. Those that it refers to are named, and their descriptions stand where a member has none of its own. */
export function typeOf(schema: Schema, schemas: Schemas): string {
  const { $ref, anyOf, enum: values, type = 'unknown' } = schema;
  if ($ref !== undefined) return nameIn($ref);
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, schemas)).join(' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (values !== undefined) return values.map(literal).join(' | ');
  const types = [type].flat().map((name) => {
    if (name === 'integer') return 'number';
    if (name === 'array') return arrayType(schema, schemas);
    return name === 'object' ? objectType(schema, schemas) : name;
  });
  return types.join(' | ');
}

/** An exported type. */
export function declarationOf(name: string, schema: Schema, schemas: Schemas): string {
  const type = typeOf(schema, schemas);
  const declared =
    schema.properties === undefined || isUnion(schema) ? `type ${name} = ${type};` : `interface ${name} ${type}`;
  return `${comment(schema.description)}export ${declared}\n`;
}

/** Exported types of the schemas of these names and of all that they refer to, by name. A name without a schema is left out. */
export function declarationsOf(names: Iterable<string>, schemas: Schemas): string {
  const found = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name) || schemas[name] === undefined) continue;
    found.add(name);
    waiting.push(...namesIn(schemas[name]));
  }
  return [...found]
    .sort()
    .map((name) => declarationOf(name, schemas[name] ?? {}, schemas))
    .join('\n');
}

/** The schemas that something refers to. */
export const namesIn = (value: unknown): string[] =>
  Array.from(JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = '']) => name);
