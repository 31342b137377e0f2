import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Database } from '../../../src/storage/postgres/client.ts';

/** What went to Postgres. `pages`: 8 KB each, of reading statements, from its memory or from the disk. */
export interface Counted {
  statements: number;
  pages: number;
}

interface Plan {
  readonly 'QUERY PLAN': readonly [
    { readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number } },
  ];
}

/** Runs work on the service's tables, in a schema that is dropped behind it. */
export async function onSchema<T>(
  url: string,
  work: (db: Database, counted: Counted, pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const schema = `bench_${randomBytes(8).toString('hex')}`;
  // JIT off: it would compile longer than these statements run.
  const pool = new pg.Pool({ connectionString: url, max: 1, options: `-c search_path=${schema} -c jit=off` });
  await pool.query(`create schema ${schema}`);
  try {
    await migrate(drizzle(pool), {
      migrationsFolder: join(import.meta.dirname, '../../../drizzle'),
      migrationsSchema: schema,
    });
    const counted: Counted = { statements: 0, pages: 0 };
    return await work(counting(pool, counted), counted, pool);
  } finally {
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();
  }
}

/** Each reading statement is explained once more, for its pages. */
function counting(pool: pg.Pool, counted: Counted): Database {
  const client = {
    async query(query: { readonly text: string }, values: unknown[]) {
      counted.statements += 1;
      if (/^\s*select/i.test(query.text)) {
        const explained = await pool.query<Plan>(`explain (analyze, buffers, format json) ${query.text}`, values);
        const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan;
        counted.pages += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
      }
      return pool.query(query, values);
    },
  };
  return drizzle({ client: client as unknown as pg.Client });
}
