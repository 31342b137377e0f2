import { decodeBytes } from './cell.ts';
import type { Dialect } from './dialect.ts';
import { HEADER_ROW, type RowIndex } from './row-index.ts';
import { textRows } from './text-rows.ts';

/** A row of a file as it stands there. `number`: of its address, or `SKIPPED_ROW`. */
export interface FileRow {
  readonly cells: readonly string[];
  readonly number: number;
}

/** The header and the first rows of a file, as far as they stand whole in its first bytes. */
export function firstRows(
  head: Uint8Array,
  { starts, ends, numbers }: RowIndex,
  dialect: Dialect,
  limit: number,
): { readonly header: readonly string[] | null; readonly rows: readonly FileRow[] } {
  const rows: FileRow[] = [];
  let header: readonly string[] | null = null;
  for (let line = 0; line < ends.length && rows.length < limit && (ends[line] ?? 0) <= head.length; line += 1) {
    const cells = cellsOf(head.subarray(starts[line], ends[line]), dialect);
    const number = numbers[line] ?? HEADER_ROW;
    if (number === HEADER_ROW) header = cells;
    else rows.push({ cells, number });
  }
  return { header, rows };
}

function cellsOf(bytes: Uint8Array, { encoding, delimiter }: Dialect): readonly string[] {
  const text = encoding === 'utf-8' ? decodeBytes(bytes) : new TextDecoder(encoding).decode(bytes);
  return textRows(text, delimiter, 1)[0]?.cells ?? [];
}
