import * as z from 'zod';
import { EpochSeconds, Probability } from './common.ts';
import { EventName } from './feedback.ts';
import { Decision, Experiment, PolicyRule } from './policy.ts';

export const InsightsQuery = z.object({
  metric: EventName.default('subscribed'),
  window_days: z.coerce.number().int().min(1).max(365).default(90),
});
export type InsightsQuery = z.output<typeof InsightsQuery>;

const Count = z.number().int().min(0);
const Interval = z.tuple([Probability, Probability]).describe('90 %, equal tails.');
const SegmentKey = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe('Dimension to value; one or two.');
const WINDOW = { window_days: z.number().int(), metric: z.string() } as const;
const ComputedAt = EpochSeconds.nullable().describe('When the nightly run began; null before the first.');

export const Segments = z.object({
  ...WINDOW,
  join: z.object({
    exact: Count.describe('Events received in the window that name a trace of the account.'),
    by_email: Count.describe(
      'Events of a payment processor, by its own time, tied by address: one verified by the end of the day they came.',
    ),
    unmatched: Count.describe('Events of either kind that belong to no trace.'),
  }),
  segments: z.array(
    z.object({
      key: SegmentKey,
      exposures: Count,
      events: Count.describe('Exposures with at least one event after them.'),
      rate: Probability.describe('Posterior mean.'),
      ci: Interval,
    }),
  ),
  too_few: z.array(z.object({ key: SegmentKey, exposures: Count })).describe('Fewer than 30 exposures: no rate.'),
  computed_at: ComputedAt,
});
export type Segments = z.infer<typeof Segments>;

const Recommendation = z.object({
  id: z.string(),
  proposed_action: z.literal('review'),
  proposed_action_alternatives: z.array(Decision).describe('Stricter ones.'),
  rule: PolicyRule.describe('Ready to stand in a policy.'),
  evidence: z.object({
    segment: SegmentKey,
    rate: Probability,
    baseline: Probability,
    probability: Probability.describe('That the rate is below the baseline, corrected for the segments looked at.'),
    exposures: Count,
    events: Count,
  }),
  cost_note: z.string(),
  try_as_experiment: Experiment.pick({ weight: true, min_sample: true }),
  says: z.string(),
});
export type Recommendation = z.infer<typeof Recommendation>;

export const Recommendations = z.object({
  metric: WINDOW.metric,
  window_days: WINDOW.window_days,
  computed_at: ComputedAt,
  recommendations: z.array(Recommendation).max(10),
});
export type Recommendations = z.infer<typeof Recommendations>;

const Arm = z.object({
  arm: z.enum(['treatment', 'control']),
  exposures: Count,
  events: Count,
  rate: Probability.nullable().describe('Null until each arm has `min_sample` exposures.'),
  ci: Interval.nullable(),
});

export const Experiments = z.object({
  experiments: z.array(
    z.object({
      id: z.string(),
      rule_id: z.string(),
      weight: z.number().int(),
      min_sample: z.number().int(),
      ready: z.boolean(),
      arms: z.array(Arm),
      probability_better: Probability.nullable().describe('That treatment does better by the metric.'),
      guardrails: z.array(z.object({ event: z.string(), arms: z.array(Arm) })),
    }),
  ),
  computed_at: ComputedAt,
});
export type Experiments = z.infer<typeof Experiments>;
