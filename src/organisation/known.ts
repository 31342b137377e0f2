import type { AdmitAnswer, AdmitRequest } from './calls.ts';
import type { History } from './history.ts';

/** Finds what the account knows of an address, where the request asks for it. */
export type FindKnown = (request: AdmitRequest, admitted: AdmitAnswer) => Pick<AdmitAnswer, 'history'>;

export const findKnown =
  (history: History, now: number): FindKnown =>
  ({ probe }, { key }) =>
    probe?.history === undefined || probe.addressHash === null || key.mode === 'test'
      ? {}
      : { history: history.known(probe.addressHash, probe.history, key.id, now) };
