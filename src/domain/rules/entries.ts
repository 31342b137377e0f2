import type { RejectedEntry } from '../../contract/rules.ts';

/** The entries read from a batch of texts. */
export interface Batch<T> {
  /** One entry for each key, as it was first named. */
  readonly found: ReadonlyMap<string, T>;
  /** By place and reason; the text itself is never repeated. */
  readonly rejected: readonly RejectedEntry[];
}

/** Reads each text; texts with the same key count once. */
export function readBatch<T extends { readonly key: string }>(
  texts: readonly string[],
  read: (text: string) => T | RejectedEntry['reason'],
): Batch<T> {
  const found = new Map<string, T>();
  const rejected: RejectedEntry[] = [];
  for (const [index, text] of texts.entries()) {
    const entry = read(text);
    if (typeof entry === 'string') rejected.push({ index, reason: entry });
    else if (!found.has(entry.key)) found.set(entry.key, entry);
  }
  return { found, rejected };
}
