import { randomBytes } from 'node:crypto';
import { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzleServer } from 'drizzle-orm/node-postgres';
import { migrate as migrateServer } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite';
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { MIGRATIONS } from '../../scripts/stack/database.ts';
import type { Database } from '../../src/storage/postgres/client.ts';

export interface TestDatabase {
  readonly db: Database;
  close(): Promise<void>;
}

/** Pages of 8 KB that one statement read, cached or not. */
export interface StatementReads {
  readonly planning: number;
  readonly execution: number;
  readonly rows: number;
  /** The plan, one line per node. */
  readonly plan: string;
}

export interface ServerDatabase extends TestDatabase {
  /** Runs the store's statements under EXPLAIN (ANALYZE, BUFFERS) on one session; `work` gets no rows. */
  explain(work: (db: Database) => Promise<unknown>): Promise<StatementReads[]>;
}

/**
 * A database with the committed migrations: PGlite in memory, or with `TEST_DATABASE_URL` a schema of its own on that
 * Postgres, dropped on close. The same suites run on both; other suites' rows may stand beside a suite's own.
 */
export const openTestDatabase = (): Promise<TestDatabase> => {
  const { TEST_DATABASE_URL: url } = process.env;
  return url ? openTestServer(url) : openEmbedded();
};

/** PGlite takes seconds of CPU to start: the files of one worker share it, one after the other. */
let embedded: Promise<TestDatabase> | undefined;

function openEmbedded(): Promise<TestDatabase> {
  embedded ??= startEmbedded();
  return embedded;
}

async function startEmbedded(): Promise<TestDatabase> {
  const db = drizzleEmbedded(await PGlite.create());
  await migrateEmbedded(db, { migrationsFolder: MIGRATIONS });
  // It is all in memory and ends with the worker.
  return { db: db as unknown as Database, close: async () => undefined };
}

export async function openTestServer(url: string): Promise<ServerDatabase> {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const pool = new pg.Pool({ connectionString: url, max: 10, options: `-c search_path=${schema}` });
  await pool.query(`create schema ${schema}`);
  const db = drizzleServer(pool);
  await migrateServer(db, { migrationsFolder: MIGRATIONS, migrationsSchema: schema });
  return {
    db: db as unknown as Database,
    async explain(work) {
      const reads: StatementReads[] = [];
      const session = await pool.connect();
      try {
        await work(explaining(session, reads));
      } finally {
        session.release();
      }
      return reads;
    },
    async close() {
      await pool.query(`drop schema ${schema} cascade`);
      await pool.end();
    },
  };
}

/** The fields of EXPLAIN's JSON that are read here. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly Plan: PlanNode;
  readonly Planning: Pick<PlanNode, 'Shared Hit Blocks' | 'Shared Read Blocks'>;
}

/** A database that explains each statement, with the driver's own text and values. */
function explaining(session: pg.PoolClient, reads: StatementReads[]): Database {
  const client = {
    async query({ text }: { text: string }, values: unknown[]) {
      const explain = `explain (analyze, buffers, format json) ${text}`;
      const { rows } = await session.query<{ 'QUERY PLAN': Explained[] }>(explain, values);
      for (const { Plan, Planning } of rows.flatMap((row) => row['QUERY PLAN'])) {
        const plan = describePlan(Plan).join('\n');
        reads.push({ planning: pages(Planning), execution: pages(Plan), rows: Plan['Actual Rows'], plan });
      }
      return { rows: [] };
    },
  };
  return drizzleServer({ client: client as unknown as pg.Client });
}

const pages = (node: Explained['Planning']): number => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

/** The nodes that were run, a line each. */
function describePlan(node: PlanNode, depth = 0): string[] {
  if (node['Actual Loops'] === 0) return [];
  const name = [node['Node Type'], node['Index Name'] ?? node['Relation Name']].join(' ');
  return [
    `${'  '.repeat(depth)}${name}: ${pages(node)} pages, ${node['Actual Rows']} rows`,
    ...(node.Plans ?? []).flatMap((child) => describePlan(child, depth + 1)),
  ];
}
