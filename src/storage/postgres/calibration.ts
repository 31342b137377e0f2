import { and, desc, eq, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { OutcomeSource, Routing } from '../../contract/calibration.ts';
import type { OutcomeReport } from '../../domain/calibration/outcome-evidence.ts';
import { FOLDS, HALF_LIFE_DAYS } from '../../domain/calibration/pattern.ts';
import type { Answered } from '../../domain/calibration/progressive.ts';
import { type StoredPattern, WEIGHT_UNIT } from '../../domain/calibration/stored-pattern.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { type Id, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { excluded } from './columns.ts';
import { calibration } from './nightly-schema.ts';

/** Only this many combinations are read, the most frequent first: a customer's text may hold any code. */
const CODES_MAX = 2_000;

/** How an account reported the outcomes of its traces: each combination of word and codes, and how often. */
export async function listReportedOutcomes(
  db: Database,
  organisationId: Id<'org'>,
): Promise<(OutcomeReport & { readonly count: number })[]> {
  const { rows } = (await db.execute(sql`
    select outcome, basic_code as "basicCode", enhanced_code as "enhancedCode", count(*)::int as count
    from outcome where organisation_id = ${organisationId} and mode = 'live' and verification_id is not null
    group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ${CODES_MAX}`)) as {
    rows: (OutcomeReport & { readonly count: number })[];
  };
  return rows;
}

/** Whether mail services or imports have reported of addresses whose mail hosts are known. */
export async function hasMailReports(db: Database, organisationId: Id<'org'>): Promise<boolean> {
  const { rows } = (await db.execute(sql`
    select exists (select from mail_report
      where organisation_id = ${organisationId} and host_class is not null) as found`)) as {
    rows: { found: boolean }[];
  };
  return rows[0]?.found === true;
}

/** How many outcomes came from where. */
export async function listOutcomeSources(db: Database, organisationId: Id<'org'>): Promise<OutcomeSource[]> {
  const { rows } = (await db.execute(sql`
    select source, kind, outcomes::int, hard_bounces::int from (
      select 'api' as source, count(*) as outcomes, count(*) filter (where outcome = 'hard_bounce') as hard_bounces
      from outcome where organisation_id = ${organisationId} and mode = 'live' and key_id is not null
      union all
      select source, count(*), count(*) filter (where outcome = 'hard_bounce')
      from mail_report where organisation_id = ${organisationId} group by source) as counted
    left join processor_connection on processor_connection.id = counted.source
    where outcomes > 0 order by outcomes desc, source`)) as { rows: OutcomeSource[] };
  return rows;
}

/** Of the newest live verifications since then that did not say `drop`, how many have an outcome that is known. */
export async function countSends(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
): Promise<{ readonly verified: number; readonly reported: number }> {
  const { rows } = (await db.execute(sql`
    with verified as (
      select coalesce(verification_id, id) as id from trace
      where organisation_id = ${organisationId} and mode = 'live' and id >= ${uuidAt(sinceMs)}::uuid
        and recommendation <> 'drop' order by trace.id desc limit ${limit}
    )
    select count(*)::int as verified, count(outcome.id)::int as reported
    from verified left join outcome on outcome.verification_id = verified.id
      and outcome.organisation_id = ${organisationId} and outcome.mode = 'live' and outcome.outcome <> 'unknown'`)) as {
    rows: { verified: number; reported: number }[];
  };
  return rows[0] ?? { verified: 0, reported: 0 };
}

/**
 * What asking cost, and what is expected to be lost, of the newest live judgements since then that had a provider to ask: by the steps
 * of the router that their details keep. Sums over all of them, dollars. Always asking differs from the router where that decided at
 * once: there the best provider's price and expectation stand.
 */
export async function sumRoutes(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
): Promise<Pick<NonNullable<Routing>, 'addresses' | 'router' | 'always' | 'never'>> {
  const dollars = (of: SQL, name: string): SQL => sql`(${of} ->> ${sql.raw(`'${name}_usd'`)})::float8`;
  const { rows } = (await db.execute(sql`
    with newest as (
      select id from trace where organisation_id = ${organisationId} and mode = 'live' and id >= ${uuidAt(sinceMs)}::uuid
      order by id desc limit ${limit}
    ), routed as (
      select detail -> 'route' as route, detail -> 'route' -> 0 -> 'candidates' as options
      from trace_detail join newest using (id)
      where trace_detail.organisation_id = ${organisationId} and trace_detail.id >= ${uuidAt(sinceMs)}::uuid
        and jsonb_typeof(detail -> 'route' -> 0 -> 'candidates' -> 0) = 'object'
    ), judged as (
      select route -> 0 ->> 'choice' = 'stop' as "isDirect", best.*, paid.usd as spend,
        ${dollars(sql`route -> 0`, 'stop_value')} as "lossBefore", ${dollars(sql`route -> -1`, 'stop_value')} as loss
      from routed,
        lateral (select coalesce(sum(${dollars(sql`option`, 'price')}), 0) as usd
          from jsonb_array_elements(route) as step, jsonb_array_elements(step -> 'candidates') as option
          where option ->> 'provider' = step ->> 'choice') as paid,
        lateral (select ${dollars(sql`option`, 'price')} as price,
            greatest(0, ${dollars(sql`option`, 'value')} - ${dollars(sql`option`, 'cost')}) as "lossAfter"
          from jsonb_array_elements(options) as option order by ${dollars(sql`option`, 'value')} limit 1) as best
    )
    select count(*)::int as addresses, coalesce(sum("lossBefore"), 0) as never,
      coalesce(sum(spend), 0) as spend, coalesce(sum(loss), 0) as loss,
      coalesce(sum(case when "isDirect" then price else spend end), 0) as "spendAlways",
      coalesce(sum(case when "isDirect" then "lossAfter" else loss end), 0) as "lossAlways"
    from judged`)) as {
    rows: Record<'addresses' | 'never' | 'spend' | 'loss' | 'spendAlways' | 'lossAlways', number>[];
  };
  const [row] = rows;
  if (row === undefined) throw new Error('a count has a row');
  return {
    addresses: row.addresses,
    router: { spend_usd: row.spend, loss_usd: row.loss },
    always: { spend_usd: row.spendAlways, loss_usd: row.lossAlways },
    never: { spend_usd: 0, loss_usd: row.never },
  };
}

/** A reported outcome that says something about the mailbox, and what. */
export type EvidenceRow = OutcomeReport & { readonly bounced: boolean };

export interface PatternQuery {
  readonly evidence: readonly EvidenceRow[];
  /** Traces fade by whole UTC days up to this moment's. */
  readonly now: number;
  /** Sampling: one address in this many, chosen by hash. */
  readonly oneIn: number;
  /** How many of the newest traces to read. */
  readonly traces: number;
  readonly limit: number;
}

/** Hexadecimal digits of a hash as a whole number: sorts much faster than text, and 64 bits still identify an address. */
const bits = (column: string, from: number, digits: number): SQL =>
  sql.raw(`('x' || substr(${column}, ${from}, ${digits}))::bit(${digits * 4})::bigint`);

/**
 * The newest live answers with a usable outcome that still have their detail, each with what became of its message.
 */
export async function listAnswered(
  db: Database,
  organisationId: Id<'org'>,
  evidence: readonly EvidenceRow[],
  limit: number,
): Promise<Answered[]> {
  const { rows } = (await db.execute(sql`
    with evidence as (
      select * from jsonb_to_recordset(${JSON.stringify(evidence)}::jsonb)
        as evidence(outcome text, "basicCode" text, "enhancedCode" text, bounced boolean)
    ), reported as (
      select distinct on (outcome.verification_id) outcome.verification_id as id, evidence.bounced
      from outcome join evidence on evidence.outcome = outcome.outcome
        and coalesce(evidence."basicCode", '') = coalesce(outcome.basic_code, '')
        and coalesce(evidence."enhancedCode", '') = coalesce(outcome.enhanced_code, '')
      where outcome.organisation_id = ${organisationId} and outcome.mode = 'live' and outcome.verification_id is not null
      order by outcome.verification_id desc, outcome.reported_at desc, outcome.id desc limit ${limit}
    )
    select reported.bounced, json_build_object('features', detail -> 'features', 'providers', detail -> 'providers',
      'reasons', detail -> 'reasons', 'context', detail -> 'context') as trace
    from reported join trace_detail on trace_detail.id = reported.id
      and trace_detail.organisation_id = ${organisationId} order by reported.id`)) as { rows: Answered[] };
  return rows;
}

/** A source of reports is believed while its last 90 days have at least so many, and so many deliveries a bounce. */
const TRUST_MS = 90 * DAY_MS;
const REPORTS_NEEDED = 20;
const DELIVERED_NEEDED = 2;

/**
 * The account's addresses, grouped by their answers, in a fixed order: each with its newest trace that has a usable
 * outcome, else with what a mail service or an import reported of it, else with its newest trace. One value holds them all.
 */
export async function listPatterns(
  db: Database,
  organisationId: Id<'org'>,
  { evidence, now, oneIn, traces, limit }: PatternQuery,
): Promise<StoredPattern[]> {
  // A source that reports bounces alone would show every address as bad.
  const bounced = sql`class in ('user_unknown', 'refused')`;
  const landed = sql`class in ('delivered', 'complaint')`;
  const own = sql`trace.organisation_id = ${organisationId} and trace.mode = 'live'`;
  // Uses digits of the hash that the folds don't use.
  const sampled = oneIn === 1 ? sql`` : sql`and ${bits('address_hash', 9, 8)} % ${oneIn} = 0`;
  const { rows } = (await db.execute(sql`
    with evidence as (
      select * from jsonb_to_recordset(${JSON.stringify(evidence)}::jsonb)
        as evidence(outcome text, "basicCode" text, "enhancedCode" text, bounced boolean)
    ), since as (
      select coalesce((select trace.id from trace where ${own} order by trace.id desc limit 1 offset ${traces}),
        '00000000-0000-0000-0000-000000000000') as id
    ), reported as (
      select distinct on (outcome.verification_id) outcome.verification_id as id, evidence.bounced
      from outcome join evidence on evidence.outcome = outcome.outcome
        and coalesce(evidence."basicCode", '') = coalesce(outcome.basic_code, '')
        and coalesce(evidence."enhancedCode", '') = coalesce(outcome.enhanced_code, '')
      where outcome.organisation_id = ${organisationId} and outcome.mode = 'live'
        and outcome.verification_id >= (select id from since)
      order by outcome.verification_id, outcome.reported_at desc, outcome.id desc
    ), mailed as (
      select source, address_hash, host_class, at, ${bounced} as bounced, ${landed} as landed,
        max(at) over (partition by source) as newest
      from mail_report where organisation_id = ${organisationId} and means <> 'suppressed' and class is not null
    ), trusted as (
      select source from mailed where at > newest - ${TRUST_MS}::bigint group by source
      having count(*) filter (where landed) >= ${DELIVERED_NEEDED} * count(*) filter (where bounced)
        and count(*) filter (where landed or bounced) >= ${REPORTS_NEEDED}
    ), known as (
      select address_hash, trace.host_class as host, coalesce(trace.answers, '') as answers, coalesce(trace.ln_odds, 0) as odds,
        trace.created_at as at, trace.id, reported.bounced
      from trace left join reported on reported.id = coalesce(trace.verification_id, trace.id)
      where ${own} and trace.host_class is not null and trace.address_hash is not null ${sampled}
        and trace.id >= (select id from since)
      union all
      (select address_hash, host_class, '', 0::real, at, null, bounced from mailed
      where source in (select source from trusted) and host_class not like 'unresolved%' and (landed or bounced) ${sampled}
      order by at desc limit ${traces})
    ), address as (
      select distinct on (name) ${bits('address_hash', 1, 16)} as name, ${bits('address_hash', 1, 8)} % ${FOLDS} as fold,
        host, answers, odds, at, bounced
      from known order by name, bounced is null, id is null, at desc, id desc
    ), faded as (
      select fold, host, answers, odds, bounced,
        round(power(0.5, greatest(0, ${Math.floor(now / DAY_MS)}::bigint - at / ${DAY_MS})::float8 / ${HALF_LIFE_DAYS})
          / ${WEIGHT_UNIT}::float8)::bigint as weight
      from address
    ), pattern as (
      select fold, host, answers, odds, sum(weight) as weight,
        count(*) filter (where bounced) as bounced, coalesce(sum(weight) filter (where bounced), 0) as bounced_weight,
        count(*) filter (where not bounced) as landed, coalesce(sum(weight) filter (where not bounced), 0) as landed_weight
      from faded group by fold, host, answers, odds order by fold, host, answers, odds limit ${limit}
    )
    select json_agg(json_build_array(fold, host, answers, odds, weight, bounced, bounced_weight, landed, landed_weight)
      order by fold, host, answers, odds) as patterns from pattern`)) as {
    rows: { patterns: StoredPattern[] | null }[];
  };
  return rows[0]?.patterns ?? [];
}

/** Version and state are part of the report. */
export type StoredCalibration = Omit<typeof calibration.$inferSelect, 'version' | 'state'>;

/** Enters what a run found; a version that was found before becomes the newest again. */
export async function upsertCalibration(db: Database, { report, ...found }: StoredCalibration): Promise<void> {
  const row = { ...found, version: report.version, state: report.state, report };
  await db
    .insert(calibration)
    .values(row)
    .onConflictDoUpdate({
      target: [calibration.organisationId, calibration.version],
      set: excluded(calibration, ['organisationId', 'version', 'state', 'document']),
      setWhere: sql`excluded.computed_at >= ${calibration.computedAt}`,
    });
}

const CALIBRATION = { report: calibration.report, computedAt: calibration.computedAt };

/** The calibration in force; null before the first run. */
export async function findCalibration(
  db: Database,
  organisationId: Id<'org'>,
): Promise<Pick<StoredCalibration, 'report' | 'computedAt'> | null> {
  const [row] = await db
    .select(CALIBRATION)
    .from(calibration)
    .where(eq(calibration.organisationId, organisationId))
    .orderBy(desc(calibration.computedAt), desc(calibration.version))
    .limit(1);
  return row ?? null;
}

/** A fitted model's document as it was stored; null when the version does not exist. */
export async function findModelDocument(db: Database, organisationId: Id<'org'>, version: string): Promise<unknown> {
  const [row] = await db
    .select({ document: calibration.document })
    .from(calibration)
    .where(and(eq(calibration.organisationId, organisationId), eq(calibration.version, version)));
  return row?.document ?? null;
}

export async function listCalibrationVersions(db: Database, organisationId: Id<'org'>): Promise<string[]> {
  const rows = await db
    .select({ version: calibration.version })
    .from(calibration)
    .where(eq(calibration.organisationId, organisationId));
  return rows.map(({ version }) => version);
}

/** Drops versions last found before `beforeMs`, except those in force, and all of deleted organisations. */
export async function deleteOldCalibrations(db: Database, beforeMs: number): Promise<number> {
  const newest = sql`(select other.version from calibration other
    where other.organisation_id = ${calibration.organisationId} order by other.computed_at desc, other.version desc limit 1)`;
  const gone = await db
    .delete(calibration)
    .where(
      or(
        and(lt(calibration.computedAt, beforeMs), ne(calibration.version, newest)),
        sql`not exists (select from organisation where organisation.id = ${calibration.organisationId})`,
      ),
    )
    .returning({ version: calibration.version });
  return gone.length;
}

export async function deleteCalibrations(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(calibration).where(eq(calibration.organisationId, organisationId));
}
