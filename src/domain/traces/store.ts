import { and, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { type Id, idFromUuid, idTimeMs, idToUuid, uuidAt } from '../../kernel/ids.ts';
import { type Database, sqlState } from '../../platform/db/client.ts';
import { apiKey, trace, traceDetail } from '../../platform/db/schema.ts';
import { monthPartitions, PARTITIONED_TABLES } from './partitions.ts';
import {
  DECIDABLE,
  DECIDABLE_DETAIL,
  type DecidableTrace,
  TRACE_VERSION,
  type TraceDetail,
  type TraceRecord,
} from './record.ts';

/** SQLSTATE check_violation: also what Postgres says of a row that no partition takes. */
const NO_PARTITION = '23514';

/** Writes trace records (JSON, as the outbox holds them) in one statement; one that is there already stays as it is. */
export async function insertTraces(db: Database, records: readonly string[]): Promise<void> {
  const parsed = records.map((record) => JSON.parse(record) as TraceRecord);
  try {
    await insertRecords(db, parsed);
  } catch (error) {
    if (sqlState(error) !== NO_PARTITION) throw error;
    // The first trace of a month: nobody had to be on time to make room for it.
    await createPartitions(
      db,
      parsed.map((record) => idTimeMs(record.id)),
    );
    await insertRecords(db, parsed);
  }
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
        "cacheHit" boolean, degraded boolean, "bulkJobId" text, "policyDecision" jsonb, detail jsonb)
    ), detail as (
      insert into trace_detail (id, organisation_id, detail)
      select id, "organisationId", detail from record where jsonb_typeof(detail) = 'object' on conflict do nothing
    )
    insert into trace (id, organisation_id, verification_id, kind, mode, key_id, created_at, address_hash, display, domain,
      verdict, bounce_probability, recommendation, reason, email_type, esp, cost_micros, latency_ms, cache_hit, degraded,
      bulk_job_id, policy_decision)
    select id, "organisationId", "verificationId", kind, mode, "keyId", "createdAt", "addressHash", display, domain,
      verdict, "bounceProbability", recommendation, reason, "emailType", esp, "costMicros", "latencyMs", "cacheHit",
      degraded, "bulkJobId", nullif("policyDecision", 'null'::jsonb)
    from record on conflict do nothing`);
}

/** `if not exists` still raises this when two connections create the same table at once. */
const DUPLICATE_TABLE = '42P07';

/** Makes the months' partitions; one that is there, or being made, is left alone. */
async function createPartitions(db: Database, times: readonly number[]): Promise<void> {
  for (const { suffix, fromUuid, toUuid } of monthPartitions(times)) {
    for (const table of PARTITIONED_TABLES) {
      const range = `for values from ('${fromUuid}') to ('${toUuid}')`;
      await db
        .execute(sql.raw(`create table if not exists ${table}_${suffix} partition of ${table} ${range}`))
        .catch((error: unknown) => {
          if (sqlState(error) !== DUPLICATE_TABLE) throw error;
        });
    }
  }
}

/** A decision and the verification inside it are made in one request: their ids are this close, in milliseconds. */
const SAME_REQUEST_MS = 60_000;

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

/** Newest first; `before`: the last id of the page before. Reads no more of the index than the page holds. */
export async function listTraces(
  db: Database,
  organisationId: Id<'org'>,
  filter: TraceFilter,
  limit: number,
  before: TraceRecord['id'] | null,
): Promise<ListedTrace[]> {
  const rows = await db
    .select({ row: trace, name: apiKey.name, origin: apiKey.origin })
    .from(trace)
    .leftJoin(apiKey, eq(apiKey.id, trace.keyId))
    .where(
      and(
        eq(trace.organisationId, organisationId),
        eq(trace.mode, filter.mode),
        filter.keyId === null ? undefined : eq(trace.keyId, filter.keyId),
        filter.bulkJobId === null ? undefined : eq(trace.bulkJobId, filter.bulkJobId),
        before === null ? undefined : lt(trace.id, idToUuid(before)),
      ),
    )
    .orderBy(desc(trace.id))
    .limit(limit);
  return rows.map(({ row, name, origin }) => ({
    record: toRecord(row, null),
    key: name === null || origin === null ? null : { name, origin },
  }));
}

export interface DecidableQuery {
  readonly filter: Pick<TraceFilter, 'mode' | 'keyId'>;
  readonly fromMs: number;
  /** Without it every detail is null, and its table is left alone. */
  readonly withDetail: boolean;
  readonly limit: number;
  /** The last id of the page before. */
  readonly before: TraceRecord['id'] | null;
}

const decidableColumns = sql.join(
  DECIDABLE.map((name) => sql`${trace[name]}`),
  sql`, `,
);
const decidableDetail = sql.join(
  DECIDABLE_DETAIL.map((name) => sql`${sql.raw(`'${name}'`)}, ${traceDetail.detail} -> ${sql.raw(`'${name}'`)}`),
  sql`, `,
);

/**
 * A page of the organisation's traces since `fromMs`, newest first, for many thousands of them: one value holds the page,
 * each trace a list, so that neither names nor types are told again for every row.
 */
export async function listDecidableTraces(
  db: Database,
  organisationId: Id<'org'>,
  { filter, fromMs, withDetail, limit, before }: DecidableQuery,
): Promise<DecidableTrace[]> {
  const detail = sql`case when ${traceDetail.detail} is not null then json_build_object(${decidableDetail}) end`;
  const values = sql`json_build_array(${decidableColumns}, ${withDetail ? detail : sql`null`})`;
  const joined = sql`left join ${traceDetail} on ${traceDetail.id} = ${trace.id}`;
  const where = and(
    eq(trace.organisationId, organisationId),
    eq(trace.mode, filter.mode),
    filter.keyId === null ? undefined : eq(trace.keyId, filter.keyId),
    gte(trace.id, uuidAt(fromMs)),
    before === null ? undefined : lt(trace.id, idToUuid(before)),
  );
  const result = await db.execute(sql`
    select json_agg(page.value order by page.id desc) as page from (
      select ${trace.id} as id, ${values} as value
      from ${trace} ${withDetail ? joined : sql``} where ${where} order by ${trace.id} desc limit ${limit}) as page`);
  const [row] = (result as { rows: { page: unknown[][] | null }[] }).rows;
  return (row?.page ?? []).map(toDecidable);
}

function toDecidable(values: readonly unknown[]): DecidableTrace {
  const named = Object.fromEntries(DECIDABLE.map((name, place) => [name, values[place]])) as TraceRow;
  return { ...withIds(named), detail: values.at(-1) } as DecidableTrace;
}

/** The organisation's trace with this id, or the decision that embeds the verification with it. */
export async function findTrace(
  db: Database,
  organisationId: Id<'org'>,
  own: Id<'vr'> | Id<'dc'>,
): Promise<TraceRecord | null> {
  const uuid = idToUuid(own);
  const at = idTimeMs(own);
  const near = monthPartitions([at - SAME_REQUEST_MS, at + SAME_REQUEST_MS]);
  const rows = await db
    .select({ row: trace, detail: traceDetail.detail })
    .from(trace)
    .leftJoin(traceDetail, eq(traceDetail.id, trace.id))
    .where(
      and(
        eq(trace.organisationId, organisationId),
        sql`${trace.id} >= ${near[0]?.fromUuid} and ${trace.id} < ${near.at(-1)?.toUuid}`,
        sql`(${trace.id} = ${uuid} or ${trace.verificationId} = ${uuid})`,
      ),
    )
    .limit(2);
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

const toRecord = (row: TraceRow, detail: TraceDetail | null): TraceRecord =>
  ({ v: TRACE_VERSION, ...withIds(row), detail }) as TraceRecord;

const withIds = <R extends Pick<TraceRow, 'id' | 'verificationId' | 'kind'>>(row: R) => ({
  ...row,
  id: idFromUuid(row.kind === 'decide' ? 'dc' : 'vr', row.id),
  verificationId: row.verificationId === null ? null : idFromUuid('vr', row.verificationId),
});

/**
 * Cuts every link to an address: its hash and mask go from all of its traces, and what a caller or a vendor said of who is
 * behind it. `hashes` pairs an organisation with the
 * address's keyed hash there. Returns how many traces were changed.
 */
export async function forgetTraces(
  db: Database,
  hashes: readonly { organisationId: string; hash: string }[],
): Promise<number> {
  const result = await db.execute(sql`
    update trace set address_hash = null, display = '•••', domain = '',
      policy_decision = policy_decision - '{attributes,company,person}'::text[]
    from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as gone("organisationId" text, hash text)
    where trace.organisation_id = gone."organisationId" and trace.address_hash = gone.hash
    returning trace.id`);
  return (result as { rows: unknown[] }).rows.length;
}

export async function deleteTraces(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(traceDetail).where(eq(traceDetail.organisationId, organisationId));
  await db.delete(trace).where(eq(trace.organisationId, organisationId));
}
