import { join, resolve } from 'node:path';
import { commandLine } from './command-line.ts';
import { runScript } from './deployment/deployment-error.ts';
import { migrate } from './deployment/migrate.ts';
import { dashboardOf } from './deployment/names.ts';
import { printPlan, provision } from './deployment/provision.ts';
import { callWrangler } from './deployment/wrangler.ts';

/**
 * `npm run provision [-- --apply]`: creates what the Worker binds, in the account wrangler is logged into, and migrates
 * the database. Without `--apply` it only prints its calls. Existing resources stay, so it may be repeated, also after
 * an interruption.
 */
const say = (line: string): void => console.log(line);

const options = commandLine(
  'provision',
  'Makes what the Worker binds, its secrets and its tables. Prints its calls alone.',
)
  .option('--apply', 'do it', false)
  .option('--config <file>', 'configuration of the Worker', join(import.meta.dirname, '../wrangler.toml'))
  .option('--env <name>', 'an environment of the configuration, such as staging; left out: production')
  .parse()
  .opts<{ apply: boolean; config: string; env?: string }>();

await runScript(async () => {
  const target = { configFile: resolve(options.config), environment: options.env ?? null };
  if (!options.apply) return printPlan({ target, say });
  const { env } = process;
  await provision({
    target,
    env,
    say,
    run: callWrangler(target),
    runDashboard: callWrangler(dashboardOf(target)),
    migrate: () => migrate(env),
  });
});
