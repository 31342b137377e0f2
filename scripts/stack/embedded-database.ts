import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { asText, type Database, MIGRATIONS, type RunQuery, type TextValue } from './database.ts';
import { createCluster } from './embedded-cluster.ts';
import { migrateEmbedded } from './embedded-migrations.ts';

/**
 * Embedded Postgres, its files in `dataDir`; where they are new, the migrations are applied already. One session: PGlite itself
 * lets one query or transaction run at a time.
 */
export async function openEmbedded(dataDir: string, migrationsFolder = MIGRATIONS): Promise<Database> {
  // A data directory whose creation was interrupted looks whole to Postgres. It does not hold data yet, so make it again.
  const complete = join(dataDir, 'complete');
  if (!existsSync(complete)) {
    rmSync(dataDir, { recursive: true, force: true });
    await createCluster(dataDir, migrationsFolder);
  }
  const db = await PGlite.create(dataDir);
  // It parses the types that it knows at its start, and passes all others as text. A query's own parsers would be merged with
  // the hundreds of these each time.
  for (const type of Object.keys(db.parsers).map(Number)) db.parsers[type] = asText;
  for (const type of Object.keys(db.serializers).map(Number)) db.serializers[type] = String;

  const runOn =
    (session: PGlite | Transaction): RunQuery =>
    async (text, values) => {
      const result = await session.query<TextValue[]>(text, [...values], { rowMode: 'array' });
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

  return {
    async migrate(folder) {
      await migrateEmbedded(db, folder);
      writeFileSync(complete, '');
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
