import * as z from 'zod';
import { storedTextFault } from './stored-text.ts';

/**
 * Facts a caller sends along (`attributes` of a decision, `properties` of an event): flat, few, small, and none of them an
 * e-mail address, for they are stored.
 */

const KEYS_MAX = 20;
const BYTES_MAX = 2_048;
const KEY = /^[a-z][a-z0-9_]{0,63}$/;

const Value = z.union(
  [z.string().max(256), z.number(), z.boolean()],
  'must be text of up to 256 characters, a finite number, or true or false; leave the key out for none',
);

/**
 * A value that looks like an address is a fault of its key. A bad key is a fault of the whole, so that no message repeats
 * it: a key can hold an address too. Looked at before the record is read, which would leave `__proto__` out in silence.
 */
const checkKeys = (input: unknown, context: z.RefinementCtx): unknown => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const keys = Object.keys(input);
  if (keys.every((key) => KEY.test(key))) return input;
  const place = keys.findIndex((key) => !KEY.test(key)) + 1;
  context.addIssue({
    code: 'custom',
    message: `has a key (no. ${place} of ${keys.length}) that is not 1 to 64 of a-z, 0-9 and _ with a letter first`,
  });
  return z.NEVER;
};

const Properties = z
  .record(z.string().regex(KEY), Value)
  .superRefine((properties, context) => {
    if (Object.keys(properties).length > KEYS_MAX)
      context.addIssue({ code: 'too_big', origin: 'array', maximum: KEYS_MAX, inclusive: true, input: properties });
    if (new TextEncoder().encode(JSON.stringify(properties)).byteLength > BYTES_MAX)
      context.addIssue({ code: 'custom', message: `must be at most ${BYTES_MAX} bytes of JSON` });
    for (const [key, value] of Object.entries(properties)) {
      const fault = typeof value === 'string' ? storedTextFault(value) : null;
      if (fault !== null) context.addIssue({ code: 'custom', path: [key], message: fault });
    }
  })
  .meta({ maxProperties: KEYS_MAX });

export const FlatProperties = z.preprocess(checkKeys, Properties);
export type FlatProperties = z.infer<typeof FlatProperties>;
