import type { BulkPort, ObjectPort } from './ports.ts';

/**
 * Release 1 has one method for all of these, `bulk({ do: …, … })`. Until release 2 is recorded, its Worker may call our
 * object that way, and we may call its object. Then delete this file and everything that reads it.
 */
export const BULK_CALLS = {
  create: 'createJob',
  find: 'findJob',
  list: 'listJobs',
  move: 'moveJob',
  note_sample: 'noteSample',
  claim: 'claimRange',
  renew: 'renewRange',
  finish: 'finishRange',
  fail: 'failRange',
  match_rules: 'matchRules',
  list_results: 'listResults',
  restore: 'restoreJobs',
} as const satisfies Readonly<Record<string, keyof BulkPort>>;

type BulkCallName = keyof typeof BULK_CALLS;

/** A call as release 1 sends it. */
export type BulkCall = {
  readonly [K in BulkCallName]: { readonly do: K } & Parameters<BulkPort[(typeof BULK_CALLS)[K]]>[0];
}[BulkCallName];

const NAMES: ReadonlyMap<keyof ObjectPort, string> = new Map(
  Object.entries(BULK_CALLS).map(([name, method]) => [method, name]),
);

/** Whether release 1 has the method under another name. */
export const isBulkCall = (method: keyof ObjectPort): boolean => NAMES.has(method);

/** Calls the method on an object of release 1. */
export const callRelease1 = (
  stub: { bulk(call: object): Promise<unknown> },
  method: keyof ObjectPort,
  call: object,
): Promise<unknown> => stub.bulk({ do: NAMES.get(method), ...call });
