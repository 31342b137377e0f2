import * as z from 'zod';
import { parseDomain } from '../../domain/address/domain.ts';

/**
 * The shapes replies are made of. A field that is missing or of another type is null, so that a vendor's small change costs
 * one value and not the answer. It is shown and kept, for all organisations: so text is cut (no name is longer), has no
 * control character, and with an `@` in it is dropped, for it may be somebody's address.
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
