import type { InsightsQuery } from '../contract/insights.ts';
import { ROUTES } from '../contract/routes.ts';
import { storedTextFault } from '../contract/stored-text.ts';
import { experimentsOf, isFewerBetter } from '../domain/insights/experiments.ts';
import { findWeakSegments, isValidRule, recommendationOf } from '../domain/insights/recommend.ts';
import { rateSegments } from '../domain/insights/segments.ts';
import type { ParsedPolicy } from '../domain/policy/document.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import { askObject } from '../organisation/api.ts';
import {
  findWindow,
  listArms,
  listCells,
  listWeeklyCells,
  type RollupWindow,
} from '../storage/postgres/insights/read.ts';
import { type Context, verb } from './verb.ts';

export const readSegments = verb({
  route: ROUTES.segments,
  run: async (context, { query }) => {
    const { metric, window_days } = query;
    const window = await openWindow(context, query);
    const cells = isKnown(window) ? await listCells(context.deps.db, context.organisationId, metric, window_days) : [];
    return { window_days, metric, join: window.join, ...rateSegments(cells), ...computed(window) };
  },
});

export const readRecommendations = verb({
  route: ROUTES.recommendations,
  run: async (context, { query }) => {
    const { metric, window_days } = query;
    const window = await openWindow(context, query);
    const cells =
      isFewerBetter(metric) || !isKnown(window)
        ? []
        : await listWeeklyCells(context.deps.db, context.organisationId, metric, window_days);
    const weak = findWeakSegments(cells, (key) => isValidRule(metric, key, storedTextFault));
    const recommendations = weak.map((segment) => recommendationOf(metric, window_days, segment));
    return { metric, window_days, ...computed(window), recommendations };
  },
});

/** Compares the arms of the experiments in the policy's newest version. */
export const readExperiments = verb({
  route: ROUTES.experiments,
  run: async (context, { params: { slug }, query }) => {
    const { deps, organisationId } = context;
    const window = await openWindow(context, query);
    const found = await askObject(deps.objects, organisationId).readPolicy({ slug, version: null });
    if (found === null) throw new DomainError('not_found', 'This policy does not exist.');
    const { rules } = JSON.parse(found.document) as ParsedPolicy;
    const counts = window.computedAt === null ? [] : await listArms(deps.db, organisationId, slug, query.window_days);
    return { experiments: experimentsOf(slug, rules, counts, query.metric), ...computed(window) };
  },
});

/** Before an organisation's first night. */
const NO_WINDOW: RollupWindow = { computedAt: null, counted: false, join: { exact: 0, by_email: 0, unmatched: 0 } };

/** The nightly roll-up. Events of test keys are in no segment, and test keys may not read those of live keys. */
const openWindow = async (
  { deps, organisationId, authorized }: Context,
  { metric, window_days }: InsightsQuery,
): Promise<RollupWindow> =>
  authorized.key.mode === 'test' ? NO_WINDOW : findWindow(deps.db, organisationId, metric, window_days);

const computed = ({ computedAt }: RollupWindow): { computed_at: number | null } => ({
  computed_at: computedAt === null ? null : epochSeconds(computedAt),
});

/** False where the metric's events were never counted. Without any event its rates are known, and near 0. */
const isKnown = ({ computedAt, counted, join }: RollupWindow): boolean =>
  computedAt !== null && (counted || join.exact + join.by_email + join.unmatched === 0);
