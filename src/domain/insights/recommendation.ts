import type { Recommendation } from '../../contract/insights.ts';
import type { Comparison, PolicyRule } from '../../contract/policy.ts';
import { sha256Bytes } from '../../kernel/crypto.ts';
import { idFromBytes } from '../../kernel/ids.ts';
import { decimals } from '../../kernel/probability.ts';
import { parsePolicy, type TextFault } from '../policy/document.ts';
import { pathOf, type WeakSegment } from './recommend.ts';
import { keyEntries, type SegmentKey } from './segments.ts';

/** A rule of the contract's own defaults, tried on a fifth of the addresses first. */
const TRY_AS = { weight: 20, min_sample: 400 } as const;

const comparisons = (key: SegmentKey): Comparison[] =>
  keyEntries(key).map(([dimension, value]) => ({ path: pathOf(dimension) ?? dimension, op: 'eq', value }));

/** Stable for a metric and segment, also when another spelling of a value becomes the most frequent. */
const idOf = (metric: string, key: SegmentKey): string =>
  idFromBytes('rec', sha256Bytes(JSON.stringify([metric, comparisons(key)]).toLowerCase()).slice(0, 16));

/** The most characters of a value that a sentence shows. */
const SHOWN_MAX = 60;

/**
 * A value as a sentence shows it. An attribute may be text of the person who signed up: a value longer than a word is cut
 * and quoted on one line, without characters that could end the quotes, be markup or reverse the direction. The rule has
 * it whole.
 */
function shownValue(value: SegmentKey[string]): string {
  if (typeof value !== 'string' || (/^[\w.+-]+$/.test(value) && value.length <= SHOWN_MAX)) return String(value);
  const plain = value.replace(/[^\p{L}\p{M}\p{N} .,:;_+/()-]+/gu, '·');
  const letters = Array.from(plain);
  return `“${letters.length > SHOWN_MAX ? `${letters.slice(0, SHOWN_MAX).join('')}…` : plain}”`;
}

/** A segment in words: `esp is self_hosted and icp.fit is none`. */
const segmentText = (key: SegmentKey): string =>
  keyEntries(key)
    .map(([dimension, value]) => `${dimension} is ${shownValue(value)}`)
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

/** Whether a policy accepts the rule: a rule can't name every value that an account sends as an attribute. */
export const isValidRule = (metric: string, key: SegmentKey, textFault: TextFault): boolean =>
  parsePolicy({ name: 'x', rules: [ruleFor(metric, key)], default: 'allow' }, textFault).ok;

/** A share in per cent with two significant digits. */
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;

export function recommendationOf(metric: string, windowDays: number, finding: WeakSegment): Recommendation {
  const { key, rate, baseline, probability, exposures, events } = finding;
  return {
    id: idOf(metric, key),
    proposed_action: 'review',
    proposed_action_alternatives: ['challenge', 'deny'],
    rule: ruleFor(metric, key),
    evidence: {
      segment: key,
      exposures,
      events,
      rate: decimals(rate),
      baseline: decimals(baseline),
      probability: decimals(probability),
    },
    cost_note: `${exposures} reviews in the last ${windowDays} days, ${events} of them of signups that had ${metric}.`,
    try_as_experiment: TRY_AS,
    says: `Where ${segmentText(key)}, ${events} of ${exposures} exposures of the last ${windowDays} days had ${metric}: a rate of about ${percent(rate)}, against ${percent(baseline)} of all.`,
  };
}
