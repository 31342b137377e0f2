import { and, desc, eq, sql } from 'drizzle-orm';
import type { KeyMode } from '../../domain/access/keys.ts';
import { type Id, idTimeMs, idToUuid, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { insertPartitioned } from './retention.ts';
import { processorConnection, processorReference } from './processor-schema.ts';
import { query } from './statements.ts';

/** A connection as stored, with sealed `secrets`. */
export type StoredConnection = typeof processorConnection.$inferSelect;

export async function insertConnection(db: Database, connection: Omit<StoredConnection, 'refused'>): Promise<void> {
  await db.insert(processorConnection).values(connection);
}

export async function findConnection(db: Database, id: Id<'con'>): Promise<StoredConnection | null> {
  const [row] = await db.select().from(processorConnection).where(eq(processorConnection.id, id));
  return row ?? null;
}

/** Newest first. */
export async function listConnections(db: Database, organisationId: Id<'org'>): Promise<StoredConnection[]> {
  const ofOrganisation = eq(processorConnection.organisationId, organisationId);
  return db.select().from(processorConnection).where(ofOrganisation).orderBy(desc(processorConnection.id));
}

export interface ConnectionActivity {
  /** The newest webhook with an event, in epoch milliseconds. */
  readonly lastAt: number;
  readonly live: number;
  readonly test: number;
}

/** Activity of an organisation's connections since `fromMs`; silent ones are left out. */
export async function listActivity(
  db: Database,
  organisationId: Id<'org'>,
  fromMs: number,
): Promise<ReadonlyMap<string, ConnectionActivity>> {
  const rows = await query<Omit<ConnectionActivity, 'lastAt'> & { id: string; lastAt: unknown }>(db)`
    select id, max(at) as "lastAt", sum(live)::int as live, sum(test)::int as test from (
      select source as id, created_at as at, (mode = 'live')::int as live, (mode = 'test')::int as test from event
      where organisation_id = ${organisationId} and mode in ('live', 'test') and id >= ${uuidAt(fromMs)}
        and source <> 'api' and created_at >= ${fromMs}
      union all
      select connection_id, seen_at, 0, 0 from processor_reference
      where connection_id in (select id from processor_connection where organisation_id = ${organisationId})
        and seen_at >= ${fromMs}) as received
    group by id`;
  return new Map(rows.map(({ id, lastAt, ...counts }) => [id, { ...counts, lastAt: Number(lastAt) }]));
}

/** `only`: not where they are others by now. */
export async function changeSecrets(db: Database, id: Id<'con'>, secrets: string, only?: string): Promise<void> {
  const isThat = only === undefined ? undefined : eq(processorConnection.secrets, only);
  await db
    .update(processorConnection)
    .set({ secrets })
    .where(and(eq(processorConnection.id, id), isThat));
}

/** Deletes a connection with its references; its events stay. */
export async function deleteConnection(db: Database, id: Id<'con'>): Promise<void> {
  await db.delete(processorConnection).where(eq(processorConnection.id, id));
  await db.delete(processorReference).where(eq(processorReference.connectionId, id));
}

/** A webhook as stored. Times in epoch milliseconds. */
export interface StoredReport {
  readonly connectionId: Id<'con'>;
  /** The id of its event, stable across deliveries. */
  readonly id: Id<'ev'>;
  readonly mode: KeyMode;
  readonly event: string | null;
  readonly at: number;
  readonly createdAt: number;
  readonly addressHash: string | null;
  readonly references: readonly string[];
}

/**
 * Stores a webhook in one statement: the owner of its ids, if it names an address, and its event, whose address may
 * come from known ids. Idempotent; a deleted connection stores nothing. Returns the hash of the event's address, or
 * null.
 */
export async function recordReport(db: Database, report: StoredReport): Promise<string | null> {
  const { connectionId, mode, event: name, at, createdAt, addressHash } = report;
  // In a fixed order, so that two webhooks can't deadlock.
  const inOrder = JSON.stringify([...new Set(report.references)].toSorted());
  const references = sql`select jsonb_array_elements_text(${inOrder}::jsonb)`;
  const times = () => [idTimeMs(report.id)];
  const insert = () =>
    query<{ addressHash: string | null }>(db)`
      with connection as (select id, organisation_id from processor_connection where id = ${connectionId}),
      learnt as (
        insert into processor_reference (connection_id, reference, organisation_id, address_hash, seen_at)
        select connection.id, reference, organisation_id, ${addressHash}::text, ${createdAt}::bigint
        from connection, (${references} as reference) as named where ${addressHash}::text is not null
        on conflict (connection_id, reference)
          do update set address_hash = excluded.address_hash, seen_at = excluded.seen_at
      )
      insert into event (id, organisation_id, mode, source, event, at, created_at, address_hash)
      select ${idToUuid(report.id)}::uuid, organisation_id, ${mode}::text, connection.id, ${name}::text, ${at}::bigint,
        ${createdAt}::bigint, coalesce(${addressHash}::text, (
          select address_hash from processor_reference
          where connection_id = connection.id and reference in (${references}) limit 1))
      from connection where ${name}::text is not null
      on conflict (organisation_id, mode, id) do update set event = excluded.event
      returning address_hash as "addressHash"`;
  const [entered] = await insertPartitioned(db, ['event'], times, insert);
  return entered?.addressHash ?? null;
}

/** Moves references from earlier hashes to the present one. `references`: each under the present secret, then under earlier ones. */
export async function rehashReferences(
  db: Database,
  connectionId: Id<'con'>,
  references: readonly (readonly string[])[],
): Promise<void> {
  const pairs = references.flatMap(([hash, ...before]) => before.map((old) => ({ old, hash })));
  if (pairs.length === 0) return;
  await db.execute(sql`
    update processor_reference as t set reference = pair.hash
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as pair(old text, hash text)
    where t.connection_id = ${connectionId} and t.reference = pair.old and not exists (
      select from processor_reference as other where other.connection_id = t.connection_id and other.reference = pair.hash)`);
}

export async function addRefused(db: Database, id: Id<'con'>, count: number): Promise<void> {
  await db
    .update(processorConnection)
    .set({ refused: sql`${processorConnection.refused} + ${count}` })
    .where(sql`${processorConnection.id} = ${id}`);
}

export interface ConnectionEvents {
  readonly lastAt: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** Events of each of an organisation's connections since `fromMs`; silent ones are left out. */
export async function countEvents(
  db: Database,
  organisationId: Id<'org'>,
  fromMs: number,
): Promise<ReadonlyMap<string, ConnectionEvents>> {
  const rows = await query<{ source: string; word: string; count: number; lastAt: unknown }>(db)`
    select source, word, count(*)::int as count, max(at) as "lastAt" from (
      select source, event as word, created_at as at from event
      where organisation_id = ${organisationId} and mode = 'live' and id >= ${uuidAt(fromMs)}
        and source <> 'api' and created_at >= ${fromMs}
      union all
      select source, outcome, received_at from mail_report
      where source in (select id from processor_connection where organisation_id = ${organisationId})
        and received_at >= ${fromMs}) as received
    group by source, word`;
  const found = new Map<string, ConnectionEvents>();
  for (const { source, word, count, lastAt } of rows) {
    const known = found.get(source);
    const counts = { ...known?.counts, [word]: count };
    found.set(source, { counts, lastAt: Math.max(known?.lastAt ?? 0, Number(lastAt)) });
  }
  return found;
}
