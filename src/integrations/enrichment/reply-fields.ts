import * as z from 'zod';
import { parseDomain } from '../../domain/address/parse.ts';

/**
 * The shapes of replies. A field that is missing or of another type is null, so that a vendor's small change costs one
 * value and not the answer. Texts are shown and kept: they are cut to the length of a name, control characters are
 * removed, and a text with an `@` is dropped because it may be an address.
 */

const TEXT_MAX = 200;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\s]+/gu;

export const text = z
  .string()
  .transform((value) => {
    const plain = value.slice(0, TEXT_MAX).replace(UNPRINTABLE, ' ').trim();
    return plain === '' || plain.normalize('NFKC').includes('@') ? null : plain;
  })
  .nullable()
  .catch(null);
export const domainName = z
  .string()
  .transform((value) => {
    const read = parseDomain(value.trim());
    return read.ok ? read.domain : null;
  })
  .nullable()
  .catch(null);
export const count = z.number().nullable().catch(null);
export const block = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullable().catch(null);
export const texts = z.array(text).catch([]);
