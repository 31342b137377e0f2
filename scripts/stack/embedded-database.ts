import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type QueryOptions, type Transaction } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { asText, type Database, type RunQuery, type TextValue } from './database.ts';
import { createCluster } from './embedded-cluster.ts';

/** Embedded Postgres, its files in `dataDir`. One session: PGlite itself lets one query or transaction run at a time. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  // A data directory whose creation was interrupted looks whole to Postgres. It does not hold data yet, so make it again.
  const complete = join(dataDir, 'complete');
  if (!existsSync(complete)) {
    rmSync(dataDir, { recursive: true, force: true });
    await createCluster(dataDir);
  }
  const db = await PGlite.create(dataDir);
  let asTextOptions: QueryOptions = {};

  /** PGlite parses by type; a type left out here (arrays have their own) would be parsed twice. */
  async function passEveryTypeAsText(): Promise<void> {
    const { rows } = await db.query<{ oid: number }>('select oid::int4 as oid from pg_type');
    const everyType = Object.fromEntries(rows.map(({ oid }) => [oid, asText]));
    asTextOptions = { rowMode: 'array', parsers: everyType, serializers: everyType };
  }

  const runOn =
    (session: PGlite | Transaction): RunQuery =>
    async (text, values) => {
      const result = await session.query<TextValue[]>(text, [...values], asTextOptions);
      return {
        command: result.command ?? '',
        rowCount: result.rowCount ?? null,
        rows: result.rows,
        fields: result.fields.map(({ name, dataTypeID }) => ({
          name,
          dataTypeID,
          tableID: 0,
          columnID: 0,
          dataTypeSize: -1,
          dataTypeModifier: -1,
          format: 'text',
        })),
      };
    };

  await passEveryTypeAsText();
  return {
    async migrate(migrationsFolder) {
      await migrate(drizzle(db), { migrationsFolder });
      writeFileSync(complete, '');
      await passEveryTypeAsText();
    },
    query: runOn(db),
    transaction: (mode, work) =>
      db.transaction(async (session) => {
        if (mode) await session.exec(`SET TRANSACTION ${mode}`);
        return work(runOn(session));
      }),
    close: () => db.close(),
  };
}
