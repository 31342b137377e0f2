import Papa from 'papaparse';
import type { MailOutcome } from '../../src/domain/feedback/outcomes.ts';
import { weightOfTitle } from '../../src/domain/bulk/csv/email-column.ts';
import { readReply } from '../../src/domain/feedback/bounces/report.ts';
import { OperatorError } from './api.ts';

/** One row of a file, as the service takes it. */
export interface OutcomeRow {
  readonly email: string;
  readonly outcome: MailOutcome;
  /** Epoch seconds. */
  readonly at: number;
  readonly smtp_code?: string;
}

export interface OutcomeFile {
  readonly rows: readonly OutcomeRow[];
  /** Rows without an outcome: messages on their way, unsubscribed people. */
  readonly silent: number;
  /** The header of each column that is read, or its number from 1, or null. */
  readonly columns: { readonly email: string; readonly outcome: string | null; readonly at: string | null };
}

/** `blocked`: refused for the sender or the content, which the server's reply may correct. */
type Meaning = MailOutcome | 'blocked' | null;

/** A word of a service's export, without case and punctuation. Null means it is not about the mailbox. */
const WORDS: Readonly<Record<string, Meaning>> = {
  // SendGrid's activity.
  delivered: 'delivered',
  open: 'delivered',
  click: 'delivered',
  bounce: 'hard_bounce',
  'bounce blocked': 'blocked',
  blocked: 'blocked',
  block: 'blocked',
  deferred: 'soft_bounce',
  spamreport: 'complaint',
  'dropped bounced address': 'hard_bounce',
  'dropped invalid': 'hard_bounce',
  'dropped spam reporting address': 'complaint',
  dropped: null,
  processed: null,
  processing: null,
  'not delivered': null,
  unsubscribe: null,
  groupunsubscribe: null,
  groupresubscribe: null,
  // Amazon SES: its suppression list, and the export of message insights.
  complaint: 'complaint',
  delivery: 'delivered',
  permanentbounce: 'hard_bounce',
  transientbounce: 'soft_bounce',
  undeterminedbounce: 'soft_bounce',
  send: null,
  // Postmark: bounces, suppressions, activity.
  hardbounce: 'hard_bounce',
  softbounce: 'soft_bounce',
  transient: 'soft_bounce',
  dnserror: 'soft_bounce',
  spamnotification: 'blocked',
  spamcomplaint: 'complaint',
  bademailaddress: 'hard_bounce',
  manualsuppression: null,
  autoresponder: null,
  opened: 'delivered',
  bounced: 'hard_bounce',
  sent: null,
  queued: null,
  // Mailgun's logs.
  accepted: null,
  failed: 'hard_bounce',
  'failed permanent': 'hard_bounce',
  'failed temporary': 'soft_bounce',
  clicked: 'delivered',
  complained: 'complaint',
  unsubscribed: null,
};

/** Lists recognised by their columns alone. */
const LISTS: readonly { readonly header: string; readonly outcome: MailOutcome; readonly reason: string }[] = [
  {
    header: 'address,code,error,created_at',
    outcome: 'hard_bounce',
    reason: 'Mailgun’s bounce list has only hard ones',
  },
];

const SAMPLE = 500;
/** An import's limit for a reply. */
const REPLY_CHARS = 2_000;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[_-]/g, '').trim();

const isAddress = (cell: string): boolean => /^[^\s@,;]{1,64}@[^\s@,;]{3,255}$/.test(cell);

/** A zone of a date, as `Date.parse` reads them. An offset follows a time: `05-01-2024` has none. */
const ZONE = /\b(?:UTC?|GMT|[ECMP][SD]T)\b|\d\s?Z$|:\d{2}(?:\.\d+)?\s?(?:[AP]M\s?)?[+-]\d{2}/i;

/** Epoch seconds of a cell: seconds, milliseconds, or a date; UTC without a zone, whatever the machine's own. */
export function secondsIn(cell: string): number | null {
  const text = cell.trim();
  if (/^\d{10}(?:\.\d+)?$/.test(text)) return Math.floor(Number(text));
  if (/^\d{13}$/.test(text)) return Math.floor(Number(text) / 1_000);
  if (!/\d{4}/.test(text) || text.length > 40 || text.length < 10) return null;
  const ms = Date.parse(ZONE.test(text) ? text : `${text.replace(/(?<=\d)T(?=\d)/, ' ')} UTC`);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1_000);
}

/** A cell's meaning, with the cell that qualifies it. Undefined: no service has this word. */
function wordOf(cell: string, beside = ''): Meaning | undefined {
  const word = `${plain(cell)} ${plain(beside)}`.trim();
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** Headers that win among columns with the same content, and those that lose. */
const PREFERRED = {
  outcome: { first: /event|outcome|reason|status|^type$/i, last: /engagement/i },
  at: { first: /created|bounced|timestamp|event.*time|processed|received|update|^at$|date/i, last: /sent|send/i },
} as const;
const byTitle =
  (kind: keyof typeof PREFERRED) =>
  (title: string): number =>
    Number(PREFERRED[kind].first.test(title)) - 2 * Number(PREFERRED[kind].last.test(title));
/** Columns that qualify an event, and those that contain a server's reply. */
const BESIDE = /^(?:type|severity|bounce_?type|classification|reason)$/i;
const REPLY = /code|error|reason|status|details|diagnostic|response|description/i;

/** A file's cells, without its header. */
interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function tableOf(bytes: Uint8Array): Table {
  const { data, errors } = Papa.parse<string[]>(decode(bytes), { skipEmptyLines: 'greedy' });
  if (errors.some(({ type }) => type === 'Quotes')) throw new OperatorError('The file has a quote that is not closed.');
  const cells = data.map((row) => row.map((cell) => cell.trim()));
  const [first = [], ...others] = cells;
  return first.some(isAddress) ? { header: [], rows: cells } : { header: first, rows: others };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new OperatorError('The file is not text in UTF-8.');
  }
}

/** The column where nearly all cells fit; of several, the one whose header says so. -1: none. */
function columnOf({ header, rows }: Table, rankOf: (title: string) => number, fits: (cell: string) => boolean): number {
  const sample = rows.slice(0, SAMPLE);
  const width = Math.max(0, ...sample.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => {
    const cells = sample.flatMap((row) => row[column] || []);
    const fitting = cells.filter((cell) => fits(cell)).length;
    return { column, rank: rankOf(header[column] ?? ''), share: fitting < cells.length * 0.8 ? 0 : fitting };
  });
  const [best] = columns.filter(({ share }) => share > 0).toSorted((a, b) => b.rank - a.rank || b.share - a.share);
  return best?.column ?? -1;
}

/**
 * Reads an export of a mail service. Columns are recognised by content; headers decide between two alike.
 * @param as the outcome of all rows, if the file has no column for it
 * @param defaultAt epoch seconds of rows without a time
 */
export function readOutcomeFile(bytes: Uint8Array, as: MailOutcome | null, defaultAt: number): OutcomeFile {
  const table = tableOf(bytes);
  const { header, rows } = table;
  const email = columnOf(table, weightOfTitle, isAddress);
  if (email === -1) throw new OperatorError('The file has no column with addresses.');
  const at = columnOf(table, byTitle('at'), (cell) => secondsIn(cell) !== null);
  const outcome = as === null ? columnOf(table, byTitle('outcome'), (cell) => wordOf(cell) !== undefined) : -1;
  const list = LISTS.find((each) => each.header === header.join(',').toLowerCase());
  const whole = as ?? (outcome === -1 ? (list?.outcome ?? null) : null);
  if (whole === null && outcome === -1)
    throw new OperatorError(
      'The file does not say what became of the messages: give --as (hard_bounce, complaint …) for all of its rows.',
    );

  const columnsWhere = (names: RegExp): number[] =>
    header.flatMap((name, column) => (names.test(name) && ![email, at, outcome].includes(column) ? [column] : []));
  const [besides, replies] = [columnsWhere(BESIDE), columnsWhere(REPLY)];
  const meaningOf = (row: readonly string[]): Meaning => {
    if (whole !== null) return whole;
    const cell = row[outcome] ?? '';
    const details = besides.flatMap((column) => row[column] || []);
    const exact = details.map((detail) => wordOf(cell, detail)).find((word) => word !== undefined);
    return exact ?? wordOf(cell) ?? null;
  };
  const read = rows.flatMap((row): OutcomeRow[] => {
    const meaning = meaningOf(row);
    if (meaning === null) return [];
    const said = meaning === 'blocked' ? 'soft_bounce' : meaning;
    const base = { email: row[email] ?? '', outcome: said, at: secondsIn(row[at] ?? '') ?? defaultAt };
    if (!said.endsWith('bounce')) return [base];
    const reply = replies
      .flatMap((column) => row[column] || [])
      .join(' ')
      .slice(0, REPLY_CHARS);
    const { class: saysOfMailbox, codes } = readReply(reply);
    if (saysOfMailbox !== undefined || codes !== null) return [{ ...base, smtp_code: reply }];
    // A service's own word, such as “bounced”, says no more than the outcome.
    return meaning === 'blocked' ? [] : [base];
  });
  const nameOf = (column: number): string | null => (column === -1 ? null : header[column] || `column ${column + 1}`);
  return {
    rows: read,
    silent: rows.length - read.length,
    columns: { email: nameOf(email) ?? '', outcome: nameOf(outcome), at: nameOf(at) },
  };
}
