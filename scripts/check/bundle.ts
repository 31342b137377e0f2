import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { execute, type StepResult } from './step.ts';

/** Code alone: the packed lists are modules of their own. */
const BUDGET_KB = 1_500;

/** Builds the Worker as a deployment would and weighs its code, compressed as the platform counts it. */
export async function bundleBudget(): Promise<StepResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const built = await execute('wrangler', 'deploy', '--dry-run', '--outdir', folder);
    if (!built.ok) return built;
    const code = readdirSync(folder).filter((file) => file.endsWith('.js'));
    const bytes = code.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    const note = `${(bytes / 1000).toFixed(1)} KB gzip of ${BUDGET_KB}`;
    return { ok: bytes <= BUDGET_KB * 1000, note, output: `The Worker's code is over its budget: ${note}.` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
