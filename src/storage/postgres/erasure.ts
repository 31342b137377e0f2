import { eq, is } from 'drizzle-orm';
import { type AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import * as directory from './directory-schema.ts';
import * as nightly from './nightly-schema.ts';
import * as processors from './processor-schema.ts';
import * as records from './record-schema.ts';
import type { OwnedTable } from './statements.ts';

const isOwned = (each: unknown): each is OwnedTable =>
  is(each, PgTable) && 'organisationId' in (each as unknown as Readonly<Record<string, AnyPgColumn>>);

/** Every table whose rows have an organisation. Connections come first: a running webhook needs one to write. */
const OWNED: ReadonlySet<OwnedTable> = new Set([
  processors.processorConnection,
  ...[records, directory, processors, nightly].flatMap((schema) => Object.values(schema).filter(isOwned)),
]);

/** What a running statement of the object's outbox may write once more. */
export const PROJECTED: readonly OwnedTable[] = [
  directory.domainRule,
  directory.addressRule,
  directory.membership,
  directory.invitation,
  directory.auditLine,
];

/** Deletes an organisation's rows except the directory's. */
export async function deleteRowsOf(
  db: Database,
  organisationId: Id<'org'>,
  tables: Iterable<OwnedTable> = OWNED,
): Promise<void> {
  for (const table of tables) await db.delete(table).where(eq(table.organisationId, organisationId));
}
