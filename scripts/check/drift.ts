import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execute, ROOT, type StepResult } from './step.ts';

const NO_DRIFT = 'No schema changes';

/**
 * Whether the committed migrations match the schema: generates into a copy of them. drizzle-kit exits with 0 even when
 * it crashes or would have to ask, so only its own words count.
 */
export async function migrationsDrift(): Promise<StepResult> {
  const copy = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    cpSync(join(ROOT, 'drizzle'), copy, { recursive: true });
    // It reads and writes only below the working directory: an absolute path would be taken as a relative one.
    const target = ['--schema', './{src/storage/postgres,dashboard/worker}/*schema.ts', '--out', relative(ROOT, copy)];
    const { output } = await execute('drizzle-kit', 'generate', '--dialect', 'postgresql', ...target);
    const ok = output.includes(NO_DRIFT);
    return { ok, output: ok ? '' : `The migrations differ from the schema: run npm run db:generate.\n${output}` };
  } finally {
    rmSync(copy, { recursive: true });
  }
}
