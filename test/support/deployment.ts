import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Account, emptyAccount } from './fake-account.ts';
import type { CliResult } from './operator-cli.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A folder with the committed configuration, gone after the test. */
export function openDeployment() {
  const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const configFile = join(folder, 'wrangler.toml');
  copyFileSync(join(ROOT, 'wrangler.toml'), configFile);
  mkdirSync(join(folder, 'dashboard'));
  copyFileSync(join(ROOT, 'dashboard/wrangler.toml'), join(folder, 'dashboard/wrangler.toml'));
  const secretsFile = join(folder, '.provision/secrets.env');
  const target = { configFile, environment: null };
  return { folder, configFile, target, secretsFile, config: () => readFileSync(configFile, 'utf8') };
}

/** Runs the scripts with fake `wrangler` and `npm` over an account of the test. */
export function openScripts(change: Partial<Account> = {}) {
  const deployment = openDeployment();
  const { folder, configFile } = deployment;
  const file = join(folder, 'account.json');
  writeFileSync(file, JSON.stringify(emptyAccount(change)));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['wrangler', 'npm']) {
    symlinkSync(join(import.meta.dirname, 'fake-wrangler.ts'), join(folder, 'bin', name));
  }
  return {
    ...deployment,
    account: () => JSON.parse(readFileSync(file, 'utf8')) as Account,
    async run(
      script: 'provision' | 'deploy',
      args: readonly string[],
      env: Record<string, string>,
    ): Promise<CliResult> {
      const path = [join(folder, 'bin'), dirname(process.execPath)].join(delimiter);
      const child = spawn(process.execPath, [join(ROOT, `scripts/${script}.ts`), '--config', configFile, ...args], {
        env: { ...env, PATH: path, HOME: folder, FAKE_ACCOUNT: file } as Record<string, string> as NodeJS.ProcessEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said = [text(child.stdout), text(child.stderr), once(child, 'close')] as const;
      const [stdout, stderr, [code]] = await Promise.all(said);
      return { code, stdout, stderr };
    },
  };
}
