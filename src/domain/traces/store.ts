import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { type Id, idFromUuid, idTimeMs, idToUuid, uuidAt } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/client.ts';
import { insertPartitioned, monthPartitions } from '../../platform/db/partitions.ts';
import { apiKey, trace, traceDetail } from '../../platform/db/schema.ts';
import { TRACE_VERSION, type TraceDetail, type TraceRecord } from './record.ts';

/** Writes trace records (JSON, as the outbox holds them) in one statement; one that is there already stays as it is. */
export async function insertTraces(db: Database, records: readonly string[]): Promise<void> {
  const parsed = records.map((record) => JSON.parse(record) as TraceRecord);
  const times = parsed.map(({ id }) => idTimeMs(id));
  await insertPartitioned(db, ['trace', 'trace_detail'], times, () => insertRecords(db, parsed));
}

async function insertRecords(db: Database, records: readonly TraceRecord[]): Promise<void> {
  const rows = records.map(({ id, verificationId, ...rest }) => ({
    ...rest,
    id: idToUuid(id),
    verificationId: verificationId === null ? null : idToUuid(verificationId),
  }));
  await db.execute(sql`
    with record as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as record(
        id uuid, "organisationId" text, "verificationId" uuid, kind text, mode text, "keyId" text, "createdAt" bigint,
        "addressHash" text, display text, domain text, verdict text, "bounceProbability" double precision,
        recommendation text, reason text, "emailType" text, esp text, "costMicros" bigint, "latencyMs" integer,
        "cacheHit" boolean, degraded boolean, "bulkJobId" text, detail jsonb)
    ), detail as (
      insert into trace_detail (id, organisation_id, detail)
      select id, "organisationId", detail from record where jsonb_typeof(detail) = 'object' on conflict do nothing
    )
    insert into trace (id, organisation_id, verification_id, kind, mode, key_id, created_at, address_hash, display, domain,
      verdict, bounce_probability, recommendation, reason, email_type, esp, cost_micros, latency_ms, cache_hit, degraded,
      bulk_job_id)
    select id, "organisationId", "verificationId", kind, mode, "keyId", "createdAt", "addressHash", display, domain,
      verdict, "bounceProbability", recommendation, reason, "emailType", esp, "costMicros", "latencyMs", "cacheHit",
      degraded, "bulkJobId"
    from record on conflict do nothing`);
}

/** Which of an organisation's traces a list shows; a null filter shows all. */
export interface TraceFilter {
  readonly mode: TraceRecord['mode'];
  readonly keyId: string | null;
  readonly bulkJobId: string | null;
}

/** A row of the list with the name and origin of the key that wrote it. */
export interface ListedTrace {
  readonly record: Omit<TraceRecord, 'detail'>;
  readonly key: { readonly name: string; readonly origin: string } | null;
}

/**
 * Newest first; `before`: the last id of the page before. Reads the entries of one index that the page shows and, of each
 * month that holds none of them, the place where they would stand.
 */
export async function listTraces(
  db: Database,
  organisationId: Id<'org'>,
  filter: TraceFilter,
  limit: number,
  before: TraceRecord['id'] | null,
): Promise<ListedTrace[]> {
  const page = db
    .select()
    .from(trace)
    .where(
      and(
        narrowest(organisationId, filter),
        eq(trace.mode, filter.mode),
        before === null ? undefined : lt(trace.id, idToUuid(before)),
      ),
    )
    .orderBy(desc(trace.id))
    .limit(limit)
    .as('page');
  const key = db.select({ id: apiKey.id, name: apiKey.name, origin: apiKey.origin }).from(apiKey).as('key');
  const rows = await db
    .select()
    .from(page)
    .leftJoin(key, eq(key.id, page.keyId))
    // A key or a job is one organisation's: its page is shown whole or not at all.
    .where(eq(page.organisationId, organisationId))
    .orderBy(desc(page.id));
  return rows.map((row) => ({ record: toRecord(row.page, null), key: row.key }));
}

/**
 * The one condition that the index of a filter begins with. Given a second, the planner may use the index of that one and
 * read all of the organisation for a page: a guess about rows that statistics don't know yet decides.
 */
function narrowest(organisationId: Id<'org'>, { keyId, bulkJobId }: TraceFilter): SQL {
  if (keyId !== null && bulkJobId !== null) {
    return sql`${trace.bulkJobId} || ${trace.keyId} = ${bulkJobId + keyId}`;
  }
  if (keyId !== null) return eq(trace.keyId, keyId);
  return bulkJobId === null ? eq(trace.organisationId, organisationId) : eq(trace.bulkJobId, bulkJobId);
}

/** A decision and the verification inside it are made in one request: their ids are this close, in milliseconds. */
const SAME_REQUEST_MS = 60_000;

/** The index that finds a row by its id begins with the organisation and the mode. */
const MODES: TraceRecord['mode'][] = ['live', 'test'];

/** The organisation's trace with this id, or the decision that embeds the verification with it. */
export async function findTrace(
  db: Database,
  organisationId: Id<'org'>,
  own: Id<'vr'> | Id<'dc'>,
): Promise<TraceRecord | null> {
  const uuid = idToUuid(own);
  const at = idTimeMs(own);
  const near = monthPartitions([at - SAME_REQUEST_MS, at + SAME_REQUEST_MS]);
  const inNear = sql`${trace.id} >= ${near[0]?.fromUuid} and ${trace.id} < ${near.at(-1)?.toUuid}`;
  // Looked up by itself: as an alternative to the id it would leave the planner a scan of the organisation's month.
  const decision = db
    .select({ id: trace.id })
    .from(trace)
    .where(and(eq(trace.verificationId, uuid), inNear))
    .limit(1);
  const rows = await db
    .select({ row: trace, detail: traceDetail.detail })
    .from(trace)
    .leftJoin(traceDetail, eq(traceDetail.id, trace.id))
    .where(
      and(
        eq(trace.organisationId, organisationId),
        inArray(trace.mode, MODES),
        inNear,
        sql`${trace.id} in (${uuid}, (${decision}))`,
      ),
    );
  const found = rows.map(({ row, detail }) => toRecord(row, detail as TraceDetail | null));
  return found.find((record) => record.id === own || record.verificationId === own) ?? null;
}

/** The address a trace is about, as it may be kept, and who wrote the trace. */
export type TraceAddress = Pick<TraceRecord, 'mode' | 'keyId' | 'addressHash' | 'display'>;

/** Those of the organisation's traces that have one of these ids, also as the decision's embedded verification. */
export async function findTraceAddresses(
  db: Database,
  organisationId: Id<'org'>,
  ids: readonly (Id<'vr'> | Id<'dc'>)[],
): Promise<ReadonlyMap<string, TraceAddress>> {
  const times = ids.map(idTimeMs);
  const [from, to] = [uuidAt(Math.min(...times) - SAME_REQUEST_MS), uuidAt(Math.max(...times) + SAME_REQUEST_MS)];
  const uuids = `{${ids.map(idToUuid).join()}}`;
  const select = (column: typeof trace.id | typeof trace.verificationId) =>
    db
      .select({ id: column, kind: trace.kind, ...TRACE_ADDRESS })
      .from(trace)
      .where(
        and(
          eq(trace.organisationId, organisationId),
          inArray(trace.mode, MODES),
          sql`${trace.id} between ${from} and ${to}`,
          sql`${column} is not null and ${column} = any(${uuids}::uuid[])`,
        ),
      );
  const [own, embedded] = await Promise.all([select(trace.id), select(trace.verificationId)]);
  const wanted = new Set<string>(ids);
  const named = [
    ...own.map(({ id, kind, ...rest }) => [idFromUuid(kind === 'decide' ? 'dc' : 'vr', id ?? ''), rest] as const),
    ...embedded.map(({ id, kind: _, ...rest }) => [idFromUuid('vr', id ?? ''), rest] as const),
  ];
  return new Map(named.filter(([id]) => wanted.has(id)) as (readonly [string, TraceAddress])[]);
}

const TRACE_ADDRESS = {
  mode: trace.mode,
  keyId: trace.keyId,
  addressHash: trace.addressHash,
  display: trace.display,
};

type TraceRow = typeof trace.$inferSelect;

function toRecord({ id, verificationId, kind, ...rest }: TraceRow, detail: TraceDetail | null): TraceRecord {
  return {
    v: TRACE_VERSION,
    ...rest,
    kind,
    id: idFromUuid(kind === 'decide' ? 'dc' : 'vr', id),
    verificationId: verificationId === null ? null : idFromUuid('vr', verificationId),
    detail,
  } as TraceRecord;
}

/**
 * Cuts every link to an address: its hash and mask go from all of its traces. `hashes` pairs an organisation with the
 * address's keyed hash there. Returns how many traces were changed.
 */
export async function forgetTraces(
  db: Database,
  hashes: readonly { organisationId: string; hash: string }[],
): Promise<number> {
  const result = await db.execute(sql`
    update trace set address_hash = null, display = '•••', domain = ''
    from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as gone("organisationId" text, hash text)
    where trace.organisation_id = gone."organisationId" and trace.address_hash = gone.hash
    returning trace.id`);
  return (result as { rows: unknown[] }).rows.length;
}

export async function deleteTraces(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(traceDetail).where(eq(traceDetail.organisationId, organisationId));
  await db.delete(trace).where(eq(trace.organisationId, organisationId));
}
