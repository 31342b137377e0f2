import Papa from 'papaparse';
import { bare, decodeBytes } from './cell.ts';
import { type Charset, DELIMITERS, type Delimiter, type Dialect, unitBytes } from './dialect.ts';
import { type ColumnHint, columnOf, isAddress, ROWS_JUDGED } from './email-column.ts';
import { isData } from './header.ts';
import type { CsvLayout } from './layout.ts';
import { isShown } from './personal.ts';

/** Layout is detected from this many bytes at the file's start. */
export const SAMPLE_BYTES = 64 * 1024;

/** What the caller said about the file; it overrides what is detected. */
export interface LayoutHints {
  readonly hasHeader: boolean | null;
  readonly emailColumn: ColumnHint;
}

export interface Detected extends CsvLayout {
  /**
   * The header's cells, or as many empty strings without a header: rows stay in the file. A cell with an address or a
   * phone number is empty too. The list reaches the column of addresses even when the header line is shorter.
   */
  readonly columns: readonly string[];
  /** For the download's HTTP header; null where the sample is ASCII, since the rest may have either charset. */
  readonly charset: Charset | null;
}

const MARKS: readonly (readonly [bytes: readonly number[], encoding: Dialect['encoding']])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
];

/** Excel writes this line first and obeys it when it reads the file; it is not a row. */
const SEPARATOR_LINE = /^"?sep=([,;\t|])"?(?:\r*\n|\r|$)/i;

/**
 * How a file is written, from its first 64 KB (`whole`: that is all of it): encoding, delimiter, line break, header and
 * the column that holds addresses.
 */
export function detect(sample: Uint8Array, whole: boolean, wishes: LayoutHints): Detected | 'empty_file' | 'not_text' {
  const [mark = [], encoding = 'utf-8'] = MARKS.find(([bytes]) => bytes.every((byte, i) => sample[i] === byte)) ?? [];
  const written = decodeSample(sample.subarray(mark.length), encoding);
  const [line = '', named] = SEPARATOR_LINE.exec(written) ?? [];
  const text = written.slice(line.length);
  // Text never holds a NUL; a zip, a workbook, a picture and UTF-16 without its mark hold many.
  if (written.includes('\0')) return 'not_text';
  if (text.trim() === '') return 'empty_file';
  const lineBreak = lineBreakOf(text);
  const { delimiter, data } = delimited(text, lineBreak === 'cr' ? '\r' : '\n', named as Delimiter | undefined);
  // Blank lines are not rows. The CR of a CRLF is still part of the line.
  const rows = data
    .filter(([cell = '', ...more]) => more.length > 0 || !/^\r*$/.test(cell))
    .map((row) => row.map(bare));
  // The sample may cut the last row.
  if (!whole && rows.length > 1) rows.pop();
  const first = rows[0] ?? [];
  const hasHeader = wishes.hasHeader ?? !isData(first, rows.slice(1));
  const emailColumn = columnOf(hasHeader ? first : null, hasHeader ? rows.slice(1) : rows, wishes.emailColumn);
  const prefaceBytes = mark.length + line.length * unitBytes({ encoding });
  const width = Math.max(first.length, (emailColumn ?? -1) + 1);
  return {
    dialect: { encoding, prefaceBytes, delimiter, lineBreak },
    hasHeader,
    emailColumn,
    columns: Array.from({ length: width }, (_, column) =>
      hasHeader && isShown(first[column] ?? '') ? (first[column] ?? '') : '',
    ),
    charset: encoding !== 'utf-8' || mark.length > 0 ? encoding : charsetOf(sample),
  };
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

/** A quoted name with an address in brackets, as a cell of its own. papaparse takes its closing quote for text. */
const NAMED_CELL = /(?<=^|[,;\t|\r\n])"[^"\r\n]+"[^\S\r\n]*<[^\s<>",;|]+@[^\s<>",;|]+>(?=[^\S\r\n]*(?:[,;\t|\r\n]|$))/g;

/** A few cells with two addresses (`a@x.example; b@y.example`) don't change the delimiter. */
const CLEARLY_MORE = 1.1;

/**
 * papaparse's guess (a comma for one column), unless another delimiter makes clearly more cells addresses. The guess goes
 * by equal row lengths, and a sentence with commas in a short file misleads it. `named`: the delimiter that the file
 * itself names.
 */
function delimited(
  written: string,
  newline: '\n' | '\r',
  named: Delimiter | undefined,
): { delimiter: Delimiter; data: readonly string[][] } {
  const text = written.replace(NAMED_CELL, (cell) => `"${cell.replaceAll('"', '""')}"`);
  const { meta } = Papa.parse<string[]>(text, {
    newline,
    preview: 1,
    delimitersToGuess: [...DELIMITERS],
    delimiter: named ?? '',
    // A blank line does not count as a row of another length.
    skipEmptyLines: 'greedy',
  });
  const tried = named === undefined ? DELIMITERS : [named];
  const attempts = tried
    .toSorted((a, b) => Number(b === meta.delimiter) - Number(a === meta.delimiter))
    .map((delimiter) => {
      const { data } = Papa.parse<string[]>(text, { newline, preview: ROWS_JUDGED, delimiter });
      const addresses = data.flat().filter((cell) => isAddress(bare(cell)));
      return { delimiter, data, addresses: addresses.length };
    });
  return attempts.reduce((best, attempt) => (attempt.addresses > best.addresses * CLEARLY_MORE ? attempt : best));
}

/** Decodes 8-bit text line by line: one line may be UTF-8 and the next not, and the last may end within a character. */
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

/**
 * What most rows end with. Quoted cells don't count: an old Mac's file has LFs in them. papaparse's own guess takes a
 * single CR in the first row for the line break.
 */
function lineBreakOf(text: string): Dialect['lineBreak'] {
  const ends = `${DELIMITERS.join('')}\r\n`;
  const breaks = { '\n': 0, '\r': 0 };
  let quoted = false;
  let atStart = true;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charAt(i);
    if (quoted) {
      quoted = char !== '"';
      continue;
    }
    if (char === '\n') breaks[char] += 1;
    if (char === '\r' && text.charAt(i + 1) !== '\n') breaks[char] += 1;
    // Also right after a quote: a doubled quote goes on with the cell.
    quoted = char === '"' && (atStart || text.charAt(i - 1) === '"');
    atStart = ends.includes(char);
  }
  return breaks['\r'] > breaks['\n'] ? 'cr' : 'lf';
}
