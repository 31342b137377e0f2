import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { EventBatch, OutcomeRecord, ReportRecord, WaitingOutcome } from '../../domain/feedback/outcomes.ts';
import { type Id, idTimeMs, idToUuid, parseId, uuidAt } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { deliveryReport, event, outcome } from './record-schema.ts';
import { insertPartitioned } from './retention.ts';
import {
  countChanged,
  deleteErased,
  type ErasedAddress,
  excluded,
  goneTable,
  jsonColumns,
  newestOf,
  query,
} from './statements.ts';

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
  const newest = newestOf(
    reports,
    (report) => `${report.organisationId} ${report.addressHash} ${report.source} ${report.of}`,
    ({ at }) => at,
  );
  if (newest.length === 0) return;
  const { organisationId, addressHash, source, of } = deliveryReport;
  const written = await db
    .insert(deliveryReport)
    .values(newest)
    .onConflictDoUpdate({
      target: [organisationId, addressHash, source, of],
      set: excluded(deliveryReport, ['organisationId', 'addressHash', 'source', 'of']),
      setWhere: sql`${deliveryReport.at} <= excluded.at`,
    });
  requireAtMost(newest.length, written);
}

/** Returns the number of removed reports. */
export const forgetReports = (db: Database, hashes: readonly ErasedAddress[]): Promise<number> =>
  deleteErased(db, deliveryReport, deliveryReport.addressHash, hashes);

/** Ids decide between simultaneous reports, here as in Postgres, so that the order of arrival does not matter. */
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

/** Counts these traces by event. Reads from the month of the oldest on. */
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
  const rows = await query<{ event: string | null; traces: number | string }>(db)`
    select event, count(distinct trace_id) as traces from event
    where trace_id = any(${traces}::uuid[]) and organisation_id = ${organisationId} and mode = ${mode} and id >= ${since}
    group by grouping sets ((event), ())`;
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

/** Unlinks events from an address; only a payment processor's have one. Returns how many. */
export async function forgetEvents(db: Database, hashes: readonly ErasedAddress[]): Promise<number> {
  const gone = goneTable(hashes);
  await db.execute(sql`
    delete from processor_reference as known using ${gone}
    where known.organisation_id = gone."organisationId" and known.address_hash = gone.hash`);
  return countChanged(db)`
    update event set address_hash = null from ${gone}
    where event.organisation_id = gone."organisationId" and event.address_hash = gone.hash
    returning event.id`;
}
