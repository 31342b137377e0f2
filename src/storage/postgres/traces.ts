import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { TraceDetail, TraceRecord } from '../../domain/traces/traces.ts';
import { type Id, idFromUuid, idTimeMs, idToUuid, siblingId, uuidAt } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { trace, traceDetail } from './record-schema.ts';
import { insertPartitioned, monthPartitions } from './retention.ts';
import { type ErasedAddress, goneTable, jsonColumns, query } from './statements.ts';
import { countWritten } from './usage-days.ts';

/**
 * Writes trace records (JSON from the outbox) in one statement; existing ones stay. The Worker does not parse them,
 * because a bulk job has a hundred thousand.
 */
export async function insertTraces(
  db: Database,
  records: readonly string[],
  ids: readonly TraceRecord['id'][],
): Promise<void> {
  const times = () => ids.map(idTimeMs);
  await insertPartitioned(db, ['trace', 'trace_detail'], times, () => insertRecords(db, records, ids));
}

/** The columns whose fields have the same name in the record. */
const TRACE = jsonColumns(trace, ['id', 'verificationId']);

/** A decision and the verification inside it share a UUID. */
async function insertRecords(
  db: Database,
  records: readonly string[],
  ids: readonly TraceRecord['id'][],
): Promise<void> {
  const written = await db.execute(sql`
    with record as (
      select * from rows from (unnest(${`{${ids.map(idToUuid).join(',')}}`}::uuid[]), jsonb_to_recordset(${`[${records.join(',')}]`}::jsonb) as (
        "verificationId" text, detail jsonb, ${TRACE.fields})) as record(id)
    ), detail as (
      insert into trace_detail (id, organisation_id, detail)
      select id, "organisationId", detail from record where jsonb_typeof(detail) = 'object' on conflict do nothing
    )
    , written as (
      insert into trace (id, verification_id, ${TRACE.names})
      select id, case when "verificationId" is not null then id end, ${TRACE.values} from record on conflict do nothing
      returning organisation_id, mode, created_at, key_id, kind, recommendation, policy_decision, cost_micros
    )
    ${countWritten(sql`kind`, sql`recommendation`, sql`policy_decision ->> 'decision'`)}`);
  requireAtMost(ids.length, written);
}

/** A decision and the verification inside it come from one request, so their ids are this close, in milliseconds. */
const SAME_REQUEST_MS = 60_000;

/** The range of ids around an id and those from the same request. */
function nearMonths(id: Id<'vr'> | Id<'dc'>): { readonly fromUuid: string; readonly toUuid: string } {
  const at = idTimeMs(id);
  const months = monthPartitions([at - SAME_REQUEST_MS, at + SAME_REQUEST_MS]);
  return { fromUuid: months[0]?.fromUuid ?? uuidAt(at), toUuid: months.at(-1)?.toUuid ?? uuidAt(at) };
}

/** The index of ids begins with the organisation and the mode. */
const MODES: TraceRecord['mode'][] = ['live', 'test'];

/** The organisation's trace with this id, or the decision that embeds the verification with it. */
export async function findTrace(
  db: Database,
  organisationId: Id<'org'>,
  own: Id<'vr'> | Id<'dc'>,
): Promise<TraceRecord | null> {
  const uuid = idToUuid(own);
  const near = nearMonths(own);
  const inNear = sql`${trace.id} >= ${near.fromUuid} and ${trace.id} < ${near.toUuid}`;
  // Separate: with `or` the planner would scan the organisation's month.
  const decision = db
    .select({ id: trace.id })
    .from(trace)
    .where(and(eq(trace.verificationId, siblingId('vr', own)), inNear))
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
  const found = rows.map(({ row, detail }) => toRecord(row, detail));
  return found.find((record) => record.id === own || record.verificationId === own) ?? null;
}

/** The newest traces about an address, by any key. The hash is keyed by organisation: its index suffices. */
export async function listTracesOf(
  db: Database,
  { organisationId, hash }: ErasedAddress,
  limit: number,
): Promise<TraceRecord[]> {
  const rows = await db
    .select({ row: trace, detail: traceDetail.detail })
    .from(trace)
    .leftJoin(traceDetail, eq(traceDetail.id, trace.id))
    .where(eq(trace.addressHash, hash))
    .orderBy(desc(trace.createdAt), desc(trace.id))
    .limit(limit);
  return rows
    .filter(({ row }) => row.organisationId === organisationId)
    .map(({ row, detail }) => toRecord(row, detail));
}

/** A trace's address as stored, and the key that wrote the trace. */
export type TraceAddress = Pick<TraceRecord, 'mode' | 'keyId' | 'addressHash' | 'display'>;

/** The same, with its observation context. */
export type FoundAddress = TraceAddress &
  Pick<TraceRecord, 'domain' | 'hostClass' | 'bulkJobId' | 'createdAt' | 'observation'>;

/**
 * The organisation's traces with these ids, possibly of the verification inside a decision. Each id has its own look-up
 * in its months: with one condition the planner would scan all traces in between.
 */
export async function findTraceAddresses(
  db: Database,
  organisationId: Id<'org'>,
  ids: readonly (Id<'vr'> | Id<'dc'>)[],
): Promise<ReadonlyMap<string, FoundAddress>> {
  const wanted = new Set(ids);
  const near = [...wanted].map((id) => {
    const months = nearMonths(id);
    return { id: idToUuid(id), from: months.fromUuid, to: months.toUuid };
  });
  const columns = sql.raw(
    'organisation_id, kind, mode, key_id, address_hash, display, domain, host_class, bulk_job_id, created_at, observation',
  );
  // `limit` keeps the organisation out of the second look-up, so that it uses the verification's index.
  const rows = await query<FoundRow>(db)`
    select wanted.id, found.embedded, found.kind, found.mode, found.key_id as "keyId",
      found.address_hash as "addressHash", found.display, found.domain, found.host_class as "hostClass",
      found.bulk_job_id as "bulkJobId", found.created_at as "createdAt", found.observation
    from jsonb_to_recordset(${JSON.stringify(near)}::jsonb) as wanted(id uuid, "from" uuid, "to" uuid)
    cross join lateral (
      (select false as embedded, ${columns} from trace
        where organisation_id = ${organisationId} and mode in ${MODES} and id = wanted.id)
      union all
      (select true, ${columns} from trace
        where verification_id = wanted.id and id >= wanted."from" and id < wanted."to" limit 1)
    ) as found
    where found.organisation_id = ${organisationId}`;
  const found = rows.map(({ id, embedded, kind, ...address }) => {
    const named = { ...address, createdAt: Number(address.createdAt) };
    return [idFromUuid(kind === 'decide' && !embedded ? 'dc' : 'vr', id), named] as const;
  });
  return new Map(found.filter(([id]) => wanted.has(id)));
}

interface FoundRow extends Omit<FoundAddress, 'createdAt'> {
  /** Drivers give a bigint as text. */
  readonly createdAt: number | string;
  readonly id: string;
  readonly embedded: boolean;
  readonly kind: TraceRecord['kind'];
}

type TraceRow = typeof trace.$inferSelect;

export const toRecord = (row: TraceRow, detail: TraceDetail | null): TraceRecord => ({ ...row, id: idOf(row), detail });

export const idOf = ({ id, kind }: Pick<TraceRow, 'id' | 'kind'>): TraceRecord['id'] =>
  idFromUuid(kind === 'decide' ? 'dc' : 'vr', id);

/**
 * Unlinks traces from an address: removes its hash and mask, and what a caller or a vendor said about the person, in a
 * trace or an event that names one. One statement, because afterwards the traces can't be found by the address. Returns
 * how many traces were changed.
 */
export async function forgetTraces(db: Database, hashes: readonly ErasedAddress[]): Promise<number> {
  const forgotten = await query(db)`
    with forgotten as (
      update trace set address_hash = null, display = '•••', domain = '', meant_domain = case when meant_domain is not null then '' end,
        back_ends = null,
        policy_decision = policy_decision - '{attributes,company,person}'::text[]
      from ${goneTable(hashes)}
      where trace.organisation_id = gone."organisationId" and trace.address_hash = gone.hash
      returning trace.id, trace.organisation_id
    ), said as (
      update event set properties = null from forgotten
      where event.trace_id = forgotten.id and event.organisation_id = forgotten.organisation_id
    )
    select id from forgotten`;
  return forgotten.length;
}
