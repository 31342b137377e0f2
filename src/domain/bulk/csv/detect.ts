import Papa from 'papaparse';
import { HEADER_ROW, type RowIndex } from './address-file.ts';
import {
  type Charset,
  type CsvLayout,
  DELIMITERS,
  type Delimiter,
  type Dialect,
  bare,
  decodeBytes,
  unitBytes,
} from './dialect.ts';
import { type ColumnHint, ROWS_JUDGED, columnOf, isAddress } from './email-column.ts';
import { headerRow, isData, isShown } from './header.ts';
import { CsvScanner, type TextRow, textRows } from './scan.ts';

/** The layout is detected from the file's first bytes. */
export const SAMPLE_BYTES = 64 * 1024;

/** The caller's hints override detection. */
export interface LayoutHints {
  readonly hasHeader: boolean | null;
  readonly emailColumn: ColumnHint;
}

export interface Detected extends CsvLayout {
  /**
   * The header's cells, or as many empty strings without a header: rows stay in the file. A cell with an address or
   * phone number is empty too. Reaches the address column even if the header is shorter.
   */
  readonly columns: readonly string[];
  /** A second column that is nearly as likely, if the caller named none. */
  readonly emailColumnOther: number | null;
  /** For the download's HTTP header; null for an ASCII sample, since the rest may have either charset. */
  readonly charset: Charset | null;
}

const MARKS: readonly (readonly [bytes: readonly number[], encoding: Dialect['encoding']])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Excel writes this line first and obeys it on reading; it is not a row. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?(?:\r*\n|\r|$)/i;

/**
 * Detects encoding, delimiter, line break, header and address column from the first 64 KB (`whole`: that is all of it).
 */
export function detect(sample: Uint8Array, whole: boolean, wishes: LayoutHints): Detected | 'empty_file' | 'not_text' {
  const [mark = [], encoding = 'utf-8'] = MARKS.find(([bytes]) => bytes.every((byte, i) => sample[i] === byte)) ?? [];
  const written = decodeSample(sample.subarray(mark.length), encoding);
  const [line = '', named] = SEPARATOR_LINE.exec(written) ?? [];
  const text = written.slice(line.length);
  // Text never contains a NUL; a zip, a workbook, a picture and UTF-16 without a mark contain many.
  if (written.includes('\0')) return 'not_text';
  if (text.trim() === '') return 'empty_file';
  const { delimiter, rows: all } = delimited(text, named as Delimiter | undefined);
  // The sample may cut the last row.
  const rows = whole || all.length === 1 ? all : all.slice(0, -1);
  const plain = rows.map((row) => row.cells.map(bare));
  const top = wishes.hasHeader === false ? 0 : headerRow(plain, wishes.emailColumn);
  const [first = [], ...below] = plain.slice(top);
  const hasHeader = wishes.hasHeader ?? (top > 0 || !isData(first, below));
  const { column: emailColumn, other: emailColumnOther } = columnOf(
    hasHeader ? first : null,
    // Untrimmed: an address alone in brackets marks a message id.
    rows.slice(hasHeader ? top + 1 : top).map((row) => row.cells),
    wishes.emailColumn,
  );
  const dialect = {
    encoding,
    prefaceBytes: mark.length + line.length * unitBytes({ encoding }),
    delimiter,
    lineBreak: lineBreakOf(text, rows),
  };
  const width = Math.max(first.length, (emailColumn ?? -1) + 1);
  return {
    dialect: top === 0 ? dialect : { ...dialect, prefaceBytes: startOfRow(sample, dialect, top) },
    hasHeader,
    emailColumn,
    emailColumnOther,
    columns: Array.from({ length: width }, (_, column) =>
      hasHeader && isShown(first[column] ?? '') ? (first[column] ?? '') : '',
    ),
    charset: encoding !== 'utf-8' || mark.length > 0 ? encoding : charsetOf(sample),
  };
}

function startOfRow(sample: Uint8Array, dialect: Dialect, row: number): number {
  const starts: number[] = [];
  new CsvScanner(dialect, -1, { row: (start) => void starts.push(start) }).write(sample);
  return starts[row] ?? dialect.prefaceBytes;
}

/** The charset of 8-bit text without a mark. The sample may cut the last character. */
function charsetOf(sample: Uint8Array): Charset | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(sample, { stream: true });
    return text.length < sample.length ? 'utf-8' : null;
  } catch {
    return 'windows-1252';
  }
}

/** A few cells with two addresses (`a@x.example; b@y.example`) don't change the delimiter. */
const CLEARLY_MORE = 1.1;

/**
 * papaparse's guess (a comma for one column), unless another delimiter makes clearly more cells addresses: the guess
 * goes by equal row lengths, and sentences with commas mislead it. `named`: the delimiter the file itself names.
 */
function delimited(text: string, named: Delimiter | undefined): { delimiter: Delimiter; rows: readonly TextRow[] } {
  const { meta } = Papa.parse<string[]>(text.replaceAll(/\r+\n?/g, '\n'), {
    newline: '\n',
    preview: 1,
    delimitersToGuess: [...DELIMITERS],
    delimiter: named ?? '',
    // A blank line is not a row of another length.
    skipEmptyLines: 'greedy',
  });
  const tried = named === undefined ? DELIMITERS : [named];
  const attempts = tried
    .toSorted((a, b) => Number(b === meta.delimiter) - Number(a === meta.delimiter))
    .map((delimiter) => {
      const rows = textRows(text, delimiter, ROWS_JUDGED);
      const addresses = rows.flatMap(({ cells }) => cells.filter((cell) => isAddress(bare(cell))));
      return { delimiter, rows, addresses: addresses.length };
    });
  return attempts.reduce((best, attempt) => (attempt.addresses > best.addresses * CLEARLY_MORE ? attempt : best));
}

/** Decodes 8-bit text line by line: lines may differ in charset, and the last may end within a character. */
function decodeSample(bytes: Uint8Array, encoding: Dialect['encoding']): string {
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes);
  const lines: string[] = [];
  for (let from = 0; from < bytes.length;) {
    const lineFeed = bytes.indexOf(0x0a, from);
    const to = lineFeed === -1 ? bytes.length : lineFeed + 1;
    lines.push(decodeBytes(bytes.subarray(from, to)));
    from = to;
  }
  return lines.join('');
}

/** CR only where no row ends with an LF. */
const lineBreakOf = (text: string, rows: readonly TextRow[]): Dialect['lineBreak'] =>
  rows.length > 1 && !rows.some(({ end }, at) => text.slice(end, rows[at + 1]?.start).includes('\n')) ? 'cr' : 'lf';

/** A row as in the file. `number`: its address's number, or `SKIPPED_ROW`. */
export interface FileRow {
  readonly cells: readonly string[];
  readonly number: number;
}

/** The header and the first rows that are complete in a file's first bytes. */
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
