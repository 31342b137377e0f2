import type { Answer } from './answer.ts';
import type { Feature, KnownReport } from './history.ts';
import { ENGINE } from './provider-terms.ts';

/** What speaks about the address itself, apart from its neighbours at the domain and in the list. */
export interface Grounds {
  /** Whether anything does: an answer that says something, a report, or a local certainty. */
  readonly areOwn: boolean;
  /** How many engines refuse it. */
  readonly refusingEngines: number;
  /** The server has said that it knows no such user, and no message was delivered since. */
  readonly isUserUnknown: boolean;
}

export const NO_GROUNDS: Grounds = { areOwn: false, refusingEngines: 0, isUserUnknown: false };

/** The address's provider never gave out such a local part: as good as an answer. Other features only make a bounce likely. */
const CERTAIN: ReadonlySet<Feature> = new Set(['impossible']);

/** `answers`: at most one of each provider, stored ones included. `reports`: the account's own, in any order. */
export function groundsFrom(
  answers: readonly Answer[],
  reports: readonly Pick<KnownReport, 'class' | 'at'>[],
  features: readonly Feature[],
): Grounds {
  const refusing = answers.filter(({ verdict }) => verdict === 'undeliverable');
  const newest = (...classes: KnownReport['class'][]): number =>
    Math.max(Number.NEGATIVE_INFINITY, ...reports.flatMap((each) => (classes.includes(each.class) ? [each.at] : [])));
  return {
    areOwn:
      answers.some(({ verdict }) => verdict !== 'unknown') ||
      reports.length > 0 ||
      features.some((feature) => CERTAIN.has(feature)),
    refusingEngines: new Set(refusing.map(({ provider }) => ENGINE[provider])).size,
    isUserUnknown: newest('user_unknown') > newest('delivered', 'complaint'),
  };
}
