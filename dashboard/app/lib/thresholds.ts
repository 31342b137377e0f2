import type { Losses } from '../api/schema.ts';
import { formatEstimate, formatExactShare, formatNumber, formatSentences } from './format.ts';
import { reasonText } from './vocabulary.ts';

/** Bounce probabilities at which the recommendation changes. */
export interface Thresholds {
  /** Highest probability that is sent. */
  readonly send: number;
  /** Dropped above this if enough is known; never below `send`. */
  readonly drop: number;
}

/** Thresholds of least expected loss, as documented for `GET /v1/losses`. */
export function thresholdsOf({
  bounce,
  contact_lost: lost,
  held_good: heldGood,
  held_bad: heldBad,
}: Losses): Thresholds {
  const within = (share: number): number => Math.min(1, Math.max(0, share));
  const asks = bounce - heldBad + heldGood;
  const sendOverHold = asks <= 0 ? 1 : within(heldGood / asks);
  // If neither mistake costs anything, nothing is dropped.
  const dropOverSend = bounce + lost === 0 ? 1 : within(lost / (bounce + lost));
  const dropOverHold = lost <= heldGood ? 0 : within((lost - heldGood) / (lost - heldGood + heldBad));
  const drop = Math.max(dropOverSend, dropOverHold);
  return { send: Math.min(sendOverHold, drop), drop };
}

const SETTLING: ReadonlySet<string> = new Set([
  'syntax_invalid',
  'address_blocklisted',
  'domain_blocklisted',
  'no_mx',
  'disposable_domain',
]);

interface Judged {
  readonly probability: number;
  readonly recommendation: string;
  readonly reasons: readonly string[];
}

/** Why the recommendation differs from the number's zone; null if it does not. */
export function overruledBy(
  { probability, recommendation, reasons }: Judged,
  { send, drop }: Thresholds,
): string | null {
  const isOver = probability > drop;
  if (recommendation === 'drop' && !isOver) {
    const settling = reasons.find((reason) => SETTLING.has(reason));
    return settling === undefined ? null : formatSentences(reasonText(settling), 'That always means drop.');
  }
  if (recommendation === 'drop') return null;
  if (isOver) return 'The risk is in the drop zone, but there isn’t enough evidence to drop it.';
  return probability < send && recommendation !== 'send'
    ? 'The risk is in the send zone, but a provider warning or a placeholder name needs a look first.'
    : null;
}

const DECIMALS_MAX = 3;

/** Formats a number beside the thresholds with enough decimals to tell different values apart. */
export function apartFrom(probability: number, { send, drop }: Thresholds): (at: number) => string {
  const near = [send, drop].filter((at) => at !== probability && formatEstimate(at) === formatEstimate(probability));
  if (near.length === 0) return formatEstimate;
  const withDecimals = (at: number, decimals: number): string => {
    const percent = Number((at * 100).toFixed(decimals));
    return percent === 0 || percent === 100 ? formatEstimate(at) : `${formatNumber(percent)}%`;
  };
  const isApart = (decimals: number): boolean =>
    near.every((at) => withDecimals(at, decimals) !== withDecimals(probability, decimals));
  let decimals = 1;
  while (decimals < DECIMALS_MAX && !isApart(decimals)) decimals += 1;
  return (at) => (at === probability || near.includes(at) ? withDecimals(at, decimals) : formatEstimate(at));
}

/** A threshold closer to 0 or 1 leaves hardly any address on its other side. */
const EDGE = 0.001;

export type Between = 'challenged' | 'held';

/** Holding beats sending at nearly every number, as holding a good contact costs little beside a bounce. */
const neverSentText = (isFree: boolean, isNeverDropped: boolean, between: Between): string =>
  `Holding costs ${isFree ? 'nothing, so' : 'so little that nearly'} every other address is ${between}${isNeverDropped ? '.' : ' or dropped.'}`;

/**
 * What losses do that few accounts mean to do, in sentences. A finding, as a domain without mail hosts, and a rule of the account's
 * lists decide whatever the losses are.
 */
export function extremesOf(losses: Losses, between: Between): readonly string[] {
  const { bounce, contact_lost: lost, held_good: heldGood, held_bad: heldBad } = losses;
  const { send, drop } = thresholdsOf(losses);
  const isSentAlways = send > 1 - EDGE;
  const isNeverDropped = drop > 1 - EDGE;
  const found: string[] = [];
  if (bounce === 0) found.push('Bounces cost nothing, so every other address is sent to.');
  else if (isSentAlways) found.push('Bounces cost so little that every other address is sent to.');
  else if (drop < EDGE)
    found.push('A lost contact costs so little that every other address is dropped if there’s enough evidence.');
  else if (send < EDGE) found.push(neverSentText(heldGood === 0, isNeverDropped, between));
  if (isSentAlways || !isNeverDropped) return found;
  // Dropping is never cheapest.
  if (lost / (bounce + lost) > 1 - EDGE)
    found.push('A lost contact costs so much that only findings and rules drop an address.');
  else if (heldBad === 0) found.push('Holding a bad address costs nothing, so only findings and rules drop one.');
  else found.push('Holding a bad address costs so little that only findings and rules drop one.');
  return found;
}

/** A limit within a comparison: `0.0031%` in place of `<0.1%`. */
export function limitText(limit: number): string {
  if (limit >= 0.001 && limit <= 0.999) return formatEstimate(limit);
  return formatExactShare(limit < 0.5 ? Number(limit.toPrecision(2)) : 1 - Number((1 - limit).toPrecision(2)));
}

type Zone = 'sent' | 'dropped' | Between;

/** A range of numbers whose recommendation changes. */
export interface Move {
  readonly low: number;
  readonly high: number;
  readonly was: Zone;
  readonly is: Zone;
}

const zoneOf = (at: number, { send, drop }: Thresholds, between: Between): Zone => {
  if (at < send) return 'sent';
  return at > drop ? 'dropped' : between;
};

/** Ranges in which new losses change the recommendation, lowest first. */
export function movesOf(before: Losses, after: Losses, between: Between): readonly Move[] {
  const [old, now] = [thresholdsOf(before), thresholdsOf(after)];
  const edges = [0, old.send, old.drop, now.send, now.drop, 1].toSorted((one, other) => one - other);
  return edges.flatMap((low, at) => {
    const high = edges[at + 1] ?? low;
    const [was, is] = [zoneOf((low + high) / 2, old, between), zoneOf((low + high) / 2, now, between)];
    // Limits that round alike move nothing noticeable.
    return limitText(low) !== limitText(high) && was !== is ? [{ low, high, was, is }] : [];
  });
}

const WIDE = 0.05;

/** Whether so many numbers move that saving asks first. */
export const isWide = ({ low, high }: Move): boolean => high - low >= WIDE || high >= 2 * low;

const ZONE_TEXTS: Readonly<Record<Zone, string>> = {
  sent: 'sent to',
  challenged: 'challenged',
  held: 'held',
  dropped: 'dropped if there’s enough evidence',
};

export const moveText = ({ low, high, was, is }: Move): string =>
  `Risks between ${limitText(low)} and ${limitText(high)} were ${ZONE_TEXTS[was]} and are ${ZONE_TEXTS[is]} from now on.`;
