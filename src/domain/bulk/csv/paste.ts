import type { CsvLayout } from './layout.ts';

/** How the file below is read. */
export const PASTE_LAYOUT: CsvLayout = {
  dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
  hasHeader: true,
  emailColumn: 0,
};

/** What a spreadsheet takes for the beginning of a formula, in either width, white space and quotes before it aside. */
const FORMULA = String.raw`[\s']*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]`;
const RUN = new RegExp(`^${FORMULA}`);
const GUARDED = new RegExp(`^'${FORMULA}`);

/** A formula becomes text behind a `'`. Cells that already look so get one more: `unguarded` gives each back as it was. */
const guarded = (cell: string): string => (RUN.test(cell) ? `'${cell}` : cell);
export const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

/** Pasted addresses as a file of one column. All quoted, so that each is a row, an empty one and one with a break too. */
export const pasteFile = (emails: readonly string[]): Uint8Array =>
  new TextEncoder().encode(
    ['email', ...emails.map((email) => `"${guarded(email).replaceAll('"', '""')}"`), ''].join('\n'),
  );
