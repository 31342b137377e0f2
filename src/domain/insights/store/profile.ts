import { sql } from 'drizzle-orm';
import { EXPERIMENT, FIXED_DIMENSIONS } from '../dimensions.ts';

/** What tells two profiles apart, as a number. */
export const HASHED = sql`hashtextextended(advisable::text || dimensions::text, 0)`;

const fixedDimensions = sql.join(
  [...FIXED_DIMENSIONS, EXPERIMENT].map(({ name, column }) => sql.raw(`'${name}', ${column}`)),
  sql`, `,
);

/** What a trace `t` is in every fixed dimension; `b`: the job that wrote it. */
export const PROFILED = sql`
  jsonb_strip_nulls(jsonb_build_object(${fixedDimensions})) as dimensions,
  coalesce(t.policy_decision ->> 'decision' <> 'deny', true)
    and not (t.kind = 'bulk' and coalesce(b.record #>> '{job,purpose}', 'list_hygiene') = 'list_hygiene') as advisable`;
