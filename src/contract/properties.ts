import * as z from 'zod';
import { storedTextFault } from './stored-text.ts';

/**
 * Facts sent by a caller (`attributes` of a decision, `properties` of an event): flat, few and small. They are stored,
 * so they must not contain an e-mail address.
 */

const KEYS_MAX = 20;
const BYTES_MAX = 2_048;
const KEY = /^[a-z][a-z0-9_]{0,63}$/;

const Value = z.union(
  [z.string().max(256), z.number(), z.boolean()],
  'must be text of up to 256 characters, a finite number, or true or false; leave the key out for none',
);

/**
 * A value that looks like an address is a fault at its key. An invalid key is a fault of the whole record: it may be an
 * address, and messages must not repeat it. Runs before zod reads the record, since zod drops `__proto__` silently.
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
