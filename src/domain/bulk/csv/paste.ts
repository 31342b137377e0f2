import type { Reading } from './ingest.ts';

/** How the file below is read. */
export const PASTE_READING: Reading = {
  dialect: { encoding: 'utf-8', prefaceBytes: 0, delimiter: ',', lineBreak: 'lf' },
  hasHeader: true,
  emailColumn: 0,
};

/** Pasted addresses as a file of one column. All quoted, so that each is a row, an empty one and one with a break too. */
export const pasteFile = (emails: readonly string[]): Uint8Array =>
  new TextEncoder().encode(['email', ...emails.map((email) => `"${email.replaceAll('"', '""')}"`), ''].join('\n'));
