import type * as contract from '../../contract/losses.ts';
import type { Purpose } from '../../contract/vocabulary.ts';
import type { Id } from '../../kernel/ids.ts';

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

/** One version of an organisation's own losses as it is kept. Versions never change. Time in epoch milliseconds. */
export interface LossesVersion {
  /** Counts from 1. */
  readonly version: number;
  /** JSON of what was sent: losses by purpose. */
  readonly document: string;
  readonly createdAt: number;
  /** A user or a key. */
  readonly createdBy: string | null;
}

/** A version on its way to Postgres. */
export interface ProjectedLosses extends LossesVersion {
  readonly organisationId: Id<'org'>;
}

export interface LossesChange {
  /** Our own transport may send a change twice: it is made once, and both calls get the same answer. */
  readonly operationId: string;
  readonly document: string;
  readonly createdBy: string;
  /** One of these versions must be in force; 0: the service's own. Null or `any`: no condition. */
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

/** A version as it is in force: a purpose that it leaves out has the service's own losses. Null: none was set. */
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
