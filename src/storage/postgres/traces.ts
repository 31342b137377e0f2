import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { JUDGED_DETAIL, type JudgedTrace } from '../../domain/answer/replay.ts';
import {
  DECIDABLE,
  DECIDABLE_DETAIL,
  type DecidableTrace,
  type TraceDetail,
  type TraceRecord,
} from '../../domain/traces/record.ts';
import { type Id, idFromUuid, idTimeMs, idToUuid, siblingId, uuidAt } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { jsonColumns } from './columns.ts';
import { type ErasedAddress, goneTable } from './erased.ts';
import { insertPartitioned, monthPartitions } from './partitions.ts';
import { apiKey, trace, traceDetail } from './schema.ts';
import { FACETS, facetCondition, indexCondition, type TraceFacet, type TraceFacets } from './trace-facets.ts';
import { countWritten } from './usage-days.ts';

/**
 * Writes trace records (JSON from the outbox) in one statement; existing ones stay as they are. The Worker does not parse
 * them, because a bulk job has a hundred thousand.
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

/** Which of an organisation's traces a list shows; a null filter shows all. */
export interface TraceFilter {
  readonly mode: TraceRecord['mode'];
  readonly keyId: Id<'key'> | null;
  readonly bulkJobId: Id<'bj'> | null;
  /** An address's keyed hash. */
  readonly addressHash?: string | null;
  /** From this instant on, and before that one, epoch milliseconds. */
  readonly fromMs?: number | null;
  readonly toMs?: number | null;
  readonly facets?: TraceFacets;
}

/** A row of the list with the name and origin of the key that wrote it. */
export interface ListedTrace {
  readonly record: Omit<TraceRecord, 'detail'>;
  readonly key: { readonly name: string; readonly origin: string } | null;
}

/** The rows that a page looks at, at most, for those that have all it is narrowed to. */
export const EXAMINED_MAX = 5_000;

export interface TracePage {
  /** Up to `limit`. */
  readonly traces: readonly ListedTrace[];
  /** The page ended here without looking further, though it may have fewer rows than `limit`. Null: there is nothing behind it. */
  readonly examinedTo: TraceRecord['id'] | null;
}

/**
 * Newest first; `before`: the last id of the page before. Reads only the entries of one index, and looks once into each month's
 * partition. Conditions beside that of the index are put to the rows it finds, `EXAMINED_MAX` of them at most.
 */
export async function listTraces(
  db: Database,
  organisationId: Id<'org'>,
  filter: TraceFilter,
  limit: number,
  before: TraceRecord['id'] | null,
): Promise<TracePage> {
  const { condition, rest } = narrowest(organisationId, filter);
  const { fromMs = null, toMs = null } = filter;
  const found = and(
    condition,
    eq(trace.mode, filter.mode),
    before === null ? undefined : lt(trace.id, idToUuid(before)),
    fromMs === null ? undefined : gte(trace.id, uuidAt(fromMs)),
    toMs === null ? undefined : lt(trace.id, uuidAt(toMs)),
  );
  const examined = rest.length === 0 ? limit : EXAMINED_MAX;
  const page = db.select().from(trace).where(found).orderBy(desc(trace.id)).limit(examined).as('page');
  const key = db.select({ id: apiKey.id, name: apiKey.name, origin: apiKey.origin }).from(apiKey).as('key');
  const rows = await db
    .select()
    .from(page)
    .leftJoin(key, eq(key.id, page.keyId))
    // A key or job belongs to one organisation, so its page is shown whole or not at all.
    .where(and(eq(page.organisationId, organisationId), ...rest))
    .orderBy(desc(page.id))
    .limit(limit);
  const traces = rows.map((row) => ({ record: toRecord(row.page, null), key: row.key }));
  if (rest.length === 0 || rows.length >= limit) return { traces, examinedTo: null };
  const last = db.select({ id: trace.id, kind: trace.kind }).from(trace).where(found).orderBy(desc(trace.id));
  const [end] = await last.offset(EXAMINED_MAX - 1).limit(1);
  return { traces, examinedTo: end === undefined ? null : idOf(end) };
}

export interface DecidableQuery {
  readonly filter: Pick<TraceFilter, 'mode' | 'keyId'>;
  readonly fromMs: number;
  /** False: every detail is null, and its table is not read. */
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
 * A page of many thousands of the organisation's traces since `fromMs`, newest first. One value holds the page, with a
 * list for each trace, so that names and types are not repeated in every row.
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

const judgedDetail = sql.join(
  JUDGED_DETAIL.map((name) => sql`${sql.raw(`'${name}'`)}, ${traceDetail.detail} -> ${sql.raw(`'${name}'`)}`),
  sql`, `,
);

/** A page of the organisation's traces since `fromMs` with what their recommendations follow from, newest first. */
export async function listJudgedTraces(
  db: Database,
  organisationId: Id<'org'>,
  { filter, fromMs, limit, before }: Omit<DecidableQuery, 'withDetail'>,
): Promise<JudgedTrace[]> {
  const detail = sql<
    JudgedTrace['detail']
  >`case when ${traceDetail.detail} is not null then json_build_object(${judgedDetail}) end`;
  const rows = await db
    .select({
      id: trace.id,
      kind: trace.kind,
      recommendation: trace.recommendation,
      bounceProbability: trace.bounceProbability,
      detail,
    })
    .from(trace)
    .leftJoin(traceDetail, eq(traceDetail.id, trace.id))
    .where(
      and(
        eq(trace.organisationId, organisationId),
        eq(trace.mode, filter.mode),
        filter.keyId === null ? undefined : eq(trace.keyId, filter.keyId),
        gte(trace.id, uuidAt(fromMs)),
        before === null ? undefined : lt(trace.id, idToUuid(before)),
      ),
    )
    .orderBy(desc(trace.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, id: idOf(row) }));
}

/** A row as JSON has it: ids are UUIDs. */
type DecidableRow = Omit<DecidableTrace, 'id' | 'verificationId' | 'detail'> & {
  readonly id: string;
  readonly verificationId: string | null;
};

function toDecidable(values: readonly unknown[]): DecidableTrace {
  const named = Object.fromEntries(DECIDABLE.map((name, place) => [name, values[place]])) as DecidableRow;
  const verificationId = named.verificationId === null ? null : idFromUuid('vr', named.verificationId);
  return { ...named, id: idOf(named), verificationId, detail: values.at(-1) as DecidableTrace['detail'] };
}

/**
 * The one condition that the filter's index begins with. With a second condition the planner may use the other index and
 * read all rows of the organisation for a page, because its statistics don't know new rows yet.
 */
function narrowest(
  organisationId: Id<'org'>,
  { keyId, bulkJobId, addressHash = null, facets = {} }: TraceFilter,
): { readonly condition: SQL; readonly rest: readonly SQL[] } {
  const ofKey = keyId === null ? [] : [sql`page.key_id = ${keyId}`];
  const ofJob = bulkJobId === null ? [] : [sql`page.bulk_job_id = ${bulkJobId}`];
  const wanted = (Object.keys(FACETS) as TraceFacet[]).flatMap((facet) => {
    const value = facets[facet];
    return value === undefined ? [] : [{ facet, value, indexed: indexCondition(facet, organisationId, value) }];
  });
  const others = (lead: TraceFacet | null): SQL[] =>
    wanted.filter(({ facet }) => facet !== lead).map(({ facet, value }) => facetCondition(facet, value));
  if (addressHash !== null)
    return { condition: eq(trace.addressHash, addressHash), rest: [...ofKey, ...ofJob, ...others(null)] };
  if (keyId !== null && bulkJobId !== null) {
    return { condition: sql`${trace.bulkJobId} || ${trace.keyId} = ${bulkJobId + keyId}`, rest: others(null) };
  }
  if (bulkJobId !== null) return { condition: eq(trace.bulkJobId, bulkJobId), rest: others(null) };
  const lead = wanted.find(({ indexed }) => indexed !== null);
  if (lead?.indexed) return { condition: lead.indexed, rest: [...ofKey, ...others(lead.facet)] };
  if (keyId !== null) return { condition: eq(trace.keyId, keyId), rest: others(null) };
  return { condition: eq(trace.organisationId, organisationId), rest: others(null) };
}

/** A decision and the verification inside it come from one request, so their ids lie this close, in milliseconds. */
const SAME_REQUEST_MS = 60_000;

/** The range of ids that holds an id and those from the same request. */
function nearMonths(id: Id<'vr'> | Id<'dc'>): { readonly fromUuid: string; readonly toUuid: string } {
  const at = idTimeMs(id);
  const months = monthPartitions([at - SAME_REQUEST_MS, at + SAME_REQUEST_MS]);
  return { fromUuid: months[0]?.fromUuid ?? uuidAt(at), toUuid: months.at(-1)?.toUuid ?? uuidAt(at) };
}

/** The index that finds a row by its id begins with the organisation and the mode. */
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
  // A look-up of its own: with `or` the planner would scan the organisation's month.
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

/** The newest traces about an address, of any key. The hash is keyed by organisation, so the index of hashes alone is used. */
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

/** The address of a trace as it may be kept, and the key that wrote the trace. */
export type TraceAddress = Pick<TraceRecord, 'mode' | 'keyId' | 'addressHash' | 'display'>;

/** The same, with how the address was seen. */
export type FoundAddress = TraceAddress &
  Pick<TraceRecord, 'domain' | 'hostClass' | 'bulkJobId' | 'createdAt' | 'learnt'>;

/**
 * The organisation's traces with these ids, which may be those of the verification inside a decision. Each id has its own
 * look-up in its months: with one condition the planner would scan all traces between the first and the last.
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
    'organisation_id, kind, mode, key_id, address_hash, display, domain, host_class, bulk_job_id, created_at, learnt',
  );
  // `limit` keeps the organisation out of the second look-up, so that it uses the verification's index.
  const { rows } = (await db.execute(sql`
    select wanted.id, found.embedded, found.kind, found.mode, found.key_id as "keyId",
      found.address_hash as "addressHash", found.display, found.domain, found.host_class as "hostClass",
      found.bulk_job_id as "bulkJobId", found.created_at as "createdAt", found.learnt
    from jsonb_to_recordset(${JSON.stringify(near)}::jsonb) as wanted(id uuid, "from" uuid, "to" uuid)
    cross join lateral (
      (select false as embedded, ${columns} from trace
        where organisation_id = ${organisationId} and mode in ${MODES} and id = wanted.id)
      union all
      (select true, ${columns} from trace
        where verification_id = wanted.id and id >= wanted."from" and id < wanted."to" limit 1)
    ) as found
    where found.organisation_id = ${organisationId}`)) as { rows: FoundRow[] };
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

const toRecord = (row: TraceRow, detail: TraceDetail | null): TraceRecord => ({ ...row, id: idOf(row), detail });

const idOf = ({ id, kind }: Pick<TraceRow, 'id' | 'kind'>): TraceRecord['id'] =>
  idFromUuid(kind === 'decide' ? 'dc' : 'vr', id);

/**
 * Cuts traces off from an address: removes its hash and mask, and what a caller or a vendor said about the person, in a
 * trace or in an event that names one. In one statement, because afterwards the traces can't be found by the address.
 * `hashes` pairs an organisation with the address's keyed hash there. Returns how many traces were changed.
 */
export async function forgetTraces(db: Database, hashes: readonly ErasedAddress[]): Promise<number> {
  const result = await db.execute(sql`
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
    select id from forgotten`);
  return (result as { rows: unknown[] }).rows.length;
}

export async function deleteTraces(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(traceDetail).where(eq(traceDetail.organisationId, organisationId));
  await db.delete(trace).where(eq(trace.organisationId, organisationId));
}
