import * as z from 'zod';
import { EpochSeconds, Probability, wholeNumber } from './common.ts';
import { EventName } from './feedback.ts';
import { Decision, Experiment, PolicyRule } from './policy.ts';

export const InsightsQuery = z.object({
  metric: EventName.default('subscribed').describe('The event that is counted.'),
  window_days: wholeNumber(1, 365).default(90).describe('How many days back are counted.'),
});
export type InsightsQuery = z.output<typeof InsightsQuery>;

const Count = z.number().int().min(0);
const Interval = z.tuple([Probability, Probability]).describe('90 % credible interval, equal tails.');
const SegmentKey = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .describe('Dimension to value; one or two.');
const WINDOW = {
  window_days: z.number().int().describe('As in the request.'),
  metric: z.string().describe('As in the request.'),
} as const;
const Exposures = Count.describe('Addresses verified or decided on, each once.');
const Rate = Probability.describe('Posterior mean of how often the event follows.');
const ComputedAt = EpochSeconds.nullable().describe('When the nightly run began; null before the first.');

export const Segments = z.object({
  ...WINDOW,
  join: z
    .object({
      exact: Count.describe('Events received in the window that name a trace of the account.'),
      by_email: Count.describe(
        'Events of a payment processor, by its own time, tied by address: one verified by the end of the day they came.',
      ),
      unmatched: Count.describe('Events of either kind that belong to no trace.'),
    })
    .describe('How the window’s events were matched to traces.'),
  segments: z
    .array(
      z.object({
        key: SegmentKey,
        exposures: Exposures,
        events: Count.describe('Exposures with at least one event after them.'),
        rate: Rate,
        ci: Interval,
      }),
    )
    .describe('Segments with enough exposures for a rate.'),
  too_few: z.array(z.object({ key: SegmentKey, exposures: Exposures })).describe('Fewer than 30 exposures: no rate.'),
  computed_at: ComputedAt,
});
export type Segments = z.infer<typeof Segments>;

const Recommendation = z.object({
  id: z.string().describe('The same for the same segment and metric.'),
  proposed_action: z.literal('review').describe('What to do with such signups.'),
  proposed_action_alternatives: z.array(Decision).describe('Stricter ones.'),
  rule: PolicyRule.describe('Ready for a policy.'),
  evidence: z
    .object({
      segment: SegmentKey,
      rate: Rate,
      baseline: Probability.describe('The same rate of the whole account.'),
      probability: Probability.describe(
        'The probability that the rate is below the baseline, corrected for the number of segments.',
      ),
      exposures: Exposures,
      events: Count.describe('Exposures with at least one event after them.'),
    })
    .describe('The evidence for it.'),
  cost_note: z.string().describe('How many reviews it would have made, in words.'),
  try_as_experiment: Experiment.pick({ weight: true, min_sample: true }).describe(
    'A way to try the rule on a part first.',
  ),
  says: z.string().describe('The finding in a sentence, for people.'),
});
export type Recommendation = z.infer<typeof Recommendation>;

export const Recommendations = z.object({
  metric: WINDOW.metric,
  window_days: WINDOW.window_days,
  computed_at: ComputedAt,
  recommendations: z.array(Recommendation).max(10).describe('First the one that explains the most missing events.'),
});
export type Recommendations = z.infer<typeof Recommendations>;

const Arm = z.object({
  arm: z.enum(['treatment', 'control']).describe('`treatment`: the rule applied; `control`: the rules behind it did.'),
  exposures: Exposures,
  events: Count.describe('Exposures with at least one event after them.'),
  rate: Probability.nullable().describe('How often the event follows; null until each arm has `min_sample` exposures.'),
  ci: Interval.nullable(),
});

export const Experiments = z.object({
  experiments: z
    .array(
      z.object({
        id: z.string().describe('As the policy names it.'),
        rule_id: z.string().describe('The rule that it applies.'),
        weight: z.number().int().describe('Per cent of the matching addresses that get the rule’s decision.'),
        min_sample: z.number().int().describe('Exposures each arm needs before its rates are shown.'),
        ready: z.boolean().describe('Both arms have as many.'),
        arms: z.array(Arm).describe('Both arms by the metric.'),
        probability_better: Probability.nullable().describe(
          'The probability that treatment does better by the metric.',
        ),
        guardrails: z
          .array(
            z.object({
              event: z.string().describe('The event that must not get worse.'),
              arms: z.array(Arm).describe('Both arms by this event.'),
            }),
          )
          .describe('Both arms by each event that the experiment guards.'),
      }),
    )
    .describe('The policy’s experiments.'),
  computed_at: ComputedAt,
});
export type Experiments = z.infer<typeof Experiments>;
