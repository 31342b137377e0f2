import { sql } from 'drizzle-orm';
import type { DeliveryReport } from '../../domain/belief/facts.ts';
import { PROVING_EVENTS } from '../../domain/feedback/outcomes.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { type Id, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';

/** A trace that a history is rebuilt from, with what was heard of its address. */
export interface RememberedTrace extends Pick<
  TraceRecord,
  'mode' | 'keyId' | 'addressHash' | 'domain' | 'hostClass' | 'bulkJobId' | 'createdAt' | 'learnt'
> {
  readonly uuid: string;
  /** All about its address. */
  readonly reports: readonly DeliveryReport[];
  readonly events: readonly { readonly event: string; readonly at: number }[];
}

/** The organisation's live traces since then that still name an address, oldest first; `after`: the last of the page before. */
export async function listRememberedTraces(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
  after: string | null,
): Promise<readonly RememberedTrace[]> {
  const { rows } = (await db.execute(sql`
    with page as (
      select id, mode, key_id, address_hash, domain, host_class, bulk_job_id, created_at, learnt from trace
      where organisation_id = ${organisationId} and mode = 'live' and id > ${after ?? uuidAt(sinceMs)}::uuid
        and address_hash is not null and host_class is not null
      order by id limit ${limit}
    )
    select id as uuid, mode, key_id as "keyId", address_hash as "addressHash", domain, host_class as "hostClass",
      bulk_job_id as "bulkJobId", created_at as "createdAt", learnt,
      (select json_agg(json_build_object('class', class, 'at', at, 'of', of, 'source', source) order by at)
        from delivery_report where organisation_id = ${organisationId} and address_hash = page.address_hash) as reports,
      (select json_agg(json_build_object('event', event, 'at', at))
        from event where (trace_id = page.id or address_hash = page.address_hash) and mode = 'live'
          and organisation_id = ${organisationId} and event in ${PROVING_EVENTS}) as events
    from page order by id`)) as { rows: Row[] };
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
