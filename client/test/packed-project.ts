import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../build/package.ts';

export const run = promisify(execFile);

/** A customer's project, with the packed client unpacked where npm puts it. */
export interface ClientProject {
  readonly folder: string;
  /** What the build wrote. */
  readonly built: string;
  /** What npm packed. */
  readonly tarball: string;
  /** The package's own folder. */
  readonly installed: string;
  remove(): void;
}

export async function openClientProject(): Promise<ClientProject> {
  const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  const installed = join(folder, 'node_modules/email-verification-client');
  const built = join(folder, 'built');
  await buildPackage(built);
  await run('npm', ['pack', '--offline', '--pack-destination', folder], { cwd: built });
  const tarball = join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return { folder, built, tarball, installed, remove: () => rmSync(folder, { recursive: true }) };
}
