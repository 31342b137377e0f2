import { type SQL, sql } from 'drizzle-orm';
import { EXPERIMENT, FIXED_DIMENSIONS } from '../../../domain/insights/segments.ts';
import type { Id } from '../../../kernel/ids.ts';
import { eachOf } from './run.ts';

/** The id of a value (an expression of JSON text) in a dimension; null without a value and for JSON null. */
export const valueId = (dimension: string, text: string): SQL =>
  sql.raw(`hashtextextended(${dimension} || ' ' || nullif(${text}, 'null'), 0)`);

const VALUES = FIXED_DIMENSIONS.map(({ name, column }) => ({ name: `'${name}'`, column }));
const MET = { name: `'${EXPERIMENT.name}'`, column: EXPERIMENT.column };

/** The values of a trace `t` in the fixed dimensions; `b`: the job that wrote it. */
export const PROFILE = sql`
  array_remove(array[${sql.join(
    VALUES.map(({ name, column }) => valueId(name, `to_json(${column})::text`)),
    sql`, `,
  )}], null) as values,
  ${valueId(MET.name, `to_json(${MET.column})::text`)} as experiment,
  coalesce(t.policy_decision ->> 'decision' <> 'deny', true)
    and not (t.kind = 'bulk' and coalesce(b.record #>> '{job,purpose}', 'list_hygiene') = 'list_hygiene') as advisable,
  case jsonb_typeof(t.policy_decision -> 'attributes') when 'object' then t.policy_decision -> 'attributes' end as attributes`;

const ROWS = sql.raw([...VALUES, MET].map(({ name, column }) => `(${name}, to_jsonb(${column}))`).join(', '));

/**
 * Enters the values of these exposures (a CTE) into the dictionary. Most nights it has them all, so traces are looked up
 * only for ids in `missing`.
 */
export const enterValues = (organisationId: Id<'org'>, exposures: string, missing: SQL): SQL => sql`
  insert into segment_value (organisation_id, id, dimension, value)
  select distinct ${organisationId}, ${valueId('d.dimension', 'd.value::text')}, d.dimension, d.value
  from ${sql.raw(exposures)} as x
  cross join lateral ${eachOf('trace', organisationId, sql`mode = 'live' and id = x.trace_id`)} as t
  cross join lateral (values ${ROWS}) as d(dimension, value)
  where d.value <> 'null' and x.values || x.experiment && ${missing}
  on conflict do nothing`;
