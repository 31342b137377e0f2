import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { ScreeningRecord } from '../../domain/screening/record.ts';
import { type Id, idTimeMs, uuidAt } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { screening } from './record-schema.ts';
import { insertPartitioned } from './retention.ts';
import { countChanged, type ErasedAddress, EXAMINED_MAX, goneTable } from './statements.ts';
import { countWritten } from './usage-days.ts';

/** Writes screenings (JSON from the outbox) in one statement; existing ones stay. */
export async function insertScreenings(db: Database, records: readonly string[]): Promise<void> {
  const parsed = records.map((record) => JSON.parse(record) as ScreeningRecord);
  const times = () => parsed.map(({ id }) => idTimeMs(id));
  const insert = () =>
    db.insert(screening).values(parsed).onConflictDoNothing().returning({
      organisationId: screening.organisationId,
      mode: screening.mode,
      createdAt: screening.createdAt,
      keyId: screening.keyId,
      screening: screening.screening,
      costMicros: screening.costMicros,
    });
  await insertPartitioned(db, ['screening'], times, async () => {
    const counted = countWritten(sql`'screen'`, sql`screening ->> 'recommendation'`, sql`''`);
    requireAtMost(parsed.length, await db.execute(sql`with written as (${insert().getSQL()}) ${counted}`));
  });
}

export interface ScreeningFilter {
  readonly mode: ScreeningRecord['mode'];
  /** Null means every key's. */
  readonly keyId: Id<'key'> | null;
  /** `fromMs` is inclusive, `toMs` exclusive, in epoch milliseconds. */
  readonly fromMs?: number | null;
  readonly toMs?: number | null;
  readonly facets?: {
    readonly recommendation?: ScreeningRecord['screening']['recommendation'] | undefined;
    readonly reason?: string | undefined;
    readonly domain?: string | undefined;
  };
}

export interface ScreeningPage {
  readonly screenings: readonly ScreeningRecord[];
  /** As for traces. */
  readonly examinedTo: Id<'sc'> | null;
}

/**
 * Newest first; `before`: the last id of the previous page. Reads only the page's entries of one index or, with a
 * filter that no index has, at most `EXAMINED_MAX` rows.
 */
export async function listScreenings(
  db: Database,
  organisationId: Id<'org'>,
  { mode, keyId, fromMs = null, toMs = null, facets = {} }: ScreeningFilter,
  limit: number,
  before: Id<'sc'> | null,
): Promise<ScreeningPage> {
  const { recommendation, reason, domain } = facets;
  const found = and(
    eq(screening.organisationId, organisationId),
    eq(screening.mode, mode),
    keyId === null ? undefined : eq(screening.keyId, keyId),
    before === null ? undefined : lt(screening.id, before),
    fromMs === null ? undefined : sql`${screening.id} >= ${uuidAt(fromMs)}`,
    toMs === null ? undefined : sql`${screening.id} < ${uuidAt(toMs)}`,
  );
  const rest = [
    ...(recommendation === undefined ? [] : [sql`page.screening ->> 'recommendation' = ${recommendation}`]),
    ...(reason === undefined ? [] : [sql`page.screening -> 'reasons' @> ${JSON.stringify([reason])}::jsonb`]),
    ...(domain === undefined ? [] : [sql`split_part(page.display, '@', 2) = ${domain}`]),
  ];
  const examined = rest.length === 0 ? limit : EXAMINED_MAX;
  const page = db.select().from(screening).where(found).orderBy(desc(screening.id)).limit(examined).as('page');
  const screenings = await db
    .select()
    .from(page)
    .where(and(...rest))
    .orderBy(desc(page.id))
    .limit(limit);
  if (rest.length === 0 || screenings.length >= limit) return { screenings, examinedTo: null };
  const last = db.select({ id: screening.id }).from(screening).where(found).orderBy(desc(screening.id));
  const [end] = await last.offset(EXAMINED_MAX - 1).limit(1);
  return { screenings, examinedTo: end?.id ?? null };
}

/** Of one mode and key; `keyId` null means every key. */
export async function findScreening(
  db: Database,
  organisationId: Id<'org'>,
  { mode, keyId }: Pick<ScreeningFilter, 'mode' | 'keyId'>,
  id: Id<'sc'>,
): Promise<ScreeningRecord | null> {
  const [found] = await db
    .select()
    .from(screening)
    .where(
      and(
        eq(screening.organisationId, organisationId),
        eq(screening.mode, mode),
        eq(screening.id, id),
        keyId === null ? undefined : eq(screening.keyId, keyId),
      ),
    );
  return found ?? null;
}

/** The newest screenings of an address, by any key. */
export const listScreeningsOf = (
  db: Database,
  { organisationId, hash }: { readonly organisationId: Id<'org'>; readonly hash: string },
  limit: number,
): Promise<ScreeningRecord[]> =>
  db
    .select()
    .from(screening)
    .where(and(eq(screening.organisationId, organisationId), eq(screening.addressHash, hash)))
    .orderBy(desc(screening.id))
    .limit(limit);

/** Unlinks screenings from an address: removes its hash, its mask and its masked correction. Returns how many. */
export const forgetScreenings = (db: Database, hashes: readonly ErasedAddress[]): Promise<number> =>
  countChanged(db)`
    update screening set address_hash = null, display = '•••',
        screening = jsonb_set(screening.screening, '{typo_suggestion}', 'null')
      from ${goneTable(hashes)}
      where screening.organisation_id = gone."organisationId" and screening.address_hash = gone.hash
      returning screening.id`;
