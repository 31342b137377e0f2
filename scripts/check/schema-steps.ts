import { join } from 'node:path';
import { readRecord } from '../releases/record.ts';
import { refusedSteps } from '../releases/schema-steps.ts';
import { ROOT, type StepResult } from './step.ts';

/** Whether the last release runs on the schema as it is now, in the objects and in Postgres. */
export async function schemaSteps(): Promise<StepResult> {
  const record = readRecord();
  const refused = refusedSteps(record, join(ROOT, 'drizzle'));
  return { ok: refused.length === 0, note: `since release ${record.release}`, output: refused.join('\n') };
}
