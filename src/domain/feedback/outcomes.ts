import type { EventInput, EventsRequest, Outcome, OutcomeReceipt, ReportedOutcome } from '../../contract/feedback.ts';
import { DAY_MS, SECOND_MS, epochSeconds } from '../../kernel/clock.ts';
import { constantTimeEqual, hmac } from '../../kernel/crypto.ts';
import { type Id, idBytes, idFromBytes, newId, idToUuid, newIdAt, parseId } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';
import type { DeliveryClass, DeliveryReport, LifeClass } from '../belief/facts.ts';
import type { ReadReport } from './bounces/report.ts';

/**
 * A connection's id stands in a public URL. Its last 40 bits are a MAC of the others, so that an invented id is refused
 * without a look-up.
 */
const MAC_BYTES = 5;
const MAC_AT = 16 - MAC_BYTES;

const macOf = (key: Uint8Array, bytes: Uint8Array): Uint8Array =>
  hmac(key, Buffer.from(bytes.subarray(0, MAC_AT)).toString('hex')).subarray(0, MAC_BYTES);

export function newConnectionId(key: Uint8Array, nowMs: number): Id<'con'> {
  const bytes = idBytes(newId('con', nowMs));
  bytes.set(macOf(key, bytes), MAC_AT);
  return idFromBytes('con', bytes);
}

export function isConnectionId(key: Uint8Array, id: Id<'con'>): boolean {
  const bytes = idBytes(id);
  const hex = (part: Uint8Array): string => Buffer.from(part).toString('hex');
  return constantTimeEqual(hex(macOf(key, bytes)), hex(bytes.subarray(MAC_AT)));
}

/** The mail services whose webhooks are read. */
export const MAIL_SERVICES = ['ses', 'sendgrid', 'postmark', 'mailgun', 'resend'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

/** A report's words for what became of a message. */
export type MailOutcome = 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint';

/** What we keep of one event of a mail service's. */
export interface MailEvent extends ReadReport {
  /** The same however often the service sends it. */
  readonly id: string;
  /** As it came; it is hashed at once. */
  readonly email: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: MailOutcome;
  /**
   * `sent`: the fate of a message. `seen`: it was opened or clicked, by a person or a scanner, so it was delivered.
   * `suppressed`: the service did not send it, for what became of an earlier one.
   */
  readonly means: 'sent' | 'seen' | 'suppressed';
}

/** A report as it is kept for 400 days: only the codes of a bounce message. Times in epoch milliseconds. */
export interface OutcomeRecord {
  readonly id: Id<'oc'>;
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** As it was sent: a well-formed trace id, whether or not the trace exists. */
  readonly traceId: string;
  readonly keyId: Id<'key'> | null;
  readonly outcome: Outcome;
  /** What it says about the mailbox; null means nothing. */
  readonly class: DeliveryClass | null;
  /** It has an inconclusive text. */
  readonly unread: boolean;
  readonly basicCode: string | null;
  readonly enhancedCode: string | null;
  readonly reportedAt: number;
}

/** What a report says about an address, by its keyed hash. */
export interface ReportRecord extends DeliveryReport {
  readonly organisationId: Id<'org'>;
  readonly addressHash: string;
}

/** A report on its way to Postgres. */
export interface WaitingOutcome extends OutcomeRecord {
  /** What it says about the mailbox; null means nothing. `addressHash` null means the trace's address was not found yet. */
  readonly delivery: (DeliveryReport & { readonly addressHash: string | null }) | null;
}

type CodesOf = Pick<OutcomeRecord, 'basicCode' | 'enhancedCode'>;
const smtp = ({ basicCode, enhancedCode }: CodesOf): OutcomeReceipt['smtp'] =>
  basicCode === null && enhancedCode === null ? null : { code: basicCode, enhanced: enhancedCode };

/** The answer to a report. `matched`: whether the account has such a trace; null where the look-up failed. */
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

/** Events of one request on their way to Postgres: one record, so that all or none are kept. */
export interface EventBatch {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** `api`, or the processor's connection they came through. */
  readonly source: 'api' | Id<'con'>;
  /** When they were received, in epoch milliseconds. */
  readonly createdAt: number;
  readonly events: readonly EventRecord[];
}

export interface EventRecord {
  readonly id: Id<'ev'>;
  readonly event: string;
  /** When it happened, in epoch milliseconds. */
  readonly at: number;
  /** The UUID inside the trace's id; null where the id is not ours and matches no trace. */
  readonly traceId: string | null;
  readonly properties: EventInput['properties'] | null;
}

/** The fault of a request whose time lies ahead of the clock, in words for the caller; null without a fault. */
export function eventFault(request: EventsRequest, nowMs: number): string | null {
  const isAhead = ({ at }: EventInput): boolean => at * SECOND_MS > nowMs + DAY_MS;
  const index = eventsOf(request).findIndex(isAhead);
  if (index === -1) return null;
  const path = 'events' in request ? `events[${index}].at` : 'at';
  return `\`${path}\` is more than a day ahead: send epoch seconds, not milliseconds, of a clock that is right.`;
}

const eventsOf = (request: EventsRequest): readonly EventInput[] => ('events' in request ? request.events : [request]);

/** The records of a request received at `createdAt`: ids in its order. */
export function eventBatch(of: Pick<EventBatch, 'organisationId' | 'mode' | 'createdAt'>, request: EventsRequest) {
  const events = eventsOf(request).map((input, place): EventRecord => {
    const trace = parseId('vr', input.trace_id) ?? parseId('dc', input.trace_id);
    return {
      id: newIdAt('ev', of.createdAt, place),
      event: input.event,
      at: Math.round(input.at * SECOND_MS),
      traceId: trace === null ? null : idToUuid(trace),
      properties: input.properties ?? null,
    };
  });
  return { ...of, source: 'api', events } as const satisfies EventBatch;
}

/** A batch (JSON) that Postgres rejects is kept without `properties`: only traces there say whom they are about. */
export function withoutProperties(json: string): string {
  const { events, ...batch } = JSON.parse(json) as EventBatch;
  return JSON.stringify({ ...batch, events: events.map((event) => ({ ...event, properties: null })) });
}

/** What an event shows of the person who reads the mailbox. Any other event shows nothing. */
const PROOFS: readonly { readonly event: string; readonly class: LifeClass; readonly reason: string }[] = [
  { event: 'activated', class: 'confirmed', reason: 'the contract: the person has confirmed the address' },
  { event: 'subscribed', class: 'paid', reason: 'who pays reads the receipts' },
  { event: 'upgraded', class: 'paid', reason: 'who pays reads the receipts' },
];

export const PROVING_EVENTS = PROOFS.map(({ event }) => event);

export const proofOf = (event: string): LifeClass | null => PROOFS.find((each) => each.event === event)?.class ?? null;
