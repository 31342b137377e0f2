import * as z from 'zod';

/**
 * The shapes replies are made of. A field that is missing or of another type is null, so that a vendor's small change costs
 * one value and not the answer. Text is cut: nobody's name is longer.
 */

const TEXT_MAX = 200;

export const text = z
  .string()
  .transform((value) => value.trim().slice(0, TEXT_MAX) || null)
  .nullable()
  .catch(null);
export const count = z.number().nullable().catch(null);
export const block = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullable().catch(null);
export const texts = z.array(text).catch([]);
