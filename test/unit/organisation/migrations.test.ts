import { describe, expect, it } from 'vitest';
import { bringUpToDate, OBJECT_MIGRATIONS, type ObjectMigration } from '../../../src/organisation/schema.ts';
import { createObjectStorage, type ObjectStorage } from '../../support/object-storage.ts';

const FIRST: ObjectMigration = { name: 'first', sql: 'create table a (x integer); insert into a values (1);' };
const SECOND: ObjectMigration = { name: 'second', sql: 'create table b (y integer);' };

const THIRD: ObjectMigration = { name: 'third', sql: 'alter table b add column z integer;' };

const migrate = (storage: ObjectStorage, steps: readonly ObjectMigration[]) =>
  bringUpToDate(storage.sql, (work) => storage.transactionSync(work), steps);
const names = ({ sql }: ObjectStorage) =>
  sql
    .exec<{ name: string }>('select name from migration order by position')
    .toArray()
    .map(({ name }) => name);

describe('migrating an object', () => {
  it('runs every step once, however often it starts', () => {
    const storage = createObjectStorage();
    for (let i = 0; i < 3; i += 1) migrate(storage, [FIRST, SECOND]);
    expect(names(storage)).toEqual(['first', 'second']);
    expect(storage.sql.exec('select x from a').toArray()).toEqual([{ x: 1 }]);
  });

  it('runs only what is new', () => {
    const storage = createObjectStorage();
    migrate(storage, [FIRST]);
    migrate(storage, [FIRST, SECOND]);
    expect(names(storage)).toEqual(['first', 'second']);
    expect(storage.sql.exec('select x from a').toArray()).toHaveLength(1);
  });

  it.each([
    ['a step edited', [{ ...FIRST, sql: `${FIRST.sql} ` }, SECOND]],
    ['a step renamed', [{ ...FIRST, name: 'other' }, SECOND]],
    ['a step put in front', [{ name: 'zeroth', sql: 'create table z (x integer);' }, FIRST, SECOND]],
    ['two steps changed about', [SECOND, FIRST]],
  ])('refuses to start on a changed past: %s', (_, steps) => {
    const storage = createObjectStorage();
    migrate(storage, [FIRST, SECOND]);
    expect(() => migrate(storage, steps)).toThrow(/^migration (first|second) has changed$/);
    expect(names(storage)).toEqual(['first', 'second']);
  });

  it('starts on the steps of a newer release, and leaves them as they are', () => {
    const storage = createObjectStorage();
    migrate(storage, [FIRST, SECOND, THIRD]);
    for (const steps of [[FIRST, SECOND], [FIRST], [], [FIRST, SECOND, THIRD]]) {
      migrate(storage, steps);
      expect(names(storage)).toEqual(['first', 'second', 'third']);
    }
    expect(storage.sql.exec('select x from a').toArray()).toEqual([{ x: 1 }]);
  });

  it('refuses to start where a newer release has run another step in the place of its own', () => {
    const storage = createObjectStorage();
    migrate(storage, [FIRST, { ...THIRD, sql: 'create table c (z integer);' }]);
    expect(() => migrate(storage, [FIRST, SECOND])).toThrow('migration third has changed');
  });

  it('leaves nothing of a failing step, and runs it again when it is fixed', () => {
    const storage = createObjectStorage();
    const broken = { name: 'second', sql: 'create table b (y integer); insert into nowhere values (1);' };
    expect(() => migrate(storage, [FIRST, broken])).toThrow('no such table: nowhere');
    expect(names(storage)).toEqual(['first']);
    expect(storage.sql.exec("select name from sqlite_master where name = 'b'").toArray()).toEqual([]);
    migrate(storage, [FIRST, SECOND]);
    expect(names(storage)).toEqual(['first', 'second']);
  });

  it('leaves every table of the product with its primary key', () => {
    const storage = createObjectStorage();
    migrate(storage, OBJECT_MIGRATIONS);
    const tables = storage.sql.exec<{ name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'",
    );
    for (const { name } of tables.toArray()) {
      const columns = storage.sql.exec<{ pk: number }>(`select pk from pragma_table_info('${name}')`).toArray();
      expect(
        columns.some(({ pk }) => pk > 0),
        name,
      ).toBe(true);
    }
  });
});
