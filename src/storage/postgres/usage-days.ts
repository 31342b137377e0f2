import { and, between, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { usageDay } from './record-schema.ts';

export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** As long as traces are stored. */
export const USAGE_DAYS_KEPT = 400;

const CELL = sql.raw('organisation_id, day, key_id, kind, recommendation, decision');
const COLUMNS = sql`${CELL}, calls, cost_micros`;
const CELL_PLACES = sql.raw('1, 2, 3, 4, 5, 6');

/**
 * Ends a statement whose `written` contains the inserted rows: only those count, so a repeat counts nothing. Ordered,
 * so that two such statements can't deadlock.
 */
export const countWritten = (kind: SQL, recommendation: SQL, decision: SQL): SQL => sql`
  insert into usage_day (${COLUMNS})
  select organisation_id, created_at / ${sql.raw(String(DAY_MS))}, coalesce(key_id, ''), ${kind}, ${recommendation},
    coalesce(${decision}, ''), count(*), sum(cost_micros)
  from written where mode = 'live' group by ${CELL_PLACES} order by ${CELL_PLACES}
  on conflict (${CELL}) do update
    set calls = usage_day.calls + excluded.calls, cost_micros = usage_day.cost_micros + excluded.cost_micros`;

export interface UsageFilter {
  readonly fromDay: number;
  readonly toDay: number;
  /** Null means every key's. */
  readonly keyId: Id<'key'> | null;
  /** Omitted: every one. */
  readonly facets?: {
    readonly kind?: string | undefined;
    readonly decision?: string | undefined;
    readonly recommendation?: string | undefined;
  };
}

/** How a series may be split, and which rows each split covers. */
const SPLITS = {
  key: { column: usageDay.keyId, where: undefined },
  kind: { column: usageDay.kind, where: undefined },
  decision: { column: usageDay.decision, where: ne(usageDay.decision, '') },
  // A screening recommends other things than a verification.
  recommendation: { column: usageDay.recommendation, where: ne(usageDay.kind, 'screen') },
} as const;
export type UsageSplit = keyof typeof SPLITS;

export interface UsagePoint {
  readonly day: number;
  /** Null means all together. */
  readonly value: string | null;
  readonly calls: number;
  readonly costMicros: number;
}

/** Calls and costs by day, oldest first; days without a call are left out. */
export async function listUsageDays(
  db: Database,
  organisationId: Id<'org'>,
  { fromDay, toDay, keyId, facets = {} }: UsageFilter,
  by: UsageSplit | null,
): Promise<UsagePoint[]> {
  const { day, calls, costMicros } = usageDay;
  const { kind, decision, recommendation } = facets;
  const split = by === null ? null : SPLITS[by];
  const value = split === null ? sql<string | null>`null::text` : sql<string | null>`${split.column}`;
  const rows = await db
    .select({
      day,
      value: value.as('value'),
      calls: sql<string>`sum(${calls})`,
      costMicros: sql<string>`sum(${costMicros})`,
    })
    .from(usageDay)
    .where(
      and(
        eq(usageDay.organisationId, organisationId),
        between(day, fromDay, toDay),
        keyId === null ? undefined : eq(usageDay.keyId, keyId),
        kind === undefined ? undefined : eq(usageDay.kind, kind),
        decision === undefined ? undefined : eq(usageDay.decision, decision),
        recommendation === undefined ? undefined : eq(usageDay.recommendation, recommendation),
        split?.where,
      ),
    )
    .groupBy(sql`1, 2`)
    .orderBy(sql`1, 2`);
  // Drivers give a sum as text.
  return rows.map((row) => ({ ...row, calls: Number(row.calls), costMicros: Number(row.costMicros) }));
}

export async function deleteUsageDays(db: Database, organisationId: Id<'org'>, beforeDay: number): Promise<void> {
  await db.delete(usageDay).where(and(eq(usageDay.organisationId, organisationId), lt(usageDay.day, beforeDay)));
}
