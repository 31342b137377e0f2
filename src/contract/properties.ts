import * as z from 'zod';

/**
 * Facts a caller sends along (`attributes` of a decision, `properties` of an event): flat, few, small, and none of them an
 * e-mail address, for they are stored.
 */

const KEYS_MAX = 20;
const BYTES_MAX = 2_048;
const KEY = /^[a-z][a-z0-9_]{0,63}$/;

/** Names every object has already: read back from an object, such a key would answer although nobody sent it. */
const RESERVED: ReadonlySet<string> = new Set(['constructor', 'prototype']);

/** An address anywhere in a text, with or without a name around it. Each part stops at the next @: linear. */
const ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]/u;

/** Postgres' JSON takes neither. */
const STORABLE = /^[^\0\p{Cs}]*$/u;

const Value = z.union([z.string().max(256), z.number(), z.boolean()]);

const isKey = (key: string): boolean => KEY.test(key) && !RESERVED.has(key);

/**
 * A value that looks like an address is a fault of its key. A bad key is a fault of the whole, so that no message repeats
 * it: a key can hold an address too. Looked at before the record is read, which would leave `__proto__` out in silence.
 */
const checkKeys = (input: unknown, context: z.RefinementCtx): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  if (Object.keys(input).every(isKey)) return input;
  context.addIssue({
    code: 'invalid_format',
    format: 'regex',
    message: `has a key that does not match ${KEY.source} or is reserved`,
  });
  return z.NEVER;
};

const Properties = z
  .record(z.string().regex(KEY), Value)
  .superRefine((properties, context) => {
    if (Object.keys(properties).length > KEYS_MAX)
      context.addIssue({ code: 'too_big', origin: 'array', maximum: KEYS_MAX, inclusive: true, input: properties });
    if (new TextEncoder().encode(JSON.stringify(properties)).byteLength > BYTES_MAX)
      context.addIssue({
        code: 'invalid_format',
        format: 'regex',
        message: `must be at most ${BYTES_MAX} bytes of JSON`,
      });
    for (const [key, value] of Object.entries(properties)) {
      if (typeof value === 'string' && !STORABLE.test(value))
        context.addIssue({
          code: 'invalid_format',
          format: 'regex',
          path: [key],
          message: 'must not hold a NUL or half a surrogate pair',
        });
      if (typeof value === 'string' && ADDRESS.test(value))
        context.addIssue({
          code: 'invalid_format',
          format: 'regex',
          path: [key],
          message: 'must not hold an e-mail address',
        });
    }
  })
  .meta({ maxProperties: KEYS_MAX });

export const FlatProperties = z.preprocess(checkKeys, Properties);
export type FlatProperties = z.infer<typeof FlatProperties>;
