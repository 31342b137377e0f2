import type * as contract from '../../contract/losses.ts';
import type { Purpose } from '../../contract/vocabulary.ts';

/** What each mistake costs, in US dollars. */
export interface Losses {
  /** A message sent to an address that bounces. */
  readonly bounce: number;
  /** A good contact dropped. */
  readonly contactLost: number;
  /** A good contact held or challenged: review, delay, some give up. */
  readonly heldGood: number;
  /** A bad address held or challenged. */
  readonly heldBad: number;
}

export type LossTable = Readonly<Record<Purpose, Losses>>;

/** A list that is cleaned is a list that will be mailed, so `list_hygiene` costs what `outbound` does. */
const MAILING: Losses = {
  // People pay half a cent for every row of a list to avoid bounces of a few per cent, which harm the sender's reputation.
  bounce: 0.4,
  // One prospect of many.
  contactLost: 0.1,
  heldGood: 0.03,
  heldBad: 0.03,
};

/** What mistakes cost an organisation that has not set its own. Judgement, from what people pay for a check. */
export const LOSSES: LossTable = {
  outbound: MAILING,
  list_hygiene: MAILING,
  signup: {
    // A signup that can't be reached is a lost or a false account.
    bounce: 1,
    // A visitor who signs up is worth most.
    contactLost: 3,
    // A visitor confirms the address in a minute; few give up.
    heldGood: 0.1,
    // A challenge that is mailed bounces too.
    heldBad: 0.4,
  },
};

/** An organisation's losses in force. `version` 0: the service's own. */
export interface LossesInForce {
  readonly version: number;
  readonly table: LossTable;
}

export const SERVICE_LOSSES: LossesInForce = { version: 0, table: LOSSES };

/** What an address is for, and what mistakes cost then. */
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
