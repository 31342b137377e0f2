import type { IAsyncProperty } from 'fast-check';
import { idempotency } from './idempotency.ts';
import { leases } from './leases.ts';
import { outbox } from './outbox.ts';

interface Race {
  readonly property: () => IAsyncProperty<unknown>;
  /** How many cases `npm test` tries: a few seconds of each. */
  readonly cases: number;
  /** What is tried, in any order. */
  readonly steps: string;
}

/** Races in an organisation's object, keyed by the guarantee that holds in any order. */
export const MODELS: Readonly<Record<string, Race>> = {
  'no address of a job is held by two workers or counted twice, its books agree after each step, and it ends': {
    property: () => leases,
    cases: 10,
    steps:
      'claim, the same claim again, renew, finish (late, twice, with errors), fail, cancel, time passes, alarm, crash; with quota for the job and without',
  },
  'requests under one Idempotency-Key are charged once and get one answer': {
    property: () => idempotency,
    cases: 60,
    steps:
      '2 to 4 requests, of one body or two, that answer, give up or die, each call once or twice; the object crashes, holds run out',
  },
  'a trace whose caller has the answer is in the object or in Postgres at every step, and in Postgres in the end': {
    property: () => outbox,
    cases: 20,
    steps:
      'a trace, alarm, flush, crash before or after the write; Postgres writes, refuses, is away, or writes and is not heard',
  },
};
