import type { Losses } from '../api/schema.ts';

/** Where the recommendation changes on the scale of the number. */
export interface Thresholds {
  /** Up to here it is sent. */
  readonly send: number;
  /** From here it is dropped, where enough is known; never below `send`. */
  readonly drop: number;
}

/** The actions whose expected loss is least, as the service weighs them: docs of `GET /v1/losses`. */
export function thresholdsOf({
  bounce,
  contact_lost: lost,
  held_good: heldGood,
  held_bad: heldBad,
}: Losses): Thresholds {
  const between = (low: number, high: number): number => (high <= 0 ? 1 : Math.min(1, Math.max(0, low / high)));
  const send = between(heldGood, bounce - heldBad + heldGood);
  const dropOverSend = between(lost, bounce + lost);
  const dropOverHold = between(lost - heldGood, lost - heldGood + heldBad);
  return { send, drop: Math.max(send, dropOverSend, dropOverHold) };
}
