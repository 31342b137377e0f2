import { beforeEach, describe, expect, it } from 'vitest';
import { RememberingSql, Sql } from '../../../src/organisation/sql/sql.ts';
import { createObjectStorage } from '../../support/object-storage.ts';

describe('remembered look-ups', () => {
  const { sql: file, transactionSync } = createObjectStorage();
  file.exec('create table losses (version integer primary key, document text)');
  file.exec('create table calibration (id integer primary key, version text)');
  const asked: string[] = [];
  const counting = new Sql({
    exec: (query, ...bindings) => {
      asked.push(query);
      return file.exec(query, ...bindings);
    },
  });
  let sql: RememberingSql;
  const newest = () => sql.lookUp<{ document: string }>('losses', 'select document from losses order by version desc');
  const byDocument = (document: string) =>
    sql.lookUp<{ version: number }>('losses', 'select version from losses where document = ?', document);
  const put = (document: string) => sql.exec('insert into losses (document) values (?)', document);

  beforeEach(() => {
    file.exec('delete from losses');
    sql = new RememberingSql({ sql: counting, transactionSync });
    asked.length = 0;
  });

  it('are read once, also where nothing is found', () => {
    expect([newest(), newest()]).toEqual([undefined, undefined]);
    expect([byDocument('a'), byDocument('b'), byDocument('a')]).toEqual([undefined, undefined, undefined]);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ['an insert', () => put('b'), 'b'],
    ['an update', () => sql.exec("update losses set document = 'c'"), 'c'],
    ['a removal', () => sql.exec('delete from losses'), undefined],
    ['a row put in place of another', () => sql.exec("replace into losses values (9, 'd')"), 'd'],
    ['one that is inserted or replaced', () => sql.exec("insert or replace into losses values (9, 'd')"), 'd'],
    ['one that is inserted or left', () => sql.exec("INSERT OR IGNORE INTO losses values (9, 'd')"), 'd'],
    [
      'an upsert',
      () => sql.exec("insert into losses values (9, 'd') on conflict (version) do update set document = 'e'"),
      'd',
    ],
    [
      'a change behind a common table',
      () => sql.exec('with n as (select \'f\' as d) update "losses" set document = (select d from n)'),
      'f',
    ],
  ])('are read again after %s', (_, change, expected) => {
    put('a');
    expect(newest()?.document).toBe('a');
    change();
    expect(newest()?.document).toBe(expected);
  });

  it('stay as they are when another table changes', () => {
    newest();
    sql.exec("insert into calibration (version) values ('m')");
    asked.length = 0;
    newest();
    expect(asked).toEqual([]);
  });

  it('are read again after a transaction was rolled back', () => {
    newest();
    const failing = () =>
      sql.transact(() => {
        put('a');
        newest();
        throw new Error('rolled back');
      });
    expect(failing).toThrow('rolled back');
    expect(newest()).toBeUndefined();
  });

  it('are so many at most', () => {
    for (let n = 0; n < 1_001; n += 1) byDocument(`none ${n}`);
    asked.length = 0;
    byDocument('none 0');
    expect(asked).toHaveLength(0);
    byDocument('none 1000');
    byDocument('none 1000');
    expect(asked).toHaveLength(2);
  });

  it('ask a plain file each time', () => {
    const plain = () => counting.lookUp('losses', 'select 1 from losses');
    expect([plain(), plain()]).toEqual([undefined, undefined]);
    expect(asked).toHaveLength(2);
  });
});
