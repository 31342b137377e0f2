import { ROUTES } from '../../contract/routes.ts';
import { storedTextFault } from '../../contract/stored-text.ts';
import { isFewerBetter } from '../../domain/insights/metrics.ts';
import { findWeakSegments } from '../../domain/insights/recommend.ts';
import { isValidRule, recommendationOf } from '../../domain/insights/recommendation.ts';
import { listWeeklyCells } from '../../storage/postgres/insights/read.ts';
import { verb } from '../verb.ts';
import { computed, isKnown, openWindow } from './window.ts';

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
