import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEmbedded } from '../../scripts/stack/embedded-database.ts';
import type { Held } from './scan.ts';

/** Which store a file of a stack's folder belongs to, by the folder it stands in. */
const STORES: readonly (readonly [folder: string, store: string])[] = [
  ['worker/do', 'objects'],
  ['worker/kv', 'KV'],
  ['worker/r2', 'R2'],
  ['worker/cache', 'cache'],
  ['worker/', 'other files of the runtime'],
  ['postgres', 'Postgres'],
  ['worker.log', 'log'],
];
/** Who a stack's keys and links are: the machine's own, not the service's. */
const NOT_A_STORE = new Set(['secrets.json', 'stack.json', 'processes.json']);

const storeOf = (name: string): string => STORES.find(([folder]) => name.startsWith(folder))?.[1] ?? 'other files';
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A row as JSON, and each blob of it as it is: it may be compressed. */
function* rowParts(row: Record<string, unknown>): Generator<Uint8Array> {
  const texts = Object.entries(row).map(([name, value]) => {
    if (value instanceof Uint8Array) return [name, Buffer.from(value).toString('hex')];
    return [name, typeof value === 'bigint' ? String(value) : value];
  });
  yield Buffer.from(JSON.stringify(Object.fromEntries(texts)));
  for (const value of Object.values(row)) if (value instanceof Uint8Array) yield value;
}

/** Every row of a SQLite file: a long one stands in several places of the file. */
function* rowsOf(file: string, store: string): Generator<Held> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    for (const { name } of tables as { name: string }[]) {
      const all = database.prepare(`select * from ${quoted(name)}`);
      all.setReadBigInts(true);
      for (const row of all.iterate())
        for (const bytes of rowParts(row)) yield { store, place: `table ${name}`, bytes };
    }
  } finally {
    database.close();
  }
}

/** Every byte of every file of a stack that has stopped, and the rows of its SQLite files. */
export function* heldInFiles(stateDir: string): Generator<Held> {
  const files = readdirSync(stateDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const path = relative(stateDir, file).split(sep).join('/');
    if (NOT_A_STORE.has(path)) continue;
    const store = storeOf(path);
    const place = store === 'Postgres' ? 'files' : path.replace(/[0-9a-f]{32,}/g, '…');
    yield { store, place, bytes: readFileSync(file) };
    yield { store, place: 'names of files', bytes: Buffer.from(path) };
    if (name.endsWith('.sqlite')) yield* rowsOf(file, store);
  }
}

/** Every row of every table of Postgres, partitions and what sign-in keeps included. */
export async function heldInPostgres(stateDir: string): Promise<Held[]> {
  const database = await openEmbedded(join(stateDir, 'postgres'));
  try {
    const { rows: tables } = await database.query(
      `select table_schema, table_name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      [],
    );
    const held: Held[] = [];
    for (const [schema = '', table = ''] of tables as string[][]) {
      const { rows } = await database.query(
        `select to_jsonb(t)::text from only ${quoted(schema)}.${quoted(table)} as t`,
        [],
      );
      for (const [text = ''] of rows as string[][])
        held.push({ store: 'Postgres', place: `table ${table}`, bytes: Buffer.from(text) });
    }
    return held;
  } finally {
    await database.close();
  }
}
