import Papa from 'papaparse';
import { OperatorError } from './api.ts';

/** What a rule may be about, and the columns that can hold it. */
const COLUMNS = {
  domain: ['domain', 'domains'],
  address: ['email', 'emails', 'e-mail', 'e-mails', 'address', 'addresses'],
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
 * Reads a rule file. Its first line that is neither empty nor a comment (`#`) tells: CSV when it names a column `domain` (or
 * `email`), with the notes in a column `note` if there is one; else one entry a line, comments anywhere between.
 */
export function readRuleFile(bytes: Uint8Array, kind: RuleKind): RuleLine[] {
  const text = decode(bytes);
  const [above = ''] = NO_ENTRIES.exec(text) ?? [];
  const below = text.slice(above.length);
  const { data, meta } = Papa.parse<string[]>(below.split(LINE_BREAK, 1)[0] ?? '');
  const header = data[0]?.map((cell) => cell.trim().toLowerCase()) ?? [];
  const column = header.findIndex((name) => kindOf(name) === kind);
  if (column !== -1) {
    const csv = { delimiter: meta.delimiter, column, noteColumn: header.indexOf('note') };
    return readCsv(below, above.split(LINE_BREAK).length, csv);
  }
  const fault = headerFault(header, kind);
  if (fault !== null) throw new OperatorError(fault);
  return text
    .split(LINE_BREAK)
    .map((line, index) => ({ line: index + 1, value: unquote(line.trim()), note: '' }))
    .filter(({ value }) => value !== '' && !value.startsWith('#'));
}

const LINE_BREAK = /\r\n|\n|\r/;

/** The empty lines and comments that a file begins with. */
const NO_ENTRIES = /^(?:[^\S\r\n]*(?:#[^\r\n]*)?(?:\r\n|\n|\r))*/;

/** A column of its own, as spreadsheets may write it. No domain or address ends with a quote. */
const unquote = (line: string): string =>
  line.length > 1 && line.startsWith('"') && line.endsWith('"') ? line.slice(1, -1).replaceAll('""', '"').trim() : line;

const KINDS = ['domain', 'address'] as const;
const kindOf = (column: string): RuleKind | undefined =>
  KINDS.find((kind) => (COLUMNS[kind] as readonly string[]).includes(column));

/** Why the first line is neither an entry nor a header of rules of this kind. */
function headerFault(header: readonly string[], kind: RuleKind): string | null {
  if (header.includes('display')) {
    return 'The file holds masks, as an export of addresses does: rules can be made of whole addresses only.';
  }
  const other = header.find((name) => kindOf(name) !== undefined);
  if (other !== undefined) return `The file has a column \`${other}\`: give --kind ${kindOf(other)}.`;
  if (header.length < 2) return null;
  return `The file has several columns, and none of them is named \`${COLUMNS[kind][0]}\` in its first line.`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new OperatorError('The file is not text in UTF-8.');
  }
}

interface Csv {
  readonly delimiter: string;
  readonly column: number;
  /** -1: the file has no notes. */
  readonly noteColumn: number;
}

/** `text` begins with the header, at line `line` of its file. */
function readCsv(text: string, line: number, { delimiter, column, noteColumn }: Csv): RuleLine[] {
  const lines: RuleLine[] = [];
  let start = 0;
  Papa.parse<string[]>(text, {
    delimiter,
    step({ data, meta, errors }) {
      if (errors.some(({ type }) => type === 'Quotes')) throw new OperatorError(`Line ${line}: a quote is not closed.`);
      const value = data[column]?.trim() ?? '';
      if (start > 0 && value !== '')
        lines.push({ line, value, note: withoutApostrophe(data[noteColumn]?.trim() ?? '') });
      // A cell may hold line breaks of its own.
      line += text.slice(start, meta.cursor).split(LINE_BREAK).length - 1;
      start = meta.cursor;
    },
  });
  return lines;
}

/** What a spreadsheet would run, were it not for an apostrophe in front; with some there already, one more is put. */
const FORMULA = /^'*[=+\-@\t\r]/;
const withoutApostrophe = (note: string): string => (note.startsWith("'") && FORMULA.test(note) ? note.slice(1) : note);

/** As CSV that spreadsheets take for text. */
export const writeRuleFile = (entries: readonly object[], columns: readonly string[]): string =>
  `${Papa.unparse({ fields: [...columns], data: [...entries] }, { escapeFormulae: FORMULA })}\r\n`;
