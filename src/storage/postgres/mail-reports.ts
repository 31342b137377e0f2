import { and, desc, eq, gt, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import { type Id, idFromUuid } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { mailReport, suppressedAddress, webhookToken } from './processor-schema.ts';
import { deleteErased, type ErasedAddress, jsonColumns, query } from './statements.ts';

export type StoredMailReport = typeof mailReport.$inferSelect;

/** An address whose newest trace in this time is wanted, in epoch milliseconds. */
export interface TraceWanted {
  readonly addressHash: string;
  readonly from: number;
  readonly until: number;
}

/** A verification, or the one inside a decision. */
export interface NewestTrace {
  readonly traceId: Id<'vr'>;
  readonly createdAt: number;
}

/** The newest live trace of each address, in the given order, or null. */
export async function findNewestTraces(
  db: Database,
  wanted: readonly TraceWanted[],
): Promise<readonly (NewestTrace | null)[]> {
  const rows = JSON.stringify(wanted.map((each, place) => ({ ...each, place })));
  // The hash is keyed by organisation. With the organisation as a condition the planner may read all of its traces.
  const found = await query<{ place: number; id: string; createdAt: unknown }>(db)`
    select wanted.place, newest.id, newest.created_at as "createdAt"
    from jsonb_to_recordset(${rows}::jsonb) as wanted(place int, "addressHash" text, "from" bigint, until bigint)
    cross join lateral (
      select id, created_at from trace where address_hash = wanted."addressHash" and mode = 'live'
        and created_at >= wanted."from" and created_at < wanted.until
      order by created_at desc, id desc limit 1) as newest`;
  const traces: (NewestTrace | null)[] = wanted.map(() => null);
  for (const { place, id, createdAt } of found)
    traces[place] = { traceId: idFromUuid('vr', id), createdAt: Number(createdAt) };
  return traces;
}

const REPORT = jsonColumns(mailReport, []);

/** Stores reports in one statement, each once; returns the ids of the new ones. */
export async function insertMailReports(db: Database, reports: readonly StoredMailReport[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(db)`
    insert into mail_report (${REPORT.names}) select ${REPORT.values}
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb) as record(${REPORT.fields})
    on conflict do nothing returning id`;
  return new Set(rows.map(({ id }) => id));
}

/** Those of the ids that reports have. */
export async function findReportIds(
  db: Database,
  organisationId: Id<'org'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const isOne = sql`${mailReport.id} in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::uuid)`;
  const rows = await db
    .select({ id: mailReport.id })
    .from(mailReport)
    .where(and(eq(mailReport.organisationId, organisationId), isOne));
  return new Set(rows.map(({ id }) => id));
}

/** An organisation's reports about mailboxes since then, in a fixed order; `after`: the last of the previous page. */
export async function listMailReports(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
  after: string | null,
): Promise<StoredMailReport[]> {
  const { id, at } = mailReport;
  const isNext = after === null ? undefined : gt(id, after);
  return db
    .select()
    .from(mailReport)
    .where(and(eq(mailReport.organisationId, organisationId), isNotNull(mailReport.class), gte(at, sinceMs), isNext))
    .orderBy(id)
    .limit(limit);
}

/** The newest reports about an address. */
export const listMailReportsOf = (
  db: Database,
  { organisationId, hash }: { readonly organisationId: Id<'org'>; readonly hash: string },
  limit: number,
): Promise<StoredMailReport[]> =>
  db
    .select()
    .from(mailReport)
    .where(and(eq(mailReport.organisationId, organisationId), eq(mailReport.addressHash, hash)))
    .orderBy(desc(mailReport.at))
    .limit(limit);

/** Returns how many were deleted. */
export const forgetMailReports = (db: Database, hashes: readonly ErasedAddress[]): Promise<number> =>
  deleteErased(db, mailReport, mailReport.addressHash, hashes);

/** The body that a token was first used for, or this one for a new token. Both are keyed hashes. */
export async function claimToken(db: Database, use: typeof webhookToken.$inferSelect): Promise<string> {
  const [row] = await db
    .insert(webhookToken)
    .values(use)
    .onConflictDoUpdate({
      target: [webhookToken.organisationId, webhookToken.token],
      // Without a change the row would not be returned.
      set: { body: webhookToken.body },
    })
    .returning({ body: webhookToken.body });
  return row?.body ?? '';
}

/** The body that a token was used for; null: it was not used. */
export async function findToken(
  db: Database,
  { organisationId, token }: Pick<typeof webhookToken.$inferSelect, 'organisationId' | 'token'>,
): Promise<string | null> {
  const isThat = and(eq(webhookToken.organisationId, organisationId), eq(webhookToken.token, token));
  const [row] = await db.select({ body: webhookToken.body }).from(webhookToken).where(isThat);
  return row?.body ?? null;
}

const { organisationId: ownedBy, addressHash: hash } = suppressedAddress;

/** Excludes an address from later imports and webhooks. Idempotent. */
export async function suppressAddress(
  db: Database,
  organisationId: Id<'org'>,
  addressHash: string,
  at: number,
): Promise<void> {
  await db.insert(suppressedAddress).values({ organisationId, addressHash, at }).onConflictDoNothing();
}

export async function unsuppressAddress(
  db: Database,
  organisationId: Id<'org'>,
  hashes: readonly string[],
): Promise<void> {
  await db.delete(suppressedAddress).where(and(eq(ownedBy, organisationId), inArray(hash, [...hashes])));
}

/** The suppressed ones of these addresses. */
export async function findSuppressed(
  db: Database,
  organisationId: Id<'org'>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ hash })
    .from(suppressedAddress)
    .where(
      and(
        eq(ownedBy, organisationId),
        sql`${hash} in (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))`,
      ),
    );
  return new Set(rows.map((row) => row.hash));
}
