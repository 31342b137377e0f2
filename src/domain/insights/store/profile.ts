import { type SQL, sql } from 'drizzle-orm';
import { EXPERIMENT, FIXED_DIMENSIONS } from '../dimensions.ts';

/** The id of a value in a dimension. Never 0 in all likelihood, which stands for none. */
export const valueId = (dimension: string, value: string): SQL =>
  sql.raw(`hashtextextended(${dimension} || ' ' || (${value})::text, 0)`);

const rows = FIXED_DIMENSIONS.map(({ name, column }) => `('${name}', to_jsonb(${column}))`).join(', ');

/** What a trace `t` is in every fixed dimension; `b`: the job that wrote it. Goes into a `select … from`. */
export const PROFILE_COLUMNS = sql`v.ids as values, v.dimensions, v.members, e.experiment,
  coalesce(t.policy_decision ->> 'decision' <> 'deny', true)
    and not (t.kind = 'bulk' and coalesce(b.record #>> '{job,purpose}', 'list_hygiene') = 'list_hygiene') as advisable`;
export const PROFILE_JOINS = sql`
  cross join lateral (
    select coalesce(array_agg(${valueId('dimension', 'value')} order by dimension), '{}') as ids,
      array_agg(dimension order by dimension) as dimensions, array_agg(value order by dimension) as members
    from (values ${sql.raw(rows)}) as d(dimension, value) where value <> 'null'
  ) as v
  cross join lateral (select to_jsonb(${sql.raw(EXPERIMENT.column)}) as experiment) as e`;

const EXPERIMENT_DIMENSION = `'${EXPERIMENT.name}'`;

/** The id of the experiment and arm, of rows with the profile's columns. */
export const EXPERIMENT_ID = valueId(EXPERIMENT_DIMENSION, 'experiment');

/** Enters the values of a table's rows with the profile's columns into the dictionary. */
export const enterValues = (organisationId: string, table: string): SQL => sql`
  insert into segment_value (organisation_id, id, dimension, value)
  select ${organisationId}, id, dimension, value from (
    select distinct u.id, u.dimension, u.value
    from ${sql.raw(table)} p cross join lateral unnest(p.values, p.dimensions, p.members) as u(id, dimension, value)
    union select distinct ${EXPERIMENT_ID}, ${sql.raw(EXPERIMENT_DIMENSION)}, experiment
    from ${sql.raw(table)} where experiment is not null) as met
  where not exists (select from segment_value k where k.organisation_id = ${organisationId} and k.id = met.id)
  on conflict do nothing`;
