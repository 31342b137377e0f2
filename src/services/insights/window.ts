import type { InsightsQuery } from '../../contract/insights.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { findWindow, type RollupWindow } from '../../storage/postgres/insights/read.ts';
import type { Context } from '../verb.ts';

/** Before an organisation's first night. */
const NO_WINDOW: RollupWindow = { computedAt: null, counted: false, join: { exact: 0, by_email: 0, unmatched: 0 } };

/** The nightly roll-up. Events of test keys are in no segment, and test keys may not read those of live keys. */
export const openWindow = async (
  { deps, organisationId, admitted }: Context,
  { metric, window_days }: InsightsQuery,
): Promise<RollupWindow> =>
  admitted.key.mode === 'test' ? NO_WINDOW : findWindow(deps.db, organisationId, metric, window_days);

export const computed = ({ computedAt }: RollupWindow): { computed_at: number | null } => ({
  computed_at: computedAt === null ? null : epochSeconds(computedAt),
});

/** False where the metric's events were never counted. Without any event its rates are known, and near 0. */
export const isKnown = ({ computedAt, counted, join }: RollupWindow): boolean =>
  computedAt !== null && (counted || join.exact + join.by_email + join.unmatched === 0);
