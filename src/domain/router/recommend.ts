import type { Purpose, Recommendation } from '../../contract/vocabulary.ts';
import type { Answer, DatedReport, Feature } from '../belief/facts.ts';
import type { Belief } from '../belief/posterior.ts';
import { ENGINE } from '../belief/provider.ts';
import type { Losses, Stakes } from './losses.ts';

/** What speaks about the address itself, apart from what surrounds it. */
export interface Grounds {
  /** How many engines refuse it. */
  readonly refusingEngines: number;
  /** A report says that the server knows no such user, and no message was delivered since. */
  readonly isUserUnknown: boolean;
  /** The address shows by itself that mail to it bounces. */
  readonly isCertain: boolean;
  /** A provider warns of it (trap, complainer, disposable domain …), or it looks typed only to pass a form. */
  readonly isWarned: boolean;
}
export const NO_GROUNDS: Grounds = { refusingEngines: 0, isUserUnknown: false, isCertain: false, isWarned: false };

/** What an address is judged by beside its probability. */
export interface GroundFacts {
  /** At most one of each provider, stored ones included. */
  readonly answers: readonly Answer[];
  readonly reports: readonly DatedReport[];
  readonly features: readonly Feature[];
  /** The address is a row of a file. */
  readonly isFile: boolean;
  /** What a provider says beside deliverability; null: nothing. */
  readonly warning: string | null;
}

export function groundsFrom({ answers, reports, features, isFile, warning }: GroundFacts): Grounds {
  const refusing = answers.filter(({ verdict }) => verdict === 'undeliverable');
  const newest = (...classes: DatedReport['class'][]): number =>
    Math.max(Number.NEGATIVE_INFINITY, ...reports.flatMap((each) => (classes.includes(each.class) ? [each.at] : [])));
  const has = (feature: Feature): boolean => features.includes(feature);
  return {
    refusingEngines: new Set(refusing.map(({ provider }) => ENGINE[provider])).size,
    isUserUnknown: newest('user_unknown') > newest('delivered', 'complaint'),
    // Its provider never gave out such a local part. A typo whose hosts are parked may be mended at a form, not in a file.
    isCertain: has('impossible') || (isFile && has('typo_domain') && has('parked_mail_hosts')),
    isWarned: warning !== null || has('placeholder'),
  };
}

/** Which actions are open beside holding or challenging. */
export interface Open {
  readonly send: boolean;
  readonly drop: boolean;
}

/** An address that is refused, or as good as that, may be dropped once the number is sure enough. */
export const mayDrop = ({ refusingEngines, isUserUnknown, isCertain }: Grounds): boolean =>
  refusingEngines > 0 || isUserUnknown || isCertain;

/**
 * `drop` can't be undone: what lies below the interval's low end has to be unlikely enough. A visitor who is turned away
 * is worth more than one row of a list.
 */
const LOW_END: Readonly<Record<Purpose, number>> = { outbound: 0.3, list_hygiene: 0.3, signup: 0.5 };

/** Two of them can't share one mistake of one engine. */
const ENGINES_SURE = 2;

/** The actions open to an address. Neighbours alone, at the domain or in the list, never open `drop`. */
export function openActions({ interval }: Belief, purpose: Purpose, grounds: Grounds): Open {
  const isSure = grounds.refusingEngines >= ENGINES_SURE || grounds.isUserUnknown;
  return { send: !grounds.isWarned, drop: mayDrop(grounds) && (isSure || interval[0] > LOW_END[purpose]) };
}

/** Expected cost of the cheapest open action, from the probabilities of bouncing and landing. */
export function leastCost(bounces: number, lands: number, losses: Losses, open: Open): number {
  let least = lands * losses.heldGood + bounces * losses.heldBad;
  if (open.send) least = Math.min(least, bounces * losses.bounce);
  return open.drop ? Math.min(least, lands * losses.contactLost) : least;
}

/** Below this two costs are equal. */
const TIE = 1e-9;

/** The cheapest open action at the probability; between sending and dropping, a signup is challenged and any other held. */
export function recommend(
  belief: Belief,
  { purpose, losses }: Stakes,
  grounds: Grounds,
  terminal: boolean,
): Recommendation {
  if (terminal) return 'drop';
  const { probability } = belief;
  const open = openActions(belief, purpose, grounds);
  const held = (1 - probability) * losses.heldGood + probability * losses.heldBad;
  const sent = open.send ? probability * losses.bounce : Number.POSITIVE_INFINITY;
  const dropped = open.drop ? (1 - probability) * losses.contactLost : Number.POSITIVE_INFINITY;
  if (held <= Math.min(sent, dropped) + TIE) return purpose === 'signup' ? 'challenge' : 'hold';
  return sent <= dropped ? 'send' : 'drop';
}
