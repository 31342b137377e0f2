import * as z from 'zod';

/**
 * The shapes of replies. Only the verdict's word is required: a reply without it is malformed. Any other field that is
 * missing or of another type is null, so that a vendor's small change costs a flag and not the answer.
 */

export const word = z.string().nullable().catch(null);
export const flag = z.boolean().nullable().catch(null);

/** The table's row for a vendor's word, or undefined: vendors add words without a new version. */
export const rowOf = <T>(table: Readonly<Record<string, T>>, key: string | null): T | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key] : undefined;

/** The round trip to the vendor, which its timeout does not include. */
const WAY_MS = 250;

/**
 * A vendor's timeout parameter in milliseconds, so that the vendor gives up before we do and says what it knows. When our
 * time is below the vendor's minimum, ours runs out first.
 */
export const timeoutMillis = (timeoutMs: number, min: number, max: number): number =>
  Math.min(Math.max(Math.floor(timeoutMs) - WAY_MS, min), max);

/** The same in whole seconds. */
export const timeoutSeconds = (timeoutMs: number, min: number, max: number): number =>
  Math.floor(timeoutMillis(timeoutMs, min * 1_000, max * 1_000) / 1_000);
