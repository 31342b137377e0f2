import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantsTo } from '../../scripts/deployment/migrate.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { createPartitions, dropExpiredPartitions, PARTITIONED_TABLES } from '../../src/storage/postgres/retention.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const OWNER_URL = 'postgresql://owner@db.localhost/main';
const TABLES = PARTITIONED_TABLES.map(({ table }) => table);
const LONG_AGO = Date.UTC(2020, 0, 15);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  await db.execute(sql.raw('create role "worker role"'));
  for (const statement of grantsTo('worker role', OWNER_URL)) await db.execute(sql.raw(statement));
});
afterAll(async () => {
  await database.db.execute(sql.raw('reset role'));
  for (const statement of ['drop owned by "worker role"', 'drop role "worker role"'])
    await database.db.execute(sql.raw(statement));
  await database.close();
});

/** One statement as the Worker's role. */
const asWorker = async (statement: string): Promise<string> => {
  try {
    await database.db.execute(sql.raw('set role "worker role"'));
    await database.db.execute(sql.raw(statement));
    return 'done';
  } catch (error) {
    return ((error as { cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code) || 'failed';
  } finally {
    await database.db.execute(sql.raw('reset role'));
  }
};

describe.skipIf(process.env['TEST_DATABASE_URL'])('the Worker’s role', () => {
  it('reads and writes rows, also of months that are made later', async () => {
    await database.db.execute(sql.raw('set role "worker role"'));
    await createPartitions(database.db, TABLES, [LONG_AGO]);
    await database.db.execute(sql.raw('reset role'));
    for (const table of [...TABLES, 'organisation', 'membership', 'auth_session', `${TABLES[0]}_2020_01`])
      expect(await asWorker(`delete from ${table} where false`), table).toBe('done');
  });

  it('drops months that are past their time, as the night does', async () => {
    await database.db.execute(sql.raw('set role "worker role"'));
    await createPartitions(database.db, TABLES, [LONG_AGO]);
    const { dropped } = await dropExpiredPartitions(database.db, LONG_AGO + 3_000 * DAY_MS);
    await database.db.execute(sql.raw('reset role'));
    for (const table of TABLES) expect(dropped).toContain(`${table}_2020_01`);
  });

  it.each([
    'drop table trace',
    'truncate organisation',
    'alter table membership add column x text',
    'alter table auth_user disable trigger all',
    'create table own (id int)',
    'drop function make_partition(regclass, text, uuid, uuid)',
  ])('changes no table: %s', async (statement) => {
    expect(await asWorker(statement)).toBe('42501');
  });

  it('makes and drops nothing else by the functions of partitions', async () => {
    expect(await asWorker(`select drop_partition('trace'::regclass, 'x; drop table organisation')`)).toBe('P0001');
    expect(await asWorker(`select make_partition('trace'::regclass, '', gen_random_uuid(), gen_random_uuid())`)).toBe(
      'P0001',
    );
  });
});

it('one role for both needs no rights', () => {
  expect(grantsTo('owner', OWNER_URL)).toEqual([]);
});
