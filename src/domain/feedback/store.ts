import { and, eq, lt, sql } from 'drizzle-orm';
import { DAY_MS } from '../../kernel/clock.ts';
import { type Id, idFromUuid, idTimeMs, idToUuid, parseId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/client.ts';
import { insertPartitioned } from '../../platform/db/partitions.ts';
import { event, outcome } from '../../platform/db/schema.ts';
import type { EventBatch } from './events.ts';
import type { OutcomeRecord } from './outcomes.ts';

/** Writes reports (JSON, as the outbox holds them) in one statement: of each trace the newest, whichever comes first. */
export async function upsertOutcomes(db: Database, records: readonly string[]): Promise<void> {
  const newest = new Map<string, OutcomeRecord>();
  for (const text of records) {
    const record = JSON.parse(text) as OutcomeRecord;
    const key = `${record.organisationId} ${record.mode} ${record.traceId}`;
    const other = newest.get(key);
    if (other === undefined || isNewer(record, other)) newest.set(key, record);
  }
  const rows = Array.from(newest.values(), ({ id, ...rest }) => ({
    ...rest,
    id: idToUuid(id),
    verificationId: verificationUuid(rest.traceId),
  }));
  const excluded = (name: string) => sql.raw(`excluded.${name}`);
  await db
    .insert(outcome)
    .values(rows)
    .onConflictDoUpdate({
      target: [outcome.organisationId, outcome.mode, outcome.traceId],
      set: {
        ...{ id: excluded('id'), keyId: excluded('key_id'), outcome: excluded('outcome') },
        ...{ basicCode: excluded('basic_code'), enhancedCode: excluded('enhanced_code') },
        reportedAt: excluded('reported_at'),
      },
      setWhere: sql`(${outcome.reportedAt}, ${outcome.id}) < (excluded.reported_at, excluded.id)`,
    });
}

/** Of reports of one moment their ids decide, here as in Postgres: the same whatever order they come in. */
const isNewer = (a: OutcomeRecord, b: OutcomeRecord): boolean =>
  a.reportedAt === b.reportedAt ? a.id > b.id : a.reportedAt > b.reportedAt;

function verificationUuid(traceId: string): string | null {
  const id = parseId('vr', traceId);
  return id === null ? null : idToUuid(id);
}

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
  return row === undefined ? null : ({ ...row, id: idFromUuid('oc', row.id) } as OutcomeRecord);
}

/** Writes events (batches as JSON, as the outbox holds them) in one statement; one that is there already stays. */
export async function insertEvents(db: Database, records: readonly string[]): Promise<void> {
  const rows = records.flatMap((text) => {
    const { events, ...batch } = JSON.parse(text) as EventBatch;
    return events.map((each) => ({ ...batch, ...each, id: idToUuid(each.id), time: idTimeMs(each.id) }));
  });
  const times = rows.map(({ time }) => time);
  await insertPartitioned(db, ['event'], times, () =>
    db.execute(sql`
      insert into event (id, organisation_id, mode, source, event, at, created_at, trace_id, properties)
      select id, "organisationId", mode, source, event, at, "createdAt", "traceId", nullif(properties, 'null'::jsonb)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as record(
        id uuid, "organisationId" text, mode text, source text, event text, at bigint, "createdAt" bigint,
        "traceId" uuid, properties jsonb)
      on conflict do nothing`),
  );
}

/** Cuts every link to an address: only events of a payment processor have one. */
export async function forgetEvents(
  db: Database,
  hashes: readonly { organisationId: string; hash: string }[],
): Promise<void> {
  await db.execute(sql`
    update event set address_hash = null
    from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as gone("organisationId" text, hash text)
    where event.organisation_id = gone."organisationId" and event.address_hash = gone.hash`);
}

export async function deleteFeedback(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(outcome).where(eq(outcome.organisationId, organisationId));
  await db.delete(event).where(eq(event.organisationId, organisationId));
}

const OUTCOME_KEPT_DAYS = 400;
/** Rows a statement: none holds its locks for long. */
const EXPIRED_AT_ONCE = 5_000;

/** Deletes the reports whose 400 days are over, of all organisations; says how many they were. Events go by partition. */
export async function deleteExpiredOutcomes(db: Database, nowMs: number): Promise<number> {
  const expired = db
    .select({ ctid: sql`ctid` })
    .from(outcome)
    .where(lt(outcome.reportedAt, nowMs - OUTCOME_KEPT_DAYS * DAY_MS))
    .limit(EXPIRED_AT_ONCE);
  for (let deleted = 0; ; ) {
    const rows = await db.delete(outcome).where(sql`ctid = any(array(${expired}))`).returning({ id: outcome.id });
    deleted += rows.length;
    if (rows.length < EXPIRED_AT_ONCE) return deleted;
  }
}
