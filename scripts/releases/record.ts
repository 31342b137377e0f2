import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../check/step.ts';
import type { RecordedStep, SchemaSteps } from './schema-steps.ts';

/** The last release: its source is that commit's. Written by `npm run release:record`. */
export interface ReleaseRecord {
  /** Counts up by one with every release. */
  readonly release: number;
  readonly version: string;
  readonly commit: string;
  /** What its stores have run: the check needs no history of git. */
  readonly steps: SchemaSteps<RecordedStep>;
}

export const RECORD = join(ROOT, 'release.json');

/** null: nothing is released yet. */
export const readRecord = (): ReleaseRecord | null =>
  existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as ReleaseRecord) : null;

const run = promisify(execFile);

/** Writes the files of a commit into a new folder, with the installed packages beside them. A shallow clone fetches the commit first. */
export async function checkOut(commit: string, folder: string, repository: string = ROOT): Promise<void> {
  const git = (...args: readonly string[]) => run('git', args, { cwd: repository });
  await git('cat-file', '-e', `${commit}^{commit}`).catch(() => git('fetch', '--depth', '1', 'origin', commit));
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  await git('archive', '--output', archive, commit);
  await run('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
