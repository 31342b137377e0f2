import { type SQL, sql } from 'drizzle-orm';
import type { Id } from '../../../kernel/ids.ts';
import { EXPERIMENT, FIXED_DIMENSIONS } from '../dimensions.ts';
import { eachOf } from './run.ts';

/** The id of a value (JSON, as an expression of text) in a dimension: null of none, or of JSON null. */
export const valueId = (dimension: string, text: string): SQL =>
  sql.raw(`hashtextextended(${dimension} || ' ' || nullif(${text}, 'null'), 0)`);

const VALUES = FIXED_DIMENSIONS.map(({ name, column }) => ({ name: `'${name}'`, value: `to_jsonb(${column})` }));
const MET = { name: `'${EXPERIMENT.name}'`, value: `to_jsonb(${EXPERIMENT.column})` };

/** What a trace `t` is in every fixed dimension; `b`: the job that wrote it. */
export const PROFILE = sql`
  array_remove(array[${sql.join(
    VALUES.map(({ name, value }) => valueId(name, `(${value})::text`)),
    sql`, `,
  )}], null) as values,
  ${valueId(MET.name, `(${MET.value})::text`)} as experiment,
  coalesce(t.policy_decision ->> 'decision' <> 'deny', true)
    and not (t.kind = 'bulk' and coalesce(b.record #>> '{job,purpose}', 'list_hygiene') = 'list_hygiene') as advisable`;

const ROWS = sql.raw([...VALUES, MET].map(({ name, value }) => `(${name}, ${value})`).join(', '));

/**
 * Enters the values of these traces, rows of `with` that have their profile, into the dictionary. Most nights it has them
 * all: only where an id is new are they made again.
 */
export const enterValues = (organisationId: Id<'org'>, traces: string): SQL => sql`
  insert into segment_value (organisation_id, id, dimension, value)
  select distinct ${organisationId}, ${valueId('d.dimension', 'd.value::text')}, d.dimension, d.value
  from ${sql.raw(traces)} as t
  cross join lateral (values ${ROWS}) as d(dimension, value)
  where d.value <> 'null' and t.values || t.experiment && array(
    select i.id from (
      select distinct unnest(ids) as id from (select distinct values || experiment as ids from ${sql.raw(traces)}) as alike) as i
    left join lateral ${eachOf('segment_value', organisationId, sql`id = i.id`)} as v on true
    where v.id is null and i.id is not null)
  on conflict do nothing`;
