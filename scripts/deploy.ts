import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { commandLine } from './command-line.ts';
import { addressIn, askDashboard, askDeployed } from './deployment/answers.ts';
import { DeploymentError, runScript } from './deployment/deployment-error.ts';
import { migrate } from './deployment/migrate.ts';
import { dashboardOf, dashboardUrlIn, readNames, type Target } from './deployment/names.ts';
import { DASHBOARD_SECRETS, LIST_SECRETS, secretsIn } from './deployment/secrets.ts';
import { requireSettings, sentence } from './deployment/settings.ts';
import { callWrangler, required, targetArguments, toolEnvironment } from './deployment/wrangler.ts';
import { buildDashboardSite, buildDocsSite } from './stack/sites.ts';

/**
 * `npm run deploy`: the settings, the checks, then the migrations (a new Worker may need what they add; a migration has to
 * leave the one before working), then the Worker, which is asked whether it works, then the dashboard. The first that fails ends it. `--version`
 * is what `/health` answers.
 */
const ROOT = join(import.meta.dirname, '..');

async function program(env: NodeJS.ProcessEnv, name: string, ...args: readonly string[]): Promise<void> {
  const [code] = await once(spawn(name, args, { cwd: ROOT, env, stdio: 'inherit' }), 'close');
  if (code !== 0) throw new DeploymentError(`${[name, ...args].join(' ')} failed: nothing after it was done.`);
}

/** After the API, which it calls: pages and Worker of the dashboard. Without an address in its configuration it is left out. */
async function deployDashboard(env: NodeJS.ProcessEnv, target: Target): Promise<void> {
  const url = dashboardUrlIn(target);
  if (url === null) return console.log(`! The dashboard is not put up: ${target.configFile} names no DASHBOARD_URL.`);
  const secrets = secretsIn(await required(LIST_SECRETS, callWrangler(target)));
  const missing = DASHBOARD_SECRETS.map(({ name }) => name).filter((name) => !secrets.includes(name));
  if (missing.length > 0)
    throw new DeploymentError(`The dashboard lacks ${missing.join(' and ')}: run \`npm run provision -- --apply\`.`);
  await buildDashboardSite(ROOT);
  await program(env, 'wrangler', 'deploy', ...targetArguments(target));
  await askDashboard(url);
  console.log(`✓ ${url} is up\nTo go back: npx wrangler rollback ${targetArguments(target).join(' ')}`);
}

/** Puts the Worker up; gives the address that wrangler names. */
async function deployWorker(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<string | null> {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
  const output = join(folder, 'output.ndjson');
  try {
    await program({ ...env, WRANGLER_OUTPUT_FILE_PATH: output }, 'wrangler', 'deploy', ...args);
    return addressIn(readFileSync(output, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const options = commandLine(
  'deploy',
  'Runs the checks and the migrations, deploys the Worker and asks it. Reads DATABASE_URL, and DATABASE_OWNER_URL if the tables have another owner.',
)
  .option('--config <file>', 'configuration of the Worker', join(ROOT, 'wrangler.toml'))
  .option('--version <text>', 'what /health answers')
  .option('--env <name>', 'an environment of the configuration, such as staging; left out: production')
  .parse()
  .opts<{ config: string; version?: string; env?: string }>();

await runScript(async () => {
  const configFile = resolve(options.config);
  const target = { configFile, environment: options.env ?? null };
  const { env } = process;
  const toolEnv = toolEnvironment(env);
  const { namespace, bindings } = readNames(target);
  if (namespace.id === null)
    throw new DeploymentError(`${configFile} names no KV namespace yet: run \`npm run provision -- --apply\`.`);
  if (!env['DATABASE_URL']) throw new DeploymentError('Set DATABASE_URL: its migrations come before the Worker.');
  const secrets = secretsIn(await required(LIST_SECRETS, callWrangler(target)));
  for (const fault of requireSettings(bindings, secrets)) console.warn(`! ${sentence(fault)}`);
  await program(toolEnv, 'npm', 'run', '--silent', 'check');
  await migrate(env);
  console.log('✓ The database has every migration');
  await buildDocsSite(ROOT);
  const version = options.version ?? null;
  const variables = version === null ? [] : ['--var', `SERVICE_VERSION:${version}`];
  const address = await deployWorker(toolEnv, [...targetArguments(target), ...variables]);
  const rollBack = `To go back: npx wrangler rollback ${targetArguments(target).join(' ')} (the schema stays: docs/guides/staging-and-rollback.md)`;
  const { PUBLIC_URL: url = address } = bindings as { PUBLIC_URL?: string };
  if (url === null)
    throw new DeploymentError(`The Worker is deployed without an address, so it was not checked. ${rollBack}`);
  const key = env['EMAIL_VERIFICATION_API_KEY'] ?? null;
  try {
    await askDeployed({ url: url.replace(/\/$/, ''), version, key });
  } catch (error) {
    if (!(error instanceof DeploymentError)) throw error;
    throw new DeploymentError(`${error.message}\n${rollBack}`);
  }
  const checked =
    key === null ? 'a check without a key is refused (EMAIL_VERIFICATION_API_KEY: one with it)' : 'a check';
  console.log(`✓ ${url} is healthy, and answers ${checked}\n${rollBack}`);
  await deployDashboard(toolEnv, dashboardOf(target));
});
