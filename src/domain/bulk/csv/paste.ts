import type { CsvLayout } from './layout.ts';

/** How the file below is read. */
export const PASTE_LAYOUT: CsvLayout = {
  dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
  hasHeader: true,
  emailColumn: 0,
};

/** What a spreadsheet takes for the start of a formula, in either width, after white space and quotes. */
const FORMULA = String.raw`[\s']*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const RUN = new RegExp(`^${FORMULA}`);
const GUARDED = new RegExp(`^'${FORMULA}`);

/** A `'` in front turns a formula into text. Cells that already begin so get one more, and `unguarded` restores each. */
const guarded = (cell: string): string => (RUN.test(cell) ? `'${cell}` : cell);
export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/**
 * Pasted addresses as a file of one column. All are quoted, so that an empty one or one with a line break is a row too.
 */
export const pasteFile = (emails: readonly string[]): Uint8Array =>
  new TextEncoder().encode(
    ['email', ...emails.map((email) => `"${guarded(email).replaceAll('"', '""')}"`), ''].join('\n'),
  );
