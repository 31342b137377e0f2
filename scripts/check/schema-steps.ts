import { readRecord } from '../releases/record.ts';
import { refusals, stepsOf, undated } from '../releases/schema-steps.ts';
import { ROOT, type StepResult } from './step.ts';

/** Whether the last release runs on the schema as it is now, in the objects and in Postgres. */
export async function schemaSteps(): Promise<StepResult> {
  const misdated = undated(ROOT);
  const record = readRecord();
  if (record === null) return { ok: misdated.length === 0, note: 'no release yet', output: misdated.join('\n') };
  const { release, steps } = record;
  const now = stepsOf(ROOT);
  const refused = [
    ...refusals(now.object, steps.object, release).map((text) => `object, ${text}`),
    ...refusals(now.operators, steps.operators, release).map((text) => `operators' object, ${text}`),
    ...refusals(now.postgres, steps.postgres, release).map((text) => `Postgres, ${text}`),
    ...misdated.map((text) => `Postgres, ${text}`),
  ];
  return { ok: refused.length === 0, note: `since release ${release}`, output: refused.join('\n') };
}
