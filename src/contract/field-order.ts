import * as z from 'zod';

type Fields = Readonly<Record<string, unknown>>;
type InOrder = (value: unknown) => unknown;

const asItIs: InOrder = (value) => value;
const known = new WeakMap<z.core.$ZodType, InOrder>();

/**
 * An answer with its fields in the contract's order, whatever the stored order (Postgres' `jsonb` keeps none). Unknown
 * fields come last; keys of an open record stay.
 */
export const inOrder = (schema: z.core.$ZodType, value: unknown): unknown => orderOf(schema)(value);

/** Each schema is read once: reading one takes longer than ordering an answer. */
function orderOf(schema: z.core.$ZodType): InOrder {
  const found = known.get(schema) ?? made(schema);
  known.set(schema, found);
  return found;
}

function made(schema: z.core.$ZodType): InOrder {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return orderOf(schema.unwrap());
  if (schema instanceof z.ZodLazy) return (value) => inOrder(schema.unwrap(), value);
  if (schema instanceof z.ZodArray) return ofEach(orderOf(schema.element));
  if (schema instanceof z.ZodObject) return ofObject(schema.shape);
  if (schema instanceof z.ZodRecord) return ofRecord(schema.keyType, orderOf(schema.valueType));
  return schema instanceof z.ZodUnion ? ofUnion(schema.options) : asItIs;
}

const ofEach =
  (order: InOrder): InOrder =>
  (value) =>
    order !== asItIs && Array.isArray(value) ? value.map(order) : value;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ofObject(shape: z.core.$ZodShape): InOrder {
  const orders = Object.entries(shape).map(([key, schema]) => [key, orderOf(schema)] as const);
  return (value) => {
    if (!isFields(value)) return value;
    const ordered: Record<string, unknown> = {};
    for (const [key, order] of orders) if (Object.hasOwn(value, key)) ordered[key] = order(value[key]);
    for (const key of Object.keys(value)) if (!Object.hasOwn(ordered, key)) ordered[key] = value[key];
    return ordered;
  };
}

/** A record's known keys come in the contract's order. */
function ofRecord(keys: z.core.$ZodType, order: InOrder): InOrder {
  const names = keys instanceof z.ZodEnum ? keys.options.map(String) : [];
  return (value) => {
    if (!isFields(value)) return value;
    const named = names.filter((name) => Object.hasOwn(value, name));
    const others = Object.keys(value).filter((key) => !names.includes(key));
    return Object.fromEntries([...named, ...others].map((key) => [key, order(value[key])]));
  };
}

/** The first form of a union whose fields are all present. */
function ofUnion(options: readonly z.core.$ZodType[]): InOrder {
  const forms = options.flatMap((option) => {
    if (!(option instanceof z.ZodObject)) return [];
    const fields = Object.entries(option.shape).filter(([, field]) => !(field instanceof z.ZodOptional));
    return [{ keys: fields.map(([key]) => key), option }];
  });
  return (value) => {
    if (!isFields(value)) return value;
    const form = forms.find(({ keys }) => keys.every((key) => Object.hasOwn(value, key)));
    return form === undefined ? value : inOrder(form.option, value);
  };
}
