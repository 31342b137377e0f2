import { readFileSync, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { ImportReceipt } from '../../src/contract/feedback.ts';
import type { MailOutcome } from '../../src/domain/feedback/outcomes.ts';
import { DOMAINS_MAX } from '../../src/services/mail-reports.ts';
import { wholeNumber } from '../command-line.ts';
import { type Connection, callService, findConnection, OperatorError } from './api.ts';
import { onFile } from './local-files.ts';
import { type OutcomeRow, readOutcomeFile } from './outcome-file.ts';
import { printAnswer, progressBar } from './print.ts';
import { allButOperatorKey, patiently } from './rules.ts';
import { organisationKey, organisationKeyFile, refusedOrganisationKey } from './secret-input.ts';

/** What one request takes. */
const BATCH = 1_000;

interface Options {
  as?: MailOutcome;
  block: boolean;
  fromRow: number;
  apiKeyFile?: string;
}
interface Globals {
  url?: string;
  state: string;
  json: boolean;
}

/** `outcomes import FILE`: a mail service's export, with a key of the organisation. */
export function addOutcomeCommands(program: Command): void {
  program
    .command('outcomes')
    .description('what became of messages, with one of the organisation’s own keys')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: allButOperatorKey })
    .command('import <file>')
    .description(
      'import a mail service’s export or suppression list (CSV); a row that was imported before counts once, so a file may be sent again',
    )
    .addOption(
      new Option('--as <outcome>', 'what all rows are, where the file does not say').choices([
        'delivered',
        'hard_bounce',
        'soft_bounce',
        'complaint',
      ]),
    )
    .option('--block', 'put addresses that bounced for good or complained on the blocklist too', false)
    .option('--from-row <n>', 'go on at this row of those that tell something', wholeNumber(1), 1)
    .addOption(organisationKeyFile())
    .addOption(refusedOrganisationKey(program))
    .action(async (file: string, options: Options) => {
      const { url, state, json } = program.opts<Globals>();
      const key = organisationKey(options.apiKeyFile);
      const connection = findConnection({ ...(url !== undefined && { url }), state, key }, 'organisation');
      const bytes = onFile(file, 'read', () => readFileSync(file));
      // A list without times: each import of the same file is the same rows.
      const changedAt = Math.floor(onFile(file, 'read', () => statSync(file)).mtimeMs / 1_000);
      const { rows, silent, columns } = readOutcomeFile(bytes, options.as ?? null, changedAt);
      const imported = await importRows(connection, rows, options);
      printAnswer({ file, columns, rows: rows.length, silent, ...imported }, json);
    });
}

interface Imported {
  accepted: number;
  duplicates: number;
  rejected: Partial<Record<ImportReceipt['rejected'][number]['reason'], number>>;
  blocked?: number;
}

async function importRows(
  connection: Connection,
  rows: readonly OutcomeRow[],
  { block, fromRow }: Pick<Options, 'block' | 'fromRow'>,
): Promise<Imported> {
  const total: Imported = { accepted: 0, duplicates: 0, rejected: {}, ...(block && { blocked: 0 }) };
  const showProgress = progressBar('Importing', rows.length);
  for (let from = fromRow - 1; from < rows.length;) {
    showProgress(from);
    const outcomes = batchFrom(rows, from);
    try {
      const receipt = await patiently<ImportReceipt>(() =>
        callService(connection, 'POST', '/v1/outcomes/import', { outcomes }),
      );
      total.accepted += receipt.accepted;
      total.duplicates += receipt.duplicates;
      for (const { reason } of receipt.rejected) total.rejected[reason] = (total.rejected[reason] ?? 0) + 1;
      if (block) total.blocked = (total.blocked ?? 0) + (await blockRows(connection, outcomes));
      from += outcomes.length;
    } catch (error) {
      showProgress(null);
      if (!(error instanceof OperatorError)) throw error;
      throw new OperatorError(
        `Stopped before row ${from + 1} of ${rows.length}: ${error.message} Go on with --from-row ${from + 1}.`,
      );
    }
  }
  showProgress(null);
  return total;
}

/** What one request takes, and has all its domains looked up. */
function batchFrom(rows: readonly OutcomeRow[], from: number): readonly OutcomeRow[] {
  const domains = new Set<string>();
  const most = rows.slice(from, from + BATCH);
  const end = most.findIndex(({ email }) => {
    domains.add(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
    return domains.size > DOMAINS_MAX;
  });
  return end === -1 ? most : most.slice(0, end);
}

/** Puts those on the blocklist that no message should go to; returns how many were not there. */
async function blockRows(connection: Connection, rows: readonly OutcomeRow[]): Promise<number> {
  const lasting = rows.filter(({ outcome }) => outcome === 'hard_bounce' || outcome === 'complaint');
  const emails = [...new Set(lasting.map(({ email }) => email))];
  if (emails.length === 0) return 0;
  const body = { emails, note: 'Suppressed by the mail service' };
  const { added } = await patiently<{ added: number }>(() =>
    callService(connection, 'POST', '/v1/addresses/blocklist', body),
  );
  return added;
}
