import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ObjectMigration } from '../../src/organisation/schema.ts';
import { classify, Made, statementsOf } from './statements.ts';

/** One step of a store's schema, of any store. */
export interface SchemaStep {
  readonly name: string;
  readonly sql: string;
  /** The first release without what the step drops; null means it only adds. */
  readonly unusedSince: number | null;
}

interface JournalEntry {
  readonly tag: string;
  readonly when: number;
}

const require = createRequire(import.meta.url);

const UNUSED_SINCE = /^-- unused since release (\d+)$/m;

const journal = (folder: string): readonly JournalEntry[] =>
  (JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as { entries: JournalEntry[] }).entries;

/** A step that a release has run. */
export interface RecordedStep {
  readonly name: string;
  /** SHA-256 of its SQL. */
  readonly hash: string;
}

/** The steps of all stores in a release's source. */
export interface SchemaSteps<Step = SchemaStep> {
  readonly object: readonly Step[];
  readonly operators: readonly Step[];
  readonly postgres: readonly Step[];
}

const recordedStep = ({ name, sql }: SchemaStep): RecordedStep => ({
  name,
  hash: createHash('sha256').update(sql).digest('hex'),
});

/** The steps as a release's record holds them. */
export const recorded = ({ object, operators, postgres }: SchemaSteps): SchemaSteps<RecordedStep> => ({
  object: object.map(recordedStep),
  operators: operators.map(recordedStep),
  postgres: postgres.map(recordedStep),
});

export function stepsOf(source: string): SchemaSteps {
  const { OBJECT_MIGRATIONS, OPERATORS_MIGRATIONS } = require(join(source, 'src/organisation/schema.ts')) as Readonly<
    Record<'OBJECT_MIGRATIONS' | 'OPERATORS_MIGRATIONS', readonly ObjectMigration[]>
  >;
  const steps = (migrations: readonly ObjectMigration[]): SchemaStep[] =>
    migrations.map(({ name, sql, unusedSince = null }) => ({ name, sql, unusedSince }));
  return {
    object: steps(OBJECT_MIGRATIONS),
    operators: steps(OPERATORS_MIGRATIONS),
    postgres: journal(join(source, 'drizzle')).map(({ tag }) => {
      const sql = readFileSync(join(source, 'drizzle', `${tag}.sql`), 'utf8');
      const release = UNUSED_SINCE.exec(sql)?.[1];
      return { name: tag, sql, unusedSince: release === undefined ? null : Number(release) };
    }),
  };
}

/** The faults of a store's steps, seen from the last release; empty if it runs on all of them. */
export function refusals(steps: readonly SchemaStep[], past: readonly RecordedStep[], lastRelease: number): string[] {
  const now = steps.map(recordedStep);
  const changed = past.find(({ name, hash }, place) => now[place]?.name !== name || now[place].hash !== hash);
  if (changed) return [`${changed.name}: release ${lastRelease} has run it, so it stays as it was, in its place`];
  const made = new Made();
  return steps.slice(past.length).flatMap((step) => {
    const isDue = step.unusedSince !== null && step.unusedSince <= lastRelease;
    return statementsOf(step.sql).flatMap((statement) => {
      const { effect, reason } = classify(statement, made);
      made.add(statement);
      if (effect === 'expand' || (effect === 'contract' && isDue)) return [];
      return [`${step.name}: ${statement}\n  ${refusal(effect, step.unusedSince, reason, lastRelease)}`];
    });
  });
}

function refusal(
  effect: 'contract' | 'never',
  unusedSince: number | null,
  reason: string,
  lastRelease: number,
): string {
  if (effect === 'never') return reason;
  if (unusedSince === null) return `${reason}: a step that takes something away says since which release it is unused`;
  return `${reason}: unused since release ${unusedSince}, which is not out (the last one is ${lastRelease})`;
}

/** drizzle's migrator silently skips a migration dated before the last one that ran. */
export const undated = (source: string): string[] =>
  journal(join(source, 'drizzle'))
    .filter(({ when }, place, entries) => when <= (entries[place - 1]?.when ?? 0))
    .map(({ tag }) => `${tag}: dated before the one in front of it, so that it would never run: generate it again`);
