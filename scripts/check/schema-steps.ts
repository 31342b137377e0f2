import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkOut, readRecord } from '../releases/record.ts';
import { refusals, stepsOf, undated } from '../releases/schema-steps.ts';
import { ROOT, type StepResult } from './step.ts';

/** Whether the last release runs on the schema as it is now, in the objects and in Postgres. */
export async function schemaSteps(): Promise<StepResult> {
  const record = readRecord();
  const misdated = undated(ROOT);
  if (record === null) return { ok: misdated.length === 0, note: 'no release yet', output: misdated.join('\n') };
  const work = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    await checkOut(record.commit, join(work, 'source'));
    const [now, past] = [stepsOf(ROOT), stepsOf(join(work, 'source'))];
    const refused = [
      ...refusals(now.object, past.object, record.release).map((text) => `object, ${text}`),
      ...refusals(now.operators, past.operators, record.release).map((text) => `operators' object, ${text}`),
      ...refusals(now.postgres, past.postgres, record.release).map((text) => `Postgres, ${text}`),
      ...misdated.map((text) => `Postgres, ${text}`),
    ];
    return { ok: refused.length === 0, note: `since release ${record.release}`, output: refused.join('\n') };
  } finally {
    rmSync(work, { recursive: true });
  }
}
