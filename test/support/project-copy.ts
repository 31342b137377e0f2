import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(import.meta.dirname, '../..');

/** Parts of the service. `dist` records which pages are built, so a copy needn't rebuild them. */
const PARTS = [
  'src',
  'scripts',
  'dashboard',
  'public',
  'drizzle',
  'docs',
  'client',
  'dist',
  'README.md',
  'wrangler.toml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/** Copies the service's sources to the folder `root`, where they may be changed. It shares the packages of this one. */
export function copyProject(root: string): void {
  for (const part of PARTS) {
    const source = join(PROJECT, part);
    if (existsSync(source)) cpSync(source, join(root, part), { recursive: true });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
}
