import { unquoted } from './cell.ts';
import type { Delimiter } from './dialect.ts';
import { CsvScanner } from './scan.ts';

/** A row, and where in the text it stands, without its line break. */
export interface TextRow {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The first rows of a text, cut as the file is when it is read whole. A quoted cell that the text cuts is left out with its row. */
export function textRows(text: string, delimiter: Delimiter, limit: number): TextRow[] {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i += 1) view.setUint16(2 * i, text.charCodeAt(i), true);
  const rows: TextRow[] = [];
  let cells: string[] = [];
  const scanner = new CsvScanner({ encoding: 'utf-16le', prefaceBytes: 0, delimiter }, -1, {
    cell: (from, to) => {
      if (rows.length < limit) cells.push(unquoted(text.slice(from, to)));
    },
    row: (start, end, count) => {
      // Blank lines before it left an empty cell each.
      if (rows.length < limit) rows.push({ cells: cells.slice(-count), start: start / 2, end: end / 2 });
      cells = [];
    },
  });
  scanner.write(bytes);
  scanner.end();
  return rows;
}
