import type { Recommendation } from '../../contract/insights.ts';
import type { Comparison, PolicyRule } from '../../contract/policy.ts';
import { idFromBytes } from '../../kernel/ids.ts';
import { sha256Bytes } from '../../kernel/keyed-hash.ts';
import { parsePolicy, type TextFault } from '../policy/index.ts';
import { type Finding, pathOf } from './recommend.ts';
import { keyEntries, type SegmentKey } from './segments.ts';

/** A rule of the contract's own defaults, tried on a fifth of the addresses first. */
const TRY_AS = { weight: 20, min_sample: 400 } as const;

const comparisons = (key: SegmentKey): Comparison[] =>
  keyEntries(key).map(([dimension, value]) => ({ path: pathOf(dimension) ?? dimension, op: 'eq', value }));

/** The same for the same metric and segment, always. */
const idOf = (metric: string, key: SegmentKey): string =>
  idFromBytes('rec', sha256Bytes(JSON.stringify([metric, comparisons(key)])).slice(0, 16));

/** How a segment is said in a sentence: `esp is self_hosted and icp.fit is none`. */
const spoken = (key: SegmentKey): string =>
  keyEntries(key)
    .map(([dimension, value]) => `${dimension} is ${String(value)}`)
    .join(' and ');

/** A policy's rule that sends a segment to review. */
export function ruleFor(metric: string, key: SegmentKey): PolicyRule {
  const all = comparisons(key);
  const [only] = all;
  return {
    id: `review_${idOf(metric, key).slice('rec_'.length)}`,
    description: 'Signups like this one are looked at first.',
    when: only !== undefined && all.length === 1 ? only : { all },
    decision: 'review',
  };
}

/** Whether a policy takes the rule: a value the account sent as an attribute may be none that a rule can name. */
export const isSayable = (metric: string, key: SegmentKey, textFault: TextFault): boolean =>
  parsePolicy({ name: 'x', rules: [ruleFor(metric, key)], default: 'allow' }, textFault).ok;

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;

export function recommendationOf(metric: string, windowDays: number, finding: Finding): Recommendation {
  const { key, rate, baseline, probability, exposures, events } = finding;
  const perDay = Math.max(1, Math.round(exposures / windowDays));
  return {
    id: idOf(metric, key),
    proposed_action: 'review',
    proposed_action_alternatives: ['challenge', 'deny'],
    rule: ruleFor(metric, key),
    evidence: { segment: key, rate, baseline, probability, exposures, events },
    cost_note: `About ${perDay} ${perDay === 1 ? 'review' : 'reviews'} a day; of ${exposures} such exposures ${events} had ${metric}, and would have waited for one.`,
    try_as_experiment: TRY_AS,
    says: `Where ${spoken(key)}, ${percent(rate)} of ${exposures} exposures had ${metric} in the last ${windowDays} days, against ${percent(baseline)} of all.`,
  };
}
