import { and, eq, or, sql } from 'drizzle-orm';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/client.ts';
import { trace } from '../../platform/db/schema.ts';
import { TRACE_VERSION, type TraceRecord } from './record.ts';

/** Writes trace records (JSON, as the outbox holds them) in one statement; one that is there already stays as it is. */
export async function insertTraces(db: Database, records: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into trace (id, organisation_id, verification_id, kind, mode, key_id, created_at, address_hash, display, domain,
      verdict, bounce_probability, recommendation, reason, email_type, esp, cost_micros, latency_ms, cache_hit, degraded,
      bulk_job_id, detail)
    select id, "organisationId", "verificationId", kind, mode, "keyId", "createdAt", "addressHash", display, domain,
      verdict, "bounceProbability", recommendation, reason, "emailType", esp, "costMicros", "latencyMs", "cacheHit",
      degraded, "bulkJobId", detail
    from jsonb_to_recordset(${`[${records.join(',')}]`}::jsonb) as record(
      id text, "organisationId" text, "verificationId" text, kind text, mode text, "keyId" text, "createdAt" bigint,
      "addressHash" text, display text, domain text, verdict text, "bounceProbability" double precision,
      recommendation text, reason text, "emailType" text, esp text, "costMicros" bigint, "latencyMs" integer,
      "cacheHit" boolean, degraded boolean, "bulkJobId" text, detail jsonb)
    on conflict do nothing`);
}

/** The organisation's trace with this id, or the decision that embeds the verification with it. */
export async function findTrace(db: Database, organisationId: Id<'org'>, id: string): Promise<TraceRecord | null> {
  const rows = await db
    .select()
    .from(trace)
    .where(and(eq(trace.organisationId, organisationId), or(eq(trace.id, id), eq(trace.verificationId, id))))
    .limit(1);
  return rows[0] ? ({ v: TRACE_VERSION, ...rows[0] } as unknown as TraceRecord) : null;
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
  await db.delete(trace).where(eq(trace.organisationId, organisationId));
}
