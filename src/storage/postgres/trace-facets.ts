import { type SQL, sql } from 'drizzle-orm';
import { index } from 'drizzle-orm/pg-core';
import type { TraceRecord } from '../../domain/traces/traces.ts';

/** What a list of traces may be narrowed to. */
export interface TraceFacets {
  readonly domain?: string | undefined;
  readonly reason?: NonNullable<TraceRecord['reason']> | undefined;
  readonly decision?: string | undefined;
  readonly emailType?: NonNullable<TraceRecord['emailType']> | undefined;
  readonly recommendation?: TraceRecord['recommendation'] | undefined;
  readonly verdict?: TraceRecord['verdict'] | undefined;
  readonly esp?: TraceRecord['esp'] | undefined;
  readonly kind?: TraceRecord['kind'] | undefined;
}
export type TraceFacet = keyof TraceFacets;

/**
 * The index of each facet: the organisation and the value in one expression, so that the planner has no other index for it. Those
 * of values that most traces have are left out, because a page of them is found in the order of the ids at once. The rarest first:
 * a statement uses one.
 */
export const FACETS: Readonly<Record<TraceFacet, { readonly value: string; readonly only: string | null }>> = {
  domain: { value: 'domain', only: null },
  reason: { value: 'reason', only: 'reason is not null' },
  decision: { value: "(policy_decision ->> 'decision')", only: 'policy_decision is not null' },
  emailType: { value: 'email_type', only: "email_type not in ('business', 'free')" },
  recommendation: { value: 'recommendation', only: "recommendation <> 'send'" },
  verdict: { value: 'verdict', only: "verdict not in ('valid', 'likely_valid')" },
  esp: { value: 'esp', only: "esp in ('self_hosted', 'unknown')" },
  kind: { value: 'kind', only: "kind = 'decide'" },
};

/** Values that a facet's index leaves out. */
const COMMON: Partial<Record<TraceFacet, readonly string[]>> = {
  emailType: ['business', 'free'],
  recommendation: ['send'],
  verdict: ['valid', 'likely_valid'],
  esp: ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp'],
  kind: ['verify', 'bulk'],
};

const indexed = (facet: TraceFacet): SQL => sql.raw(`(organisation_id || ' ' || ${FACETS[facet].value})`);

/** A facet's condition as its index has it; null where the index lacks the value. */
export function indexCondition(facet: TraceFacet, organisationId: string, value: string): SQL | null {
  if (COMMON[facet]?.includes(value) === true) return null;
  const { only } = FACETS[facet];
  const condition = sql`${indexed(facet)} = ${`${organisationId} ${value}`}`;
  return only === null ? condition : sql`${condition} and ${sql.raw(only)}`;
}

/** A facet's condition on a row that was found by another. */
export const facetCondition = (facet: TraceFacet, value: string): SQL =>
  sql`${sql.raw(FACETS[facet].value)} = ${value}`;

/** The indexes, for the schema. */
export const facetIndexes = (mode: SQL, id: SQL) =>
  (Object.keys(FACETS) as TraceFacet[]).map((facet) => {
    const { only } = FACETS[facet];
    const made = index(`trace_${facet.toLowerCase()}`).on(indexed(facet), mode, id);
    return only === null ? made : made.where(sql.raw(only));
  });
