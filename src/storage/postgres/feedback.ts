import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import type { KeyMode } from '../../domain/access/keys.ts';
import type { EventBatch, OutcomeRecord, ReportRecord, WaitingOutcome } from '../../domain/feedback/outcomes.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { type Id, idTimeMs, idToUuid, parseId, uuidAt } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { excluded, jsonColumns } from './columns.ts';
import { countErased, deleteErased, type ErasedAddress, goneTable } from './erased.ts';
import { insertPartitioned } from './partitions.ts';
import { mailReport, processorConnection, processorReference, webhookToken } from './processor-schema.ts';
import { deliveryReport, event, outcome } from './schema.ts';

/** Writes reports (JSON from the outbox) in one statement. The newest of each trace wins, in any order of arrival. */
export async function upsertOutcomes(db: Database, records: readonly string[]): Promise<void> {
  const newest = new Map<string, OutcomeRecord>();
  const reports: ReportRecord[] = [];
  for (const text of records) {
    const { delivery, ...record } = JSON.parse(text) as WaitingOutcome;
    const { addressHash = null } = delivery ?? {};
    if (delivery && addressHash !== null)
      reports.push({ ...delivery, organisationId: record.organisationId, addressHash });
    const key = `${record.organisationId} ${record.mode} ${record.traceId}`;
    const other = newest.get(key);
    if (other === undefined || isNewer(record, other)) newest.set(key, record);
  }
  const rows = Array.from(newest.values(), (record) => ({ ...record, verificationId: parseId('vr', record.traceId) }));
  const written = await db
    .insert(outcome)
    .values(rows)
    .onConflictDoUpdate({
      target: [outcome.organisationId, outcome.mode, outcome.traceId],
      set: excluded(outcome, ['organisationId', 'mode', 'traceId', 'verificationId']),
      setWhere: sql`(${outcome.reportedAt}, ${outcome.id}) < (excluded.reported_at, excluded.id)`,
    });
  requireAtMost(rows.length, written);
  await upsertReports(db, reports);
}

/** The newest report of a source about a message wins, in any order of arrival. */
async function upsertReports(db: Database, reports: readonly ReportRecord[]): Promise<void> {
  const newest = new Map<string, ReportRecord>();
  for (const report of reports) {
    const key = `${report.organisationId} ${report.addressHash} ${report.source} ${report.of}`;
    const other = newest.get(key);
    if (other === undefined || other.at <= report.at) newest.set(key, report);
  }
  if (newest.size === 0) return;
  const { organisationId, addressHash, source, of } = deliveryReport;
  const written = await db
    .insert(deliveryReport)
    .values([...newest.values()])
    .onConflictDoUpdate({
      target: [organisationId, addressHash, source, of],
      set: excluded(deliveryReport, ['organisationId', 'addressHash', 'source', 'of']),
      setWhere: sql`${deliveryReport.at} <= excluded.at`,
    });
  requireAtMost(newest.size, written);
}

/** Removes the reports about these addresses; returns how many. */
export const forgetReports = (db: Database, hashes: readonly ErasedAddress[]): Promise<number> =>
  deleteErased(db, deliveryReport, deliveryReport.addressHash, hashes);

/** Ids decide between reports of the same moment, here as in Postgres, so that the order of arrival does not matter. */
const isNewer = (a: OutcomeRecord, b: OutcomeRecord): boolean =>
  a.reportedAt === b.reportedAt ? a.id > b.id : a.reportedAt > b.reportedAt;

/** The report in force about a verification. */
export async function findOutcome(
  db: Database,
  organisationId: Id<'org'>,
  mode: OutcomeRecord['mode'],
  traceId: string,
): Promise<OutcomeRecord | null> {
  const [row] = await db
    .select()
    .from(outcome)
    .where(and(eq(outcome.organisationId, organisationId), eq(outcome.mode, mode), eq(outcome.traceId, traceId)));
  return row ?? null;
}

/** Batches lack an address; only a processor's webhook has one. */
const EVENT = jsonColumns(event, ['addressHash']);

/** Writes events (batches as JSON from the outbox) in one statement; existing ones stay. */
export async function insertEvents(db: Database, records: readonly string[]): Promise<void> {
  const rows = records.flatMap((text) => {
    const { events, ...batch } = JSON.parse(text) as EventBatch;
    return events.map((each) => ({ ...batch, ...each, id: idToUuid(each.id), time: idTimeMs(each.id) }));
  });
  const times = () => rows.map(({ time }) => time);
  await insertPartitioned(db, ['event'], times, async () => {
    const written = await db.execute(sql`
      insert into event (${EVENT.names}) select ${EVENT.values}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as record(${EVENT.fields})
      on conflict do nothing`);
    requireAtMost(rows.length, written);
  });
}

/** How many of these traces have an event, and how many have each. Reads from the month of the oldest on. */
export async function countEventsOf(
  db: Database,
  organisationId: Id<'org'>,
  mode: EventBatch['mode'],
  ids: readonly Id<'vr' | 'dc'>[],
): Promise<{ readonly withEvents: number; readonly events: Readonly<Record<string, number>> }> {
  if (ids.length === 0) return { withEvents: 0, events: {} };
  const since = uuidAt(Math.min(...ids.map(idTimeMs)));
  const traces = `{${ids.map(idToUuid).join(',')}}`;
  // The null row counts traces with any event.
  const { rows } = (await db.execute(sql`
    select event, count(distinct trace_id) as traces from event
    where trace_id = any(${traces}::uuid[]) and organisation_id = ${organisationId} and mode = ${mode} and id >= ${since}
    group by grouping sets ((event), ())`)) as { rows: { event: string | null; traces: number | string }[] };
  const counted = rows.map((row) => [row.event, Number(row.traces)] as const);
  return {
    withEvents: counted.find(([name]) => name === null)?.[1] ?? 0,
    events: Object.fromEntries(counted.flatMap(([name, count]) => (name === null ? [] : [[name, count]]))),
  };
}

/** The newest events that name one of these traces, or the address itself. */
export async function listEventsOf(
  db: Database,
  { organisationId, hash }: { readonly organisationId: Id<'org'>; readonly hash: string },
  traceIds: readonly string[],
  limit: number,
): Promise<(typeof event.$inferSelect)[]> {
  const named = sql`${event.traceId} in (select jsonb_array_elements_text(${JSON.stringify(traceIds)}::jsonb)::uuid)`;
  return db
    .select()
    .from(event)
    .where(and(or(named, eq(event.addressHash, hash)), eq(event.organisationId, organisationId)))
    .orderBy(desc(event.at))
    .limit(limit);
}

/** The reports in force about these verifications. */
export async function listOutcomes(
  db: Database,
  organisationId: Id<'org'>,
  traceIds: readonly string[],
): Promise<readonly OutcomeRecord[]> {
  const named = sql`${outcome.traceId} in (select jsonb_array_elements_text(${JSON.stringify(traceIds)}::jsonb))`;
  return db
    .select()
    .from(outcome)
    .where(and(eq(outcome.organisationId, organisationId), inArray(outcome.mode, ['live', 'test']), named));
}

/** Cuts events off from an address; only events of a payment processor have one. Returns how many. */
export async function forgetEvents(db: Database, hashes: readonly ErasedAddress[]): Promise<number> {
  const gone = goneTable(hashes);
  await db.execute(sql`
    delete from processor_reference as known using ${gone}
    where known.organisation_id = gone."organisationId" and known.address_hash = gone.hash`);
  return countErased(
    db,
    sql`update event set address_hash = null from ${gone}
      where event.organisation_id = gone."organisationId" and event.address_hash = gone.hash
      returning event.id`,
  );
}

/** Deletes connections first, because a webhook still under way needs one to write. */
export async function deleteFeedback(db: Database, organisationId: Id<'org'>): Promise<void> {
  const tables = [processorConnection, processorReference, mailReport, webhookToken, outcome, deliveryReport, event];
  for (const table of tables) await db.delete(table).where(eq(table.organisationId, organisationId));
}

const KEPT_DAYS = 400;
/** Rows in one statement, so that locks are short. */
const EXPIRED_AT_ONCE = 5_000;

/** Deletes reports older than 400 days, of all organisations; returns how many. Events go by partition. */
export const deleteExpiredOutcomes = (db: Database, nowMs: number): Promise<number> =>
  deleteExpired(db, outcome, outcome.reportedAt, nowMs);

/** Deletes references of a processor's customers and charges that were not seen for as long. */
export const deleteExpiredReferences = (db: Database, nowMs: number): Promise<number> =>
  deleteExpired(db, processorReference, processorReference.seenAt, nowMs);

/** Deletes what histories no longer take. */
export const deleteExpiredReports = (db: Database, nowMs: number): Promise<number> =>
  deleteExpired(db, deliveryReport, deliveryReport.at, nowMs);

/** Deletes what mail services and imports reported of messages as old. */
export const deleteExpiredMailReports = (db: Database, nowMs: number): Promise<number> =>
  deleteExpired(db, mailReport, mailReport.at, nowMs);

async function deleteExpired(
  db: Database,
  table: typeof outcome | typeof deliveryReport | typeof processorReference | typeof mailReport,
  time: typeof outcome.reportedAt | typeof deliveryReport.at | typeof processorReference.seenAt | typeof mailReport.at,
  nowMs: number,
): Promise<number> {
  const expired = db
    .select({ ctid: sql`ctid` })
    .from(table)
    .where(lt(time, nowMs - KEPT_DAYS * DAY_MS))
    .limit(EXPIRED_AT_ONCE);
  for (let deleted = 0; ;) {
    const rows = await db
      .delete(table)
      .where(sql`ctid = any(array(${expired}))`)
      .returning({ time });
    deleted += rows.length;
    if (rows.length < EXPIRED_AT_ONCE) return deleted;
  }
}

/** A connection as it is stored, with sealed `secrets`. */
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

/** What came through a connection. */
export interface ConnectionActivity {
  /** When the newest webhook with an event came, in epoch milliseconds. */
  readonly lastAt: number;
  readonly live: number;
  readonly test: number;
}

/** What came since `fromMs` through each connection of an organisation; silent connections are left out. */
export async function listActivity(
  db: Database,
  organisationId: Id<'org'>,
  fromMs: number,
): Promise<ReadonlyMap<string, ConnectionActivity>> {
  const { rows } = (await db.execute(sql`
    select id, max(at) as "lastAt", sum(live)::int as live, sum(test)::int as test from (
      select source as id, created_at as at, (mode = 'live')::int as live, (mode = 'test')::int as test from event
      where organisation_id = ${organisationId} and mode in ('live', 'test') and id >= ${uuidAt(fromMs)}
        and source <> 'api' and created_at >= ${fromMs}
      union all
      select connection_id, seen_at, 0, 0 from processor_reference
      where connection_id in (select id from processor_connection where organisation_id = ${organisationId})
        and seen_at >= ${fromMs}) as received
    group by id`)) as { rows: (Omit<ConnectionActivity, 'lastAt'> & { id: string; lastAt: unknown })[] };
  return new Map(rows.map(({ id, lastAt, ...counts }) => [id, { ...counts, lastAt: Number(lastAt) }]));
}

export async function changeSecrets(db: Database, id: Id<'con'>, secrets: string): Promise<void> {
  await db.update(processorConnection).set({ secrets }).where(eq(processorConnection.id, id));
}

/** Deletes a connection with its references; its events stay. */
export async function deleteConnection(db: Database, id: Id<'con'>): Promise<void> {
  await db.delete(processorConnection).where(eq(processorConnection.id, id));
  await db.delete(processorReference).where(eq(processorReference.connectionId, id));
}

/** A webhook as it is stored. Times in epoch milliseconds. */
export interface StoredReport {
  readonly connectionId: Id<'con'>;
  /** The id of its event, which is the same when the webhook is delivered again. */
  readonly id: Id<'ev'>;
  readonly mode: KeyMode;
  readonly event: string | null;
  readonly at: number;
  readonly createdAt: number;
  readonly addressHash: string | null;
  /** Keyed hashes of the ids in it. */
  readonly references: readonly string[];
}

/**
 * Enters a webhook in one statement: the owner of its ids, if it names an address, and its event, whose address may come
 * from ids that are known already. A repeat changes nothing, and a deleted connection enters nothing. Returns the hash of the
 * event's address; null without an event, or where its address is not known.
 */
export async function recordReport(db: Database, report: StoredReport): Promise<string | null> {
  const { connectionId, mode, event: name, at, createdAt, addressHash } = report;
  // In a fixed order, so that two webhooks can't deadlock.
  const inOrder = JSON.stringify([...new Set(report.references)].toSorted());
  const references = sql`select jsonb_array_elements_text(${inOrder}::jsonb)`;
  const times = () => [idTimeMs(report.id)];
  const { rows } = await insertPartitioned(db, ['event'], times, async () => {
    const entered = await db.execute(sql`
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
      returning address_hash as "addressHash"`);
    return entered as { rows: { addressHash: string | null }[] };
  });
  return rows[0]?.addressHash ?? null;
}
