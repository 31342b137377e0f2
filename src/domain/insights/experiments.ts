import type { Experiments } from '../../contract/insights.ts';
import type { PolicyRule } from '../../contract/policy.ts';
import { decimals } from '../../kernel/probability.ts';
import { type Count, JEFFREYS, probabilityAbove, rateOf, shownRate } from './rate.ts';

/** The contract's event names; any `custom:` name is a metric too. */
export const METRICS = [
  { name: 'signup_completed', fewerIsBetter: false },
  { name: 'activated', fewerIsBetter: false },
  { name: 'subscribed', fewerIsBetter: false },
  { name: 'upgraded', fewerIsBetter: false },
  { name: 'churned', fewerIsBetter: true },
  { name: 'refunded', fewerIsBetter: true },
  { name: 'support_ticket', fewerIsBetter: true },
  { name: 'fraud_flag', fewerIsBetter: true },
] as const;

/** Whether fewer events are better. For a custom metric more is assumed to be better. */
export const isFewerBetter = (metric: string): boolean =>
  METRICS.some(({ name, fewerIsBetter }) => name === metric && fewerIsBetter);

export interface ArmCount {
  /** `slug id arm` */
  readonly experiment: string;
  readonly exposures: number;
  /** By metric; absent if it never happened. */
  readonly events: Readonly<Record<string, number>>;
}

type Experiment = Experiments['experiments'][number];

const ARMS = ['treatment', 'control'] as const;

/** A policy's experiments, with the counts of each arm. */
export function experimentsOf(
  slug: string,
  rules: readonly PolicyRule[],
  counts: readonly ArmCount[],
  metric: string,
): Experiment[] {
  const known = new Map(counts.map((count) => [count.experiment, count]));
  return rules.flatMap(({ id: ruleId, experiment }) => {
    if (experiment === undefined) return [];
    const { id, weight, min_sample, guardrails = [] } = experiment;
    const of = (arm: (typeof ARMS)[number], event: string): Count => {
      const count = known.get(`${slug} ${id} ${arm}`);
      return { exposures: count?.exposures ?? 0, events: count?.events[event] ?? 0 };
    };
    const ready = ARMS.every((arm) => of(arm, metric).exposures >= min_sample);
    const armsBy = (event: string): Experiment['arms'] =>
      ARMS.map((arm) => {
        const count = of(arm, event);
        const rated = ready ? shownRate(rateOf(count, JEFFREYS)) : { rate: null, ci: null };
        return { arm, ...count, ...rated };
      });
    const above = (): number => probabilityAbove(of('treatment', metric), of('control', metric), JEFFREYS);
    return [
      {
        id,
        rule_id: ruleId,
        weight,
        min_sample,
        ready,
        arms: armsBy(metric),
        probability_better: ready ? decimals(isFewerBetter(metric) ? 1 - above() : above()) : null,
        guardrails: guardrails.map((event) => ({
          event,
          arms: armsBy(event),
        })),
      },
    ];
  });
}
