import type { AdmitAnswer, AdmitRequest, KnownHistory } from './calls.ts';
import type { History } from './history.ts';

/** Finds what the account knows of an address, with the revision of its admission. Neither, where the request does not ask. */
export type FindKnown = (request: AdmitRequest, admitted: AdmitAnswer) => Pick<AdmitAnswer, 'history' | 'revision'>;

/** `isLarge`: traces are kept without their detail, so they come by `finish` and need no revision. */
export const findKnown =
  (history: History, isLarge: () => boolean, now: number): FindKnown =>
  ({ probe }, admitted) => {
    const { key } = admitted;
    if (probe?.history === undefined || probe.addressHash === null || key.mode === 'test') return {};
    const known = history.known(probe.addressHash, probe.history, key.id, now);
    return isLarge() ? { history: known } : { history: known, revision: revisionOf(admitted, known) };
  };

/** All that an admission says of an address which has neither a rule nor a history. */
const revisionOf = (
  { rate: _, rules: __, earlier: ___, ...said }: AdmitAnswer,
  { address: ____, ...around }: KnownHistory,
): string => JSON.stringify([said, around]);
