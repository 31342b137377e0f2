import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { asText, type Database, type RunQuery, type TextValue } from './database.ts';

const CONNECT_TIMEOUT_MS = 5_000;

/** Sends even a statement without values by the extended protocol: one statement a query, as Neon has it. */
type ExtendedQuery = pg.QueryArrayConfig<TextValue[]> & { queryMode: 'extended' };

const runOn =
  (client: pg.Pool | pg.PoolClient): RunQuery =>
  async (text, values) => {
    const query: ExtendedQuery = {
      text,
      values: [...values],
      rowMode: 'array',
      types: { getTypeParser: () => asText },
      queryMode: 'extended',
    };
    const { command, rowCount, rows, fields } = await client.query<TextValue[]>(query);
    return {
      command,
      rowCount,
      rows,
      fields: fields.map(({ name, tableID, columnID, dataTypeID, dataTypeSize, dataTypeModifier }) => ({
        name,
        dataTypeID,
        tableID,
        columnID,
        dataTypeSize,
        dataTypeModifier,
        format: 'text',
      })),
    };
  };

/** A Postgres server, through a pool. Rejects when it can't be reached within five seconds. */
export async function openPostgres(connectionString: string): Promise<Database> {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // An idle connection the server closed is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {});
  await pool.query('select 1');
  return {
    migrate: (migrationsFolder) => migrate(drizzle(pool), { migrationsFolder }),
    query: runOn(pool),
    async transaction(mode, work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query(mode ? `BEGIN ${mode}` : 'BEGIN');
        const result = await work(runOn(client));
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((cause: Error) => {
          broken = cause;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}
