import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Help, Option } from 'commander';
import Papa from 'papaparse';
import type { AddressList, DomainList, RulesAdded } from '../../src/contract/rules.ts';
import { type Connection, callService, findConnection, OperatorError } from './api.ts';
import { onFile } from './local-files.ts';
import { printAnswer, progressBar } from './print.ts';
import { organisationKey, organisationKeyFile, refusedOrganisationKey } from './secret-input.ts';

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
 * Reads a rule file. Its first line that is neither empty nor a comment (`#`) decides: CSV if it names a column
 * `domain` (or `email`), with optional notes in a column `note`; else one entry a line, with comments anywhere.
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

/** What a spreadsheet would execute without a leading apostrophe; with some already there, one more is added. */
const FORMULA = /^'*[=+\-@\t\r]/;
const withoutApostrophe = (note: string): string => (note.startsWith("'") && FORMULA.test(note) ? note.slice(1) : note);

/** As CSV that spreadsheets take for text. */
export const writeRuleFile = (entries: readonly object[], columns: readonly string[]): string =>
  `${Papa.unparse({ fields: [...columns], data: [...entries] }, { escapeFormulae: FORMULA })}\r\n`;

/** Limits of one request and of one page. */
const BATCH = 1_000;
const PAGE = 200;

interface Options {
  list: 'block' | 'allow';
  kind: RuleKind;
  note?: string;
  apiKeyFile?: string;
}
interface Globals {
  url?: string;
  keyFile?: string;
  state: string;
  json: boolean;
}

/** `rules import|export`: an organisation's own rule lists, with a key of that organisation. */
export function addRuleCommands(program: Command): void {
  const rules = program
    .command('rules')
    .description('rule lists of an organisation, with one of its own keys')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: allButOperatorKey });
  const command = (name: string, description: string): Command =>
    rules
      .command(`${name} <file>`)
      .description(description)
      .addOption(new Option('--list <list>', 'which list').choices(['block', 'allow']).makeOptionMandatory())
      .addOption(
        new Option('--kind <kind>', 'what its rules are about').choices(['domain', 'address']).default('domain'),
      )
      .addOption(organisationKeyFile())
      .addOption(refusedOrganisationKey(program));
  const connect = ({ apiKeyFile }: Options): Connection => {
    const { url, keyFile, state } = program.opts<Globals>();
    if (keyFile !== undefined)
      throw new OperatorError('Rules belong to an organisation: give its key with --api-key-file.');
    return findConnection(
      { ...(url !== undefined && { url }), state, key: organisationKey(apiKeyFile) },
      'organisation',
    );
  };

  command('import', 'add a file’s entries: one a line, or CSV with a column `domain` or `email` and perhaps `note`')
    .option('--note <text>', 'for entries without a note of their own')
    .action(async (file: string, options: Options) => {
      const bytes = onFile(file, 'read', () => readFileSync(file));
      const lines = readRuleFile(bytes, options.kind);
      if (lines.length === 0) throw new OperatorError('The file has no entries.');
      const { imported, failure } = await importRules(connect(options), options, lines);
      if (imported !== null) {
        const { rejected, ...counts } = imported;
        printAnswer(program.opts<Globals>().json ? imported : counts, program.opts<Globals>().json);
        for (const { line, reason } of rejected) console.error(`line ${line}: ${reason}`);
        if (rejected.length > 0) process.exitCode = 1;
      }
      if (failure !== null) throw failure;
    });
  command('export', 'write a list as CSV; of an address only its mask is known').action(
    async (file: string, options: Options) => {
      const connection = connect(options);
      // Before anything is asked for; the old content stays until everything has come.
      onFile(file, 'written', () => closeSync(openSync(file, 'a')));
      const entries = await exportRules(connection, options);
      const subject = options.kind === 'domain' ? 'domain' : 'display';
      const text = writeRuleFile(entries, [subject, 'note', 'created_at', 'created_by', 'id']);
      onFile(file, 'written', () => writeFileSync(file, text));
      printAnswer({ rule: options.list, entries: entries.length, file }, program.opts<Globals>().json);
    },
  );
}

/** Rules need an organisation's key, so the operator key's option is left out. */
export const allButOperatorKey = (command: Command): Option[] =>
  Object.assign(new Help(), { showGlobalOptions: true })
    .visibleGlobalOptions(command)
    .filter(({ long }) => long !== '--key-file');

const pathOf = ({ list, kind }: Options): string => `/v1/${kind === 'domain' ? 'domains' : 'addresses'}/${list}list`;

interface Imported extends Omit<RulesAdded, 'rejected'> {
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
}

/** What was imported, and what stopped the rest. */
interface ImportResult {
  /** Null means nothing was imported. */
  readonly imported: Imported | null;
  readonly failure: OperatorError | null;
}

/** Sends the lines in batches of one note each. Batches before a failure stay; the whole file may be sent again. */
async function importRules(
  connection: Connection,
  options: Options,
  lines: readonly RuleLine[],
): Promise<ImportResult> {
  const field = options.kind === 'domain' ? 'domains' : 'emails';
  const counts = { added: 0, moved: 0, unchanged: 0, total: 0 };
  const rejected: { line: number; reason: string }[] = [];
  const showProgress = progressBar('Importing', lines.length);
  let done = 0;
  let failure: OperatorError | null = null;
  for (const batch of batches(lines)) {
    showProgress(done);
    const body = { [field]: batch.map(({ value }) => value), note: batch[0]?.note || options.note };
    try {
      const answer = await patiently<RulesAdded>(() => callService(connection, 'POST', pathOf(options), body));
      for (const name of ['added', 'moved', 'unchanged'] as const) counts[name] += answer[name];
      counts.total = answer.total;
      rejected.push(...answer.rejected.map(({ index, reason }) => ({ line: batch[index]?.line ?? 0, reason })));
      done += batch.length;
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      const where = `line ${batch[0]?.line}, after ${done} of ${lines.length} entries`;
      failure = new OperatorError(`Stopped at ${where}: ${error.message}`);
      break;
    }
  }
  showProgress(null);
  const inOrder = rejected.toSorted((a, b) => a.line - b.line);
  return { imported: done === 0 ? null : { rule: options.list, ...counts, rejected: inOrder }, failure };
}

function batches(lines: readonly RuleLine[]): RuleLine[][] {
  const byNote = Map.groupBy(lines, ({ note }) => note);
  return [...byNote.values()].flatMap((same) =>
    Array.from({ length: Math.ceil(same.length / BATCH) }, (_, i) => same.slice(i * BATCH, (i + 1) * BATCH)),
  );
}

/** Waits as long as the service asks after too many requests. */
export async function patiently<T>(call: () => Promise<unknown>): Promise<T> {
  for (;;) {
    try {
      return (await call()) as T;
    } catch (error) {
      const waitS = error instanceof OperatorError ? error.retryAfterS : null;
      if (waitS === null) throw error;
      await sleep(waitS * 1_000);
    }
  }
}

async function exportRules(connection: Connection, options: Options): Promise<object[]> {
  const entries: object[] = [];
  let showProgress: ((done: number | null) => void) | null = null;
  for (let cursor: string | null = ''; cursor !== null;) {
    const path: string = `${pathOf(options)}?limit=${PAGE}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: DomainList | AddressList = await patiently(() => callService(connection, 'GET', path));
    entries.push(...page.entries);
    showProgress ??= progressBar('Exporting', page.count);
    showProgress(entries.length);
    ({ cursor } = page);
  }
  showProgress?.(null);
  return entries;
}
