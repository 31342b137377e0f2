import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Help, Option } from 'commander';
import type { AddressList, DomainList, RulesAdded } from '../../src/contract/rules.ts';
import { type Connection, callService, findConnection, OperatorError } from './api.ts';
import { onFile } from './local-files.ts';
import { printAnswer, progressBar } from './print.ts';
import { type RuleKind, type RuleLine, readRuleFile, writeRuleFile } from './rule-file.ts';
import { organisationKey, organisationKeyFile, refusedOrganisationKey } from './secret-input.ts';

/** What one request takes, and what one page gives at most. */
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
      throw new OperatorError('Rules are an organisation’s own: give its key with --api-key-file.');
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
      if (lines.length === 0) throw new OperatorError('The file holds no entries.');
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
      // Before anything is asked for; what stands there already stays until all has come.
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
  /** Null: nothing was imported. */
  readonly imported: Imported | null;
  readonly failure: OperatorError | null;
}

/** Sends the lines in batches of one note each. What went before a failure stays; the whole file may be sent again. */
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

/** Waits as long as a service says that has had too many requests. */
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
