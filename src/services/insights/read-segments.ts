import { ROUTES } from '../../contract/routes.ts';
import { rateSegments } from '../../domain/insights/segments.ts';
import { listCells } from '../../storage/postgres/insights/read.ts';
import { verb } from '../verb.ts';
import { computed, isKnown, openWindow } from './window.ts';

export const readSegments = verb({
  route: ROUTES.segments,
  run: async (context, { query }) => {
    const { metric, window_days } = query;
    const window = await openWindow(context, query);
    const cells = isKnown(window) ? await listCells(context.deps.db, context.organisationId, metric, window_days) : [];
    return { window_days, metric, join: window.join, ...rateSegments(cells), ...computed(window) };
  },
});
