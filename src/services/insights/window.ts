import type { InsightsQuery } from '../../contract/insights.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { findWindow, type RollupWindow } from '../../storage/postgres/insights/read.ts';
import type { Context } from '../verb.ts';

/** Of an organisation before its first night. */
const NO_WINDOW: RollupWindow = { computedAt: null, counted: false, join: { exact: 0, by_email: 0, unmatched: 0 } };

/** What the nightly roll-up has brought. What a test key does is in no segment, and what live keys did is not for it to read. */
export const openWindow = async (
  { deps, organisationId, admitted }: Context,
  { metric, window_days }: InsightsQuery,
): Promise<RollupWindow> =>
  admitted.key.mode === 'test' ? NO_WINDOW : findWindow(deps.db, organisationId, metric, window_days);

export const computed = ({ computedAt }: RollupWindow): { computed_at: number | null } => ({
  computed_at: computedAt === null ? null : epochSeconds(computedAt),
});

/** A metric whose events were never counted has no rates; one without any event has some, all near 0. */
export const isKnown = ({ computedAt, counted, join }: RollupWindow): boolean =>
  computedAt !== null && (counted || join.exact + join.by_email + join.unmatched === 0);
