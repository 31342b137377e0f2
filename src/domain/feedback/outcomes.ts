import type { Outcome, OutcomeReceipt, ReportedOutcome } from '../../contract/feedback.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/key-format.ts';
import type { DeliveryClass, DeliveryReport } from '../belief/facts.ts';

/** A report as it is kept for 400 days: only the codes of a bounce message. Times in epoch milliseconds. */
export interface OutcomeRecord {
  readonly id: Id<'oc'>;
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** As it was sent: a well-formed trace id, whether or not the trace exists. */
  readonly traceId: string;
  readonly keyId: Id<'key'> | null;
  readonly outcome: Outcome;
  /** What it says of the mailbox; null: nothing. */
  readonly class: DeliveryClass | null;
  /** It has a text that says nothing sure. */
  readonly unread: boolean;
  readonly basicCode: string | null;
  readonly enhancedCode: string | null;
  readonly reportedAt: number;
}

/** What a report tells about an address, by its keyed hash. */
export interface ReportRecord extends DeliveryReport {
  readonly organisationId: Id<'org'>;
  readonly addressHash: string;
}

/** A report on its way to Postgres. */
export interface WaitingOutcome extends OutcomeRecord {
  /** What it says about the mailbox; null: nothing. `addressHash` null: the trace's address was not found yet. */
  readonly delivery: (DeliveryReport & { readonly addressHash: string | null }) | null;
}

type CodesOf = Pick<OutcomeRecord, 'basicCode' | 'enhancedCode'>;
const smtp = ({ basicCode, enhancedCode }: CodesOf): OutcomeReceipt['smtp'] =>
  basicCode === null && enhancedCode === null ? null : { code: basicCode, enhanced: enhancedCode };

/**
 * The answer to a report. `matched`: whether the account has such a trace; null where the look-up failed.
 */
export const outcomeReceipt = (record: OutcomeRecord, matched: boolean | null): OutcomeReceipt => ({
  id: record.id,
  trace_id: record.traceId,
  outcome: record.outcome,
  matched,
  smtp: smtp(record),
  read_as: record.class,
});

/** The report in force, as a single trace shows it. */
export const reportedOutcome = (record: OutcomeRecord): ReportedOutcome => ({
  id: record.id,
  outcome: record.outcome,
  smtp: smtp(record),
  reported_at: epochSeconds(record.reportedAt),
});
