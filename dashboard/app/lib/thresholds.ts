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
  const dropOverSend = within(lost / (bounce + lost));
  const dropOverHold = lost <= heldGood ? 0 : within((lost - heldGood) / (lost - heldGood + heldBad));
  const drop = Math.max(dropOverSend, dropOverHold);
  return { send: Math.min(sendOverHold, drop), drop };
}
