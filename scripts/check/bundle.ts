import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleWorker } from '../stack/bundle.ts';
import { type Outcome, ROOT } from './step.ts';

/** Code alone: the packed lists are modules of their own. Start-up time on the edge grows with it. */
const BUDGET_KB = 400;

/** Builds the Worker as a deployment would and weighs its code, compressed as the platform counts it. */
export async function bundleBudget(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const modules = await bundleWorker(ROOT, folder);
    const code = modules.filter(({ type }) => type === 'ESModule').map(({ path }) => readFileSync(join(folder, path)));
    const bytes = code.reduce((sum, module) => sum + gzipSync(module).length, 0);
    const note = `${(bytes / 1000).toFixed(1)} KB gzip of ${BUDGET_KB}`;
    return { ok: bytes <= BUDGET_KB * 1000, note, output: `The Worker's code is over its budget: ${note}.` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
