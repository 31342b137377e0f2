import type { CounterTotals } from '../domain/metering/counter-totals.ts';
import type { Id } from '../kernel/ids.ts';

/** A message that a queue gave up on. It carries ids alone. */
export interface DeadLetter {
  readonly queue: string;
  readonly id: string;
  readonly at: number;
  /** JSON. */
  readonly body: string;
}

export interface OperationsRecord {
  /** Of all isolates, the last 24 hours and the hour under way. */
  readonly counters: CounterTotals;
  /** The newest first. */
  readonly deadLetters: readonly DeadLetter[];
}

/**
 * What the operators' own object keeps about the whole service, so that it can be told and worked with while Postgres is away.
 * Every call is safe to repeat but `addCounters`, whose figures are for people.
 */
export interface OperationsPort {
  noteOrganisations(ids: readonly Id<'org'>[]): Promise<void>;
  dropOrganisation(id: Id<'org'>): Promise<void>;
  listOrganisations(): Promise<readonly Id<'org'>[]>;
  addCounters(counters: CounterTotals): Promise<void>;
  addDeadLetters(letters: readonly DeadLetter[]): Promise<void>;
  readOperations(): Promise<OperationsRecord>;
}
