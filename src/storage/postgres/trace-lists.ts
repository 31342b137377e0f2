import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { JUDGED_DETAIL, type JudgedTrace } from '../../domain/answer/replay.ts';
import type { DeliveryReport } from '../../domain/belief/facts.ts';
import { PROVING_EVENTS } from '../../domain/feedback/outcomes.ts';
import { DECIDABLE, DECIDABLE_DETAIL, type DecidableTrace, type TraceRecord } from '../../domain/traces/traces.ts';
import { type Id, idFromUuid, idToUuid, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { apiKey } from './directory-schema.ts';
import {
  trace,
  traceDetail,
  FACETS,
  facetCondition,
  indexCondition,
  type TraceFacet,
  type TraceFacets,
} from './record-schema.ts';
import { EXAMINED_MAX, query } from './statements.ts';
import { idOf, toRecord } from './traces.ts';

/** Filters of an organisation's list of traces; null shows all. */
export interface TraceFilter {
  readonly mode: TraceRecord['mode'];
  readonly keyId: Id<'key'> | null;
  readonly bulkJobId: Id<'bj'> | null;
  /** An address's keyed hash. */
  readonly addressHash?: string | null;
  /** `fromMs` is inclusive, `toMs` exclusive, in epoch milliseconds. */
  readonly fromMs?: number | null;
  readonly toMs?: number | null;
  readonly facets?: TraceFacets;
}

/** A row of the list with the name and origin of the key that wrote it. */
export interface ListedTrace {
  readonly record: Omit<TraceRecord, 'detail'>;
  readonly key: { readonly name: string; readonly origin: string } | null;
}

export interface TracePage {
  readonly traces: readonly ListedTrace[];
  /** The last examined row, if the page ended there with fewer rows than `limit`; null at the end of the list. */
  readonly examinedTo: TraceRecord['id'] | null;
}

/**
 * Newest first; `before`: the last id of the previous page. Reads only the entries of one index, and each month's
 * partition once. Other conditions are tested on the rows it finds, at most `EXAMINED_MAX`.
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
  /** The last id of the previous page. */
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
 * A page of many thousands of the organisation's traces since `fromMs`, newest first. One value contains the page, with
 * a list for each trace, so that names and types are not repeated in every row.
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
  const [row] = await query<{ page: unknown[][] | null }>(db)`
    select json_agg(page.value order by page.id desc) as page from (
      select ${trace.id} as id, ${values} as value
      from ${trace} ${withDetail ? joined : sql``} where ${where} order by ${trace.id} desc limit ${limit}) as page`;
  return (row?.page ?? []).map(toDecidable);
}

const judgedDetail = sql.join(
  JUDGED_DETAIL.map((name) => sql`${sql.raw(`'${name}'`)}, ${traceDetail.detail} -> ${sql.raw(`'${name}'`)}`),
  sql`, `,
);

/** A page of the organisation's traces since `fromMs` with their recommendations' inputs, newest first. */
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

/** A row in JSON: ids are UUIDs. */
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
 * The one condition that the filter's index begins with. With a second condition the planner may use the other index
 * and read all rows of the organisation for a page, because its statistics don't know new rows yet.
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

/** A trace that a history is rebuilt from, with the reports about its address. */
export interface RememberedTrace extends Pick<
  TraceRecord,
  'mode' | 'keyId' | 'addressHash' | 'domain' | 'hostClass' | 'bulkJobId' | 'createdAt' | 'observation'
> {
  readonly uuid: string;
  readonly reports: readonly DeliveryReport[];
  readonly events: readonly { readonly event: string; readonly at: number }[];
}

/** The organisation's live traces since then with an address, oldest first; `after`: the last of the previous page. */
export async function listRememberedTraces(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
  after: string | null,
): Promise<readonly RememberedTrace[]> {
  const rows = await query<Row>(db)`
    with page as (
      select id, mode, key_id, address_hash, domain, host_class, bulk_job_id, created_at, observation from trace
      where organisation_id = ${organisationId} and mode = 'live' and id > ${after ?? uuidAt(sinceMs)}::uuid
        and address_hash is not null and host_class is not null
      order by id limit ${limit}
    )
    select id as uuid, mode, key_id as "keyId", address_hash as "addressHash", domain, host_class as "hostClass",
      bulk_job_id as "bulkJobId", created_at as "createdAt", observation,
      (select json_agg(json_build_object('class', class, 'at', at, 'of', of, 'source', source) order by at)
        from delivery_report where organisation_id = ${organisationId} and address_hash = page.address_hash) as reports,
      (select json_agg(json_build_object('event', event, 'at', at))
        from event where (trace_id = page.id or address_hash = page.address_hash) and mode = 'live'
          and organisation_id = ${organisationId} and event in ${PROVING_EVENTS}) as events
    from page order by id`;
  return rows.map(({ reports, events, createdAt, ...row }) => ({
    ...row,
    createdAt: Number(createdAt),
    reports: reports ?? [],
    events: events ?? [],
  }));
}

type Row = Omit<RememberedTrace, 'createdAt' | 'reports' | 'events'> & {
  /** Drivers give a bigint as text. */
  readonly createdAt: number | string;
  readonly reports: readonly DeliveryReport[] | null;
  readonly events: RememberedTrace['events'] | null;
};
