import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** What a build of the Worker and its migrations need. */
const SOURCES = ['src', 'drizzle', 'public', 'wrangler.toml', 'package.json', 'tsconfig.json'];

/** A message of the kind that the made-up version adds; its consumer logs `made_up`. */
export const MADE_UP_MESSAGE = { v: 1, kind: 'made_up' } as const;

function change(file: string, from: RegExp, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!from.test(text)) throw new Error(`${file}: ${from} is not in it`);
  writeFileSync(file, text.replace(from, to));
}

/**
 * A version that follows the present one, written into `folder`: its source with one column more in Postgres, one step more in the
 * objects and one more kind of queue message.
 */
export function writeNextVersion(folder: string): void {
  for (const each of SOURCES) cpSync(join(ROOT, each), join(folder, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  addColumn(join(folder, 'drizzle'));
  const schema = join(folder, 'src/storage/postgres/directory-schema.ts');
  change(schema, /pgTable\('organisation', \{/, "$&\n  madeUp: text('made_up'),");

  const steps = join(folder, 'src/organisation/schema.ts');
  change(
    steps,
    /(export const OBJECT_MIGRATIONS\b[\s\S]*?\n)\];/,
    "$1  { name: 'made up', sql: 'alter table outbox add column made_up text' },\n];",
  );

  const messages = join(folder, 'src/services/queue-message.ts');
  change(
    messages,
    /const Message = z\.discriminatedUnion\('kind', \[/,
    "$&\n  z.object({ ...SHARED, kind: z.literal('made_up') }),",
  );
  const consumer = join(folder, 'src/entrypoints/queue/wake.ts');
  change(
    consumer,
    /switch \(message\.kind\) \{/,
    "$&\n    case 'made_up':\n      log('info', 'made_up');\n      return Promise.resolve(true);",
  );
}

/** As drizzle-kit would: a file, and its line in the journal. */
function addColumn(folder: string): void {
  const tag = `${String(readdirSync(folder).filter((file) => file.endsWith('.sql')).length).padStart(4, '0')}_made_up`;
  writeFileSync(join(folder, `${tag}.sql`), 'ALTER TABLE "organisation" ADD COLUMN "made_up" text;\n');
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: { when: number }[] };
  const when = Math.max(...journal.entries.map((entry) => entry.when)) + 1;
  const entry = { idx: journal.entries.length, version: '7', when, tag, breakpoints: true };
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
}
