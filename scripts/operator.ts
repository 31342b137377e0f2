import { Option } from 'commander';
import { mintBootstrapToken } from '../src/domain/access/keys.ts';
import { amount, commandLine, wholeNumber } from './command-line.ts';
import { type Connection, callService, findConnection, OperatorError } from './operator/api.ts';
import { addRebuildCommand, forgetEverywhere } from './operator/organisations.ts';
import { addOutcomeCommands } from './operator/outcomes.ts';
import { printAnswer, withProgress } from './operator/print.ts';
import { addRuleCommands } from './operator/rules.ts';
import {
  emailFile,
  readEmail,
  readSecret,
  refusedEmail,
  refusedSecret,
  secretFromFile,
} from './operator/secret-input.ts';
import { readStatus } from './operator/status.ts';
import { STATUS_WORDS } from './operator/status-words.ts';
import { addTraceCommands } from './operator/trace.ts';
import { addTryCommand } from './operator/try-connection.ts';
import { addFileCommands } from './operator/verify-file.ts';
import { addWatchCommand } from './operator/watch/watch.ts';

/** The command line over the operator API. Every command prints the API's answer; `--json` prints it unchanged. */
const program = commandLine(
  'operator',
  'Runs the service: organisations, keys, limits, rule lists, users, erasure, status.',
)
  .option('--url <url>', 'base address of the service (EMAIL_VERIFICATION_BASE_URL)')
  .option('--key-file <file>', 'file with the operator key (or EMAIL_VERIFICATION_OPERATOR_KEY)')
  .option('--state <dir>', 'state of the local stack, used when neither is given', '.local')
  .option('--json', 'print JSON', false)
  .configureHelp({ showGlobalOptions: true });
program.addOption(
  refusedSecret(program, '--key <key>', 'give it by --key-file FILE or in EMAIL_VERIFICATION_OPERATOR_KEY'),
);

interface Globals {
  url?: string;
  keyFile?: string;
  state: string;
  json: boolean;
}

/** The service, opened by the operator key unless another one is given. */
function connect(key?: string): Connection {
  const { url, state, keyFile } = program.opts<Globals>();
  const given = key ?? (keyFile === undefined ? undefined : secretFromFile(keyFile));
  return findConnection({ ...(url !== undefined && { url }), state, key: given });
}

async function run(label: string, method: string, path: string, body?: unknown): Promise<void> {
  const answer = await withProgress(label, callService(connect(), method, path, body));
  printAnswer(answer, program.opts<Globals>().json);
}

const organisation = (id: string): string => `/operator/v1/organisations/${encodeURIComponent(id)}`;

program
  .command('bootstrap')
  .description('make an operator key; needs SERVICE_SECRET in the environment')
  .action(async () => {
    const secret = process.env.SERVICE_SECRET;
    if (secret === undefined) throw new OperatorError('Set SERVICE_SECRET to the service’s own secret.');
    const connection = connect(mintBootstrapToken(secret, Date.now()));
    printAnswer(await callService(connection, 'POST', '/operator/v1/bootstrap'), program.opts<Globals>().json);
  });

const org = program.command('org').description('organisations');
org
  .command('list')
  .option('--cursor <cursor>', 'where the page before ended')
  .action(({ cursor }: { cursor?: string }) =>
    run(
      'Reading',
      'GET',
      `/operator/v1/organisations?limit=200${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    ),
  );
org
  .command('create [name]')
  .description('create an organisation')
  .action((name?: string) => run('Creating', 'POST', '/operator/v1/organisations', { name }));
org
  .command('rename <id> <name>')
  .description('rename an organisation')
  .action((id: string, name: string) => run('Renaming', 'PATCH', organisation(id), { name }));
org
  .command('delete <id>')
  .description('delete an organisation with its data, for good')
  .requiredOption('--yes', 'you mean it')
  .action((id: string) => run('Deleting', 'DELETE', organisation(id)));
addRebuildCommand(org, connect, run);

const key = program.command('key').description('API keys');
key
  .command('create <organisation>')
  .description('create a key; it is shown this once')
  .requiredOption('--name <name>', 'what it is for')
  .addOption(new Option('--role <role>').choices(['viewer', 'member', 'admin']).default('member'))
  .option('--test', 'a sandbox key', false)
  .option('--user <id>', 'the user it belongs to')
  .addOption(new Option('--service', 'for a machine').conflicts('dashboard'))
  .option('--dashboard', 'for the dashboard')
  .action(
    (
      id: string,
      options: { name: string; role: string; test: boolean; user?: string; service?: true; dashboard?: true },
    ) => {
      const origin = options.service ? 'service' : options.dashboard ? 'auto' : 'manual';
      const { name, role, test, user } = options;
      return run('Creating', 'POST', `${organisation(id)}/keys`, { name, role, test, origin, user_id: user });
    },
  );
key
  .command('list <organisation>')
  .description('list keys, revoked ones included')
  .action((id: string) => run('Reading', 'GET', `${organisation(id)}/keys`));
key
  .command('revoke <organisation> <key>')
  .description('revoke a key from the next request on')
  .action((id: string, keyId: string) =>
    run('Revoking', 'DELETE', `${organisation(id)}/keys/${encodeURIComponent(keyId)}`),
  );

const connection = program.command('connection').description('payment processors; a try of mail services');
const connections = (id: string, connectionId?: string): string =>
  [`${organisation(id)}/connections`, ...(connectionId === undefined ? [] : [encodeURIComponent(connectionId)])].join(
    '/',
  );
const SECRET_VARIABLE = 'STRIPE_WEBHOOK_SECRET';
const SECRET_FILE = `file with the endpoint’s signing secret, - for standard input (or ${SECRET_VARIABLE}; asked for without)`;
const INSTEAD = `give the secret by --secret-file FILE or in ${SECRET_VARIABLE}, or leave it out to be asked for it`;
const signingSecret = (file: string | undefined): Promise<string> =>
  readSecret(file, SECRET_VARIABLE, 'Signing secret of the endpoint (whsec_…)');
connection
  .command('create <organisation>')
  .description('connect Stripe; prints the URL its webhooks go to')
  .option('--secret-file <file>', SECRET_FILE)
  .addOption(refusedSecret(connection, '--stripe <secret>', INSTEAD))
  .action(async (id: string, { secretFile }: { secretFile?: string }) =>
    run('Connecting', 'POST', connections(id), { kind: 'stripe', webhook_secret: await signingSecret(secretFile) }),
  );
connection
  .command('list <organisation>')
  .description('list connections')
  .action((id: string) => run('Reading', 'GET', connections(id)));
connection
  .command('rotate <organisation> <connection>')
  .description('give it a new secret; the one before stays good')
  .option('--secret-file <file>', SECRET_FILE)
  .addOption(refusedSecret(connection, '--stripe <secret>', INSTEAD))
  .action(async (id: string, connectionId: string, { secretFile }: { secretFile?: string }) =>
    run('Changing', 'PATCH', connections(id, connectionId), { webhook_secret: await signingSecret(secretFile) }),
  );
connection
  .command('delete <organisation> <connection>')
  .description('disconnect; its events stay')
  .action((id: string, connectionId: string) => run('Disconnecting', 'DELETE', connections(id, connectionId)));
addTryCommand(program, connection);

program
  .command('quota')
  .description('limits of an organisation')
  .command('set <organisation>')
  .description('change limits from the next request on')
  .option('--verifications <n>', 'a month; 0: unmetered', wholeNumber(0))
  .option('--screenings <n>', 'a month; 0: unmetered', wholeNumber(0))
  .option('--enrichment-usd <amount>', 'a month; 0: none', amount)
  .option('--provider-usd <amount>', 'a month; 0: none; or `unlimited`', (text) =>
    text === 'unlimited' ? null : amount(text),
  )
  .option('--rate <n>', 'requests a minute', wholeNumber(0))
  .action(
    async (
      id: string,
      options: {
        verifications?: number;
        screenings?: number;
        enrichmentUsd?: number;
        providerUsd?: number | null;
        rate?: number;
      },
    ) => {
      if (Object.keys(options).length === 0) throw new OperatorError('Give at least one limit to set: see --help.');
      await run('Setting', 'PATCH', organisation(id), {
        verification_quota: options.verifications,
        screening_allowance: options.screenings,
        enrichment_budget_usd: options.enrichmentUsd,
        provider_budget_usd: options.providerUsd,
        rate_per_minute: options.rate,
      });
    },
  );

addRuleCommands(program);
addFileCommands(program);
addOutcomeCommands(program);
addTraceCommands(program);

program
  .command('user')
  .description('users of an organisation')
  .command('create <organisation>')
  .description('add a user')
  .addArgument(refusedEmail(program, '[name]', (text) => text.includes('@')))
  .addOption(emailFile())
  .addOption(new Option('--role <role>', 'what they may do').choices(['viewer', 'member', 'admin']).default('member'))
  .action(async (id: string, name: string | undefined, options: { emailFile?: string; role: string }) => {
    const email = await readEmail(options.emailFile);
    await run('Creating', 'POST', `${organisation(id)}/users`, { email, name, role: options.role });
  });
program
  .command('forget')
  .description('cut every link to an address, in all organisations')
  .usage('[options]')
  .addArgument(refusedEmail(program, '[email]', () => true))
  .addOption(emailFile())
  .action(async (_: undefined, options: { emailFile?: string }) => {
    const email = await readEmail(options.emailFile);
    const answer = await withProgress('Forgetting', forgetEverywhere(connect(), email));
    printAnswer(answer, program.opts<Globals>().json);
    if (answer.pending.length > 0)
      console.error(
        'What is pending is erased by itself once Postgres has what waits: `status` shows it as `erasures`.',
      );
    if (answer.incomplete.length > 0) console.error('What is incomplete was out of reach: repeat the command.');
  });
program
  .command('lists')
  .description('the nightly lists of disposable domains')
  .command('accept <source>')
  .description('read them now, and take this one (url or source, as status shows them) whatever has changed in it')
  .action(async (source: string) => {
    const answer = await withProgress(
      'Reading',
      callService(connect(), 'POST', '/operator/v1/lists/accept', { source }),
    );
    printAnswer(answer, program.opts<Globals>().json);
    if (!(answer as { accepted: boolean }).accepted) throw new OperatorError('The source was not accepted.');
  });
program
  .command('status')
  .description('outboxes, spend, crons, counters')
  .addHelpText('after', STATUS_WORDS)
  .action(async () => printAnswer(await withProgress('Reading', readStatus(connect())), program.opts<Globals>().json));
addWatchCommand(program, connect);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
