import type * as contract from '../../contract/losses.ts';
import type { Purpose, Recommendation } from '../../contract/vocabulary.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Author } from '../access/keys.ts';
import type { Answer, DatedReport, Feature } from '../belief/facts.ts';
import type { Belief } from '../belief/posterior.ts';
import { ENGINE } from '../belief/provider.ts';

/** The cost of each mistake, in US dollars. */
export interface Losses {
  readonly bounce: number;
  readonly contactLost: number;
  /** A good contact held or challenged: review and delay, and some give up. */
  readonly heldGood: number;
  readonly heldBad: number;
}

export type LossTable = Readonly<Record<Purpose, Losses>>;

/** A list is cleaned in order to be mailed, so `list_hygiene` costs what `outbound` does. */
const MAILING: Losses = {
  // Bounces of a few per cent harm the sender's reputation for all other mail.
  bounce: 2,
  // One prospect of many; it makes `drop` the cheapest above .70.
  contactLost: 0.667,
  // Whoever uploads a file pays for an answer on each row, which `hold` is not. It makes `send` the cheapest below .10.
  heldGood: 0.2,
  heldBad: 0.2,
};

/** Default costs of mistakes. Judgement: the ratios give the thresholds .10, .70 and .88. */
export const LOSSES: LossTable = {
  outbound: MAILING,
  list_hygiene: MAILING,
  signup: {
    // A signup that can't be reached is a lost or a false account.
    bounce: 1,
    contactLost: 3,
    // A visitor confirms the address in a minute; few give up.
    heldGood: 1 / 15,
    // A mailed challenge bounces too.
    heldBad: 0.4,
  },
};

/** `version` 0: the service's own. */
export interface LossesInForce {
  readonly version: number;
  readonly table: LossTable;
}

/** An immutable version of an organisation's own losses. Time in epoch milliseconds. */
export interface LossesVersion {
  /** Counts from 1. */
  readonly version: number;
  /** JSON as sent: losses by purpose. */
  readonly document: string;
  readonly createdAt: number;
  /** A user or a key. */
  readonly createdBy: string | null;
}

export interface ProjectedLosses extends LossesVersion {
  readonly organisationId: Id<'org'>;
}

export interface LossesChange {
  /** The transport may send a change twice: it is made once, and both calls get the same answer. */
  readonly operationId: string;
  readonly document: string;
  readonly author: Author;
  /** Versions, one of which must be in force; 0: the service's own. Null or `any`: no condition. */
  readonly expected: readonly number[] | 'any' | null;
}

export interface LossesSaved {
  readonly ok: true;
  readonly saved: LossesVersion;
}

/** `inForce` is not an expected version. */
export interface LossesConflict {
  readonly ok: false;
  readonly inForce: number;
}

export const SERVICE_LOSSES: LossesInForce = { version: 0, table: LOSSES };

/** An address's purpose, and the costs of mistakes for it. */
export interface Stakes {
  readonly purpose: Purpose;
  readonly losses: Losses;
}

export const stakesOf = ({ table }: Pick<LossesInForce, 'table'>, purpose: Purpose): Stakes => ({
  purpose,
  losses: table[purpose],
});

export const lossesBody = ({ bounce, contactLost, heldGood, heldBad }: Losses): contract.Losses => ({
  bounce,
  contact_lost: contactLost,
  held_good: heldGood,
  held_bad: heldBad,
});

export const lossesOf = ({ bounce, contact_lost, held_good, held_bad }: contract.Losses): Losses => ({
  bounce,
  contactLost: contact_lost,
  heldGood: held_good,
  heldBad: held_bad,
});

/** The losses of a version; an omitted purpose has the service's own. Null: none was set. */
export function lossesInForce(own: Pick<LossesVersion, 'version' | 'document'> | null): LossesInForce {
  if (own === null) return SERVICE_LOSSES;
  const sent = JSON.parse(own.document) as contract.PutLossesRequest;
  const of = (purpose: Purpose): Losses => {
    const losses = sent[purpose];
    return losses === undefined ? LOSSES[purpose] : lossesOf(losses);
  };
  const table = { outbound: of('outbound'), signup: of('signup'), list_hygiene: of('list_hygiene') };
  return { version: own.version, table };
}

/** Evidence about the address itself, apart from its groups. */
export interface Grounds {
  readonly refusingEngines: number;
  /** A report says that the server knows no such user, and no message was delivered since. */
  readonly isUserUnknown: boolean;
  /** The address itself shows that mail to it bounces. */
  readonly isCertain: boolean;
  /** A provider warns about it (trap, complainer, disposable domain …), or it looks typed only to pass a form. */
  readonly isWarned: boolean;
}
export const NO_GROUNDS: Grounds = { refusingEngines: 0, isUserUnknown: false, isCertain: false, isWarned: false };

/** Inputs of a judgement beside the probability. */
export interface GroundFacts {
  /** Stored and new: at most one of each provider. */
  readonly answers: readonly Answer[];
  readonly reports: readonly DatedReport[];
  readonly features: readonly Feature[];
  readonly isFile: boolean;
  /** A provider's warning beside deliverability, or null. */
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
    // Its provider never issued such a local part. A typo with parked hosts can be corrected only at a form.
    isCertain: has('impossible') || (isFile && has('typo_domain') && has('parked_mail_hosts')),
    isWarned: warning !== null || has('placeholder'),
  };
}

/** Which actions are open beside holding or challenging. */
export interface Open {
  readonly send: boolean;
  readonly drop: boolean;
}

/** A refused address, or one as good as refused, may be dropped once the number is sure enough. */
export const mayDrop = ({ refusingEngines, isUserUnknown, isCertain }: Grounds): boolean =>
  refusingEngines > 0 || isUserUnknown || isCertain;

/**
 * `drop` can't be undone: the interval's low end must be high enough. A visitor turned away is worth more than a row of
 * a list.
 */
const LOW_END: Readonly<Record<Purpose, number>> = { outbound: 0.3, list_hygiene: 0.3, signup: 0.5 };

/** Two engines can't share one engine's mistake. */
const ENGINES_SURE = 2;

/** The actions open to an address. Group effects alone never open `drop`. */
export function openActions({ interval }: Belief, purpose: Purpose, grounds: Grounds): Open {
  const isSure = grounds.refusingEngines >= ENGINES_SURE || grounds.isUserUnknown;
  return { send: !grounds.isWarned, drop: mayDrop(grounds) && (isSure || interval[0] > LOW_END[purpose]) };
}

/** Expected cost of the cheapest open action. */
export function leastCost(bounces: number, lands: number, losses: Losses, open: Open): number {
  let least = lands * losses.heldGood + bounces * losses.heldBad;
  if (open.send) least = Math.min(least, bounces * losses.bounce);
  return open.drop ? Math.min(least, lands * losses.contactLost) : least;
}

/** Costs closer than this are equal. */
const TIE = 1e-9;

/** The cheapest open action; between sending and dropping, a signup is challenged and anything else held. */
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
