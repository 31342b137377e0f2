import type { Experiments, InsightsQuery, Recommendations, Segments } from '../../contract/insights.ts';
import { storedTextFault } from '../../contract/stored-text.ts';
import { experimentsOf } from '../../domain/insights/experiments.ts';
import { isFewerBetter } from '../../domain/insights/metrics.ts';
import { findWeakSegments } from '../../domain/insights/recommend.ts';
import { isSayable, recommendationOf } from '../../domain/insights/recommendation.ts';
import { rateSegments } from '../../domain/insights/segments.ts';
import type { ParsedPolicy } from '../../domain/policy/document.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject, PORT_VERSION } from '../../organisation/api.ts';
import {
  findWindow,
  listArms,
  listCells,
  listWeeklyCells,
  type RollupWindow,
} from '../../storage/postgres/insights/read.ts';
import { admitReached } from '../access/account.ts';
import type { OpenOperation } from '../frame.ts';
import type { HistoryDeps } from '../traces/history.ts';

/** Of an organisation before its first night. */
const NO_WINDOW: RollupWindow = { computedAt: null, counted: false, join: { exact: 0, by_email: 0, unmatched: 0 } };

/** What the nightly roll-up has brought; nothing is counted when it is asked for. */
export function insightServices({ db, objects }: HistoryDeps) {
  const computed = ({ computedAt }: RollupWindow): { computed_at: number | null } => ({
    computed_at: computedAt === null ? null : epochSeconds(computedAt),
  });

  /** A metric whose events nobody counted has no rates; one without any event has some, all near 0. */
  const isKnown = ({ computedAt, counted, join }: RollupWindow): boolean =>
    computedAt !== null && (counted || join.exact + join.by_email + join.unmatched === 0);

  /** What a test key does is in no segment, and what live keys did is not for it to read. */
  async function openWindow(op: OpenOperation, { metric, window_days }: InsightsQuery): Promise<RollupWindow> {
    const { key } = await admitReached(op);
    return key.mode === 'test' ? NO_WINDOW : findWindow(db, op.organisationId, metric, window_days);
  }

  return {
    async segments(op: OpenOperation, query: InsightsQuery): Promise<Segments> {
      const { metric, window_days } = query;
      const window = await openWindow(op, query);
      const cells = isKnown(window) ? await listCells(db, op.organisationId, metric, window_days) : [];
      return { window_days, metric, join: window.join, ...rateSegments(cells), ...computed(window) };
    },

    async recommendations(op: OpenOperation, query: InsightsQuery): Promise<Recommendations> {
      const { metric, window_days } = query;
      const window = await openWindow(op, query);
      const cells =
        isFewerBetter(metric) || !isKnown(window)
          ? []
          : await listWeeklyCells(db, op.organisationId, metric, window_days);
      const weak = findWeakSegments(cells, (key) => isSayable(metric, key, storedTextFault));
      const recommendations = weak.map((finding) => recommendationOf(metric, window_days, finding));
      return { metric, window_days, ...computed(window), recommendations };
    },

    /** Of the experiments in the policy's newest version. */
    async experiments(op: OpenOperation, slug: string, query: InsightsQuery): Promise<Experiments> {
      const { metric, window_days } = query;
      const window = await openWindow(op, query);
      const wanted = { v: PORT_VERSION, slug, version: null } as const;
      const found = await askObject(objects, op.organisationId, 'readPolicy', (stub) => stub.readPolicy(wanted));
      if (found === null) throw new DomainError('not_found', 'There is no such policy.');
      const { rules } = JSON.parse(found.document) as ParsedPolicy;
      const counts = window.computedAt === null ? [] : await listArms(db, op.organisationId, slug, window_days);
      return { experiments: experimentsOf(slug, rules, counts, metric), ...computed(window) };
    },
  };
}
