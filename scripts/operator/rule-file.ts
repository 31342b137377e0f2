import Papa from 'papaparse';
import { OperatorError } from './api.ts';

/** What a rule may be about, and the columns that can hold it. */
const COLUMNS = {
  domain: ['domain'],
  address: ['email', 'address', 'e-mail'],
} as const;
export type RuleKind = keyof typeof COLUMNS;

/** One entry of a file. */
export interface RuleLine {
  /** In the file, from 1. */
  readonly line: number;
  readonly value: string;
  readonly note: string;
}

/**
 * Reads a rule file: CSV when its first line names a column `domain` (or `email`), with the notes in a column `note` if
 * there is one; else one entry a line. Empty lines, and lines of the second form that begin with `#`, hold none.
 */
export function readRuleFile(bytes: Uint8Array, kind: RuleKind): RuleLine[] {
  const text = decode(bytes);
  const [firstLine = ''] = text.split(/[\r\n]/, 1);
  const { data, meta } = Papa.parse<string[]>(firstLine);
  const header = data[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const names: readonly string[] = COLUMNS[kind];
  const column = header.findIndex((name) => names.includes(name));
  if (column !== -1) return readCsv(text, meta.delimiter, column, header.indexOf('note'));
  if (header.length > 1 || header[0] === 'display') {
    throw new OperatorError(
      header.includes('display')
        ? 'The file holds masks, as an export of addresses does: rules can be made of whole addresses only.'
        : `The file has several columns, and none of them is named \`${names[0]}\` in its first line.`,
    );
  }
  return text
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, value: line.trim(), note: '' }))
    .filter(({ value }) => value !== '' && !value.startsWith('#'));
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new OperatorError('The file is not text in UTF-8.');
  }
}

function readCsv(text: string, delimiter: string, column: number, noteColumn: number): RuleLine[] {
  const lines: RuleLine[] = [];
  let line = 1;
  let start = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    step({ data, meta, errors }) {
      if (errors.some(({ type }) => type === 'Quotes')) throw new OperatorError(`Line ${line}: a quote is not closed.`);
      const value = data[column]?.trim() ?? '';
      if (start > 0 && value !== '') lines.push({ line, value, note: data[noteColumn]?.trim() ?? '' });
      // A cell may hold line breaks of its own.
      line += text.slice(start, meta.cursor).split(/\r\n|\n|\r/).length - 1;
      start = meta.cursor;
    },
  });
  return lines;
}

/** As CSV that spreadsheets take for text. */
export const writeRuleFile = (entries: readonly object[], columns: readonly string[]): string =>
  `${Papa.unparse({ fields: [...columns], data: [...entries] }, { escapeFormulae: true })}\r\n`;
