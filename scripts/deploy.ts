import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DeploymentError, runScript } from './deployment/deployment-error.ts';
import { migrate } from './deployment/migrate.ts';
import { readNames } from './deployment/names.ts';

/**
 * `npm run deploy`: the checks, then the migrations (a new Worker may need what they add; a migration has to leave the one
 * before working), then the Worker. The first that fails ends it. `--version` is what `/health` answers.
 */
const ROOT = join(import.meta.dirname, '..');

async function program(name: string, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
  const [code] = await once(spawn(name, args, { cwd: ROOT, env, stdio: 'inherit' }), 'close');
  if (code !== 0) throw new DeploymentError(`${[name, ...args].join(' ')} failed: nothing after it was done.`);
}

await runScript(async () => {
  const { values: options } = parseArgs({
    options: {
      config: { type: 'string', default: join(ROOT, 'wrangler.toml') },
      version: { type: 'string' },
    },
  });
  const configFile = resolve(options.config);
  if (readNames(configFile).namespace.id === null)
    throw new DeploymentError(`${configFile} names no KV namespace yet: run \`npm run provision -- --apply\`.`);
  if (!process.env['DATABASE_URL'])
    throw new DeploymentError('Set DATABASE_URL: its migrations come before the Worker.');
  await program('npm', 'run', '--silent', 'check');
  await migrate(process.env);
  console.log('✓ The database has every migration');
  const version = options.version === undefined ? [] : ['--var', `SERVICE_VERSION:${options.version}`];
  await program('wrangler', 'deploy', '--config', configFile, ...version);
});
