import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/check/step.ts';
import { recorded, refusals, type SchemaStep, stepsOf, undated } from '../../../scripts/releases/schema-steps.ts';

const step = (sql: string, unusedSince: number | null = null) => ({ name: 'next', sql, unusedSince });
const past = (...steps: readonly SchemaStep[]) => recorded({ object: steps, operators: [], postgres: [] }).object;
const refused = (sql: string, unusedSince: number | null = null) => refusals([step(sql, unusedSince)], [], 3);

const EXPAND = [
  'create table t (a text primary key, b text not null unique check (b > 0)) without rowid',
  'CREATE TABLE "t" (\n\t"id" uuid PRIMARY KEY NOT NULL\n) PARTITION BY RANGE ("id");',
  'create index i on t (a, lower(b)) where a is not null',
  'alter table t add column a text',
  'ALTER TABLE "t" ADD COLUMN "a" boolean DEFAULT false NOT NULL;',
  'alter table t add column a integer not null default (1 + 1)',
  "alter table t add column a text not null default 'drop table; unique'",
  'ALTER TABLE "t" SET (toast_tuple_target = 8160);',
  '-- drop table t;\n/* delete from t; */ create index i on t (a);',
  // Of the same release: nothing before it knows them.
  'create table t (a text); create unique index i on t (a); insert into t values (1, 2); drop table t',
  'create table "t" ("a" text);--> statement-breakpoint\nALTER TABLE "t" ADD CONSTRAINT "k" PRIMARY KEY("a");',
  'alter table t add column a text; update t set a = coalesce(b, 1, 2) where c = 1',
  'ALTER TABLE "t" ADD COLUMN "a" jsonb; UPDATE "t" "x" SET "a" = "y"."b" FROM "y" WHERE "x"."c" = 1;',
];

/** What a step may hold once the release before does without it. */
const CONTRACT = [
  'drop table t',
  'drop index i',
  'alter table t drop column a',
  'ALTER TABLE "t" DROP CONSTRAINT "k";',
  'alter table t alter column a set not null',
  'alter table t alter column a drop not null',
  'alter table t add constraint k unique (a)',
  'create unique index i on t (a)',
  'delete from t where a = 1',
];

const NEVER = [
  'alter table t rename to u',
  'alter table t rename column a to b',
  `ALTER TABLE "t" ALTER COLUMN "a" SET DATA TYPE bytea USING decode("a", 'hex');`,
  'alter table t alter column a type text',
  'alter table t add column a text not null',
  'alter table t add column "default" text not null',
  'alter table t add column a text unique',
  'alter table t add column a text references u (a)',
  'alter table t add column a text, add column b text',
  'alter table t add column a text; update t set a = 1, b = 2',
  'update t set a = 1',
  'insert into t values (1)',
  'create table if not exists t (a text)',
  'create trigger r after insert on t begin select 1; end',
  'do $$ begin drop table t; end $$',
];

/** Hidden behind something that looks like an addition. */
const HIDDEN = [
  'drop table t; create table t (a text)',
  'create table u (a text); insert into u select a from t; drop table t; alter table u rename to t',
  'alter table t drop column a; alter table t add column a integer',
  "alter table t add column a text default ';' ; drop table t",
];

describe('a step of the schema', () => {
  it.each(EXPAND)('may add: %s', (sql) => expect(refused(sql)).toEqual([]));

  it.each([...CONTRACT, ...HIDDEN])('takes nothing away unannounced: %s', (sql) =>
    expect(refused(sql)).not.toEqual([]),
  );

  it.each(CONTRACT)('takes away what the last release did without: %s', (sql) => {
    expect(refused(sql, 3)).toEqual([]);
    expect(refused(sql, 2)).toEqual([]);
  });

  it.each(CONTRACT)('takes nothing away before its time: %s', (sql) => {
    expect(refused(sql, 4)).toEqual([expect.stringContaining('unused since release 4, which is not out')]);
  });

  it.each(NEVER)('never does what breaks the release before: %s', (sql) => {
    for (const unusedSince of [null, 1]) expect(refused(sql, unusedSince), sql).not.toEqual([]);
  });

  it('is not looked at again once its release is out', () => {
    const out = step('drop table t');
    expect(refusals([out], past(out), 3)).toEqual([]);
  });

  it.each([
    ['edited', [step('create table u (a text)')]],
    ['renamed', [{ ...step('create table t (a text)'), name: 'other' }]],
    ['gone', []],
    ['behind another', [step('create table u (a text)'), step('create table t (a text)')]],
  ])('of a release that is out is not %s', (_, steps) => {
    expect(refusals(steps, past(step('create table t (a text)')), 3)).toEqual([
      'next: release 3 has run it, so it stays as it was, in its place',
    ]);
  });
});

describe('the schema', () => {
  it('has steps in both stores, each of Postgres dated after the one in front of it', () => {
    const { object, postgres } = stepsOf(ROOT);
    expect([object.length > 0, postgres.length > 0]).toEqual([true, true]);
    expect(undated(ROOT)).toEqual([]);
  });
});
