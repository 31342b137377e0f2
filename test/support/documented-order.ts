/** The parts of a schema that decide the order of fields. */
interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: { readonly enum?: readonly string[] };
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Places where an answer's fields are in another order than in the OpenAPI document. */
export function disordered(document: object, schema: Schema, value: unknown, place = ''): string[] {
  if (schema.$ref !== undefined) {
    const parts = schema.$ref.replace('#/', '').split('/');
    const found = parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document);
    return disordered(document, found as Schema, value, place);
  }
  if (typeof value !== 'object' || value === null) return [];
  const inside = (inner: Schema, each: unknown, key: string | number): string[] =>
    disordered(document, inner, each, `${place}/${key}`);
  if (Array.isArray(value)) return value.flatMap((each, i) => inside(schema.items ?? {}, each, i));
  const { properties, required = [], anyOf, additionalProperties } = schema;
  const has = (option: Schema): boolean => (option.required ?? []).every((key) => key in value);
  if (anyOf !== undefined) return disordered(document, anyOf.find(has) ?? {}, value, place);
  const keys = Object.keys(value);
  const order = properties === undefined ? (schema.propertyNames?.enum ?? []) : Object.keys(properties);
  const expected = order.filter((key) => keys.includes(key));
  const isWrong = keys.filter((key) => order.includes(key)).join() !== expected.join();
  const rest = typeof additionalProperties === 'object' ? additionalProperties : {};
  const open = required.length === 0 && properties === undefined ? rest : {};
  return [
    ...(isWrong ? [`${place}: ${keys.join()}`] : []),
    ...Object.entries(value).flatMap(([key, each]) => inside(properties?.[key] ?? open, each, key)),
  ];
}
