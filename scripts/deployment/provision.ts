import { DeploymentError } from './deployment-error.ts';
import { dashboardOf, readNames, type Target, writeNamespaceId } from './names.ts';
import { IS_THERE_ALREADY, LIST_NAMESPACES, namespacesIn, type Resource, resourcesOf } from './resources.ts';
import {
  DASHBOARD_SECRETS,
  LIST_SECRETS,
  SECRETS,
  type Secret,
  secretsFileOf,
  secretsIn,
  secretValue,
} from './secrets.ts';
import { type Call, type Called, commandLine, required } from './wrangler.ts';

export interface ProvisionDeps {
  readonly target: Target;
  readonly env: NodeJS.Dict<string>;
  /** Runs wrangler. Never rejects. */
  readonly run: (call: Call) => Promise<Called>;
  /** The same with the dashboard's configuration. */
  readonly runDashboard: (call: Call) => Promise<Called>;
  readonly migrate: () => Promise<void>;
  readonly say: (line: string) => void;
}

const putSecret = (name: string, secret: string): Call => ({ args: ['secret', 'put', name], secret });

/** Prints what `provision` would do, without doing it. */
export function printPlan({ target, say }: Pick<ProvisionDeps, 'target' | 'say'>): void {
  const names = readNames(target);
  say('Nothing is run: this is what `npm run provision -- --apply` does.\n');
  for (const [at, { name, find, create }] of resourcesOf(names).entries()) {
    say(`${name}\n  ${commandLine(find)}\n  ${commandLine(create)}    (where it is missing)`);
    if (at === 0) say(`Its id\n  ${commandLine(LIST_NAMESPACES)}\n  entered into ${target.configFile}`);
  }
  const groups = [
    { title: 'Secrets', secrets: SECRETS, option: '' },
    {
      title: 'Secrets of the dashboard',
      secrets: DASHBOARD_SECRETS,
      option: ` --config ${dashboardOf(target).configFile}`,
    },
  ];
  for (const { title, secrets, option } of groups) {
    say(`${title}\n  ${commandLine(LIST_SECRETS)}${option}`);
    for (const { name, isMade } of secrets) {
      const made = isMade ? `, else newly made and kept in ${secretsFileOf(target)}` : '';
      say(`  ${commandLine(putSecret(name, ''))}${option}    (where it is missing; of the environment${made})`);
    }
  }
  say(
    'Database\n  the migrations in drizzle/ that have not run yet, on the Postgres of DATABASE_URL, by the role of DATABASE_OWNER_URL if it is set',
  );
}

/** Creates what is missing, in an order that may be interrupted and repeated. Throws a `DeploymentError`. */
export async function provision(deps: ProvisionDeps): Promise<void> {
  const [namespace, ...others] = resourcesOf(readNames(deps.target));
  if (namespace !== undefined) await provide(deps, namespace);
  await enterNamespaceId(deps);
  for (const resource of others) await provide(deps, resource);
  await provideSecrets(deps, deps.run, SECRETS, '');
  await provideSecrets(deps, deps.runDashboard, DASHBOARD_SECRETS, ' of the dashboard');
  await deps.migrate();
  deps.say(`· The database has every migration\n\nNext: npm run deploy${environmentWords(deps.target)}`);
}

/** The arguments that select an environment in our own scripts. */
const environmentWords = ({ environment }: Target): string => (environment === null ? '' : ` -- --env ${environment}`);

const failed = (call: Call, { output }: Called): DeploymentError =>
  new DeploymentError(`${commandLine(call)} failed:\n${output}`);

async function provide({ run, say }: ProvisionDeps, { name, find, isThere, create }: Resource): Promise<void> {
  const found = await run(find);
  const there = isThere(found);
  if (there === null) throw failed(find, found);
  const made = there ? null : await run(create);
  const wasThere = made?.ok === false && IS_THERE_ALREADY.test(made.output);
  if (made?.ok === false && !wasThere) throw failed(create, made);
  say(made === null || wasThere ? `· ${name} is there` : `+ ${name}`);
}

async function enterNamespaceId({ target, run, say }: ProvisionDeps): Promise<void> {
  const { configFile } = target;
  const { title, id: entered } = readNames(target).namespace;
  const found = namespacesIn(await required(LIST_NAMESPACES, run)).find((one) => one.title === title)?.id;
  if (found === undefined) throw new DeploymentError(`${title} was made and is not listed yet: run this again.`);
  if (entered !== null && entered !== found) {
    throw new DeploymentError(
      `${configFile} names the KV namespace ${entered}, but ${title} of this account is ${found}: is it the right account?`,
    );
  }
  if (entered === null) writeNamespaceId(target, found);
  say(entered === null ? `+ Its id in ${configFile}: commit it` : `· Its id stands in ${configFile}`);
}

async function provideSecrets(
  { target, env, say }: ProvisionDeps,
  run: ProvisionDeps['run'],
  secrets: readonly Secret[],
  whose: string,
): Promise<void> {
  const listed = await run(LIST_SECRETS);
  // Before the first deployment the Worker does not exist; the first secret creates an empty one.
  const isNew = !listed.ok && /Worker ".*" not found/.test(listed.output);
  if (!listed.ok && !isNew) throw failed(LIST_SECRETS, listed);
  const there = isNew ? [] : secretsIn(listed.stdout);
  for (const secret of secrets) {
    const { name } = secret;
    const isThere = there.includes(name);
    if (!isThere) await required(putSecret(name, secretValue(secret, env, secretsFileOf(target))), run);
    say(isThere ? `· Secret ${name}${whose} is there` : `+ Secret ${name}${whose}`);
  }
}
