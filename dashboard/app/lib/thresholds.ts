import type { Losses } from '../api/schema.ts';

/** Where the recommendation changes on the scale of the number. */
export interface Thresholds {
  /** Up to here it is sent. */
  readonly send: number;
  /** Above it is dropped, where enough is known; never below `send`. */
  readonly drop: number;
}

/** The actions whose expected loss is least, as the service weighs them: docs of `GET /v1/losses`. */
export function thresholdsOf({
  bounce,
  contact_lost: lost,
  held_good: heldGood,
  held_bad: heldBad,
}: Losses): Thresholds {
  const within = (share: number): number => Math.min(1, Math.max(0, share));
  const asks = bounce - heldBad + heldGood;
  const sendOverHold = asks <= 0 ? 1 : within(heldGood / asks);
  // Where neither costs anything, nothing speaks for dropping.
  const dropOverSend = bounce + lost === 0 ? 1 : within(lost / (bounce + lost));
  const dropOverHold = lost <= heldGood ? 0 : within((lost - heldGood) / (lost - heldGood + heldBad));
  const drop = Math.max(dropOverSend, dropOverHold);
  return { send: Math.min(sendOverHold, drop), drop };
}

/** Nearer than this to 0 or 1, a threshold leaves hardly an address on its other side. */
const EDGE = 0.001;

/** A finding, as a domain without mail hosts, and a rule of the account's lists decide whatever the losses are. */
const OPEN = 'address that no finding or rule settles';

/** What losses do that few accounts mean to do, in sentences. `asked`: what happens between sending and dropping. */
export function extremesOf(losses: Losses, asked: string): readonly string[] {
  const { send, drop } = thresholdsOf(losses);
  const found: string[] = [];
  if (losses.bounce === 0) found.push(`A loss of $0 means that a bounce never matters: every ${OPEN} is sent to.`);
  else if (send > 1 - EDGE) found.push(`A bounce costs so little beside the rest that every ${OPEN} is sent to.`);
  else if (drop < EDGE)
    found.push(`A good contact is worth so little that every ${OPEN} is dropped where enough is known.`);
  else if (send < EDGE)
    found.push(
      `A bounce costs so much beside the rest that nearly every ${OPEN} is ${asked}${drop > 1 - EDGE ? '' : ' or dropped'}.`,
    );
  if (send <= 1 - EDGE && drop > 1 - EDGE)
    found.push('A good contact is worth so much that only a finding or a rule drops an address.');
  return found;
}
