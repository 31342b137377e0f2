import type { EventInput, EventsRequest, Outcome, OutcomeReceipt, ReportedOutcome } from '../../contract/feedback.ts';
import { DAY_MS, SECOND_MS, epochSeconds } from '../../kernel/clock.ts';
import { constantTimeEqual, hmac } from '../../kernel/crypto.ts';
import { type Id, idBytes, idFromBytes, newId, idToUuid, newIdAt, parseId } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';
import type { DeliveryClass, DeliveryReport, LifeClass } from '../belief/facts.ts';
import type { ReadReport } from './bounces/report.ts';

/**
 * A connection's id appears in a public URL. Its last 40 bits are a MAC of the others, so that an invented id is
 * refused without a look-up.
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

/** The mail services whose webhooks are supported. */
export const MAIL_SERVICES = ['ses', 'sendgrid', 'postmark', 'mailgun', 'resend'] as const;
export type MailService = (typeof MAIL_SERVICES)[number];

export type MailOutcome = 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint';

/** What is stored of a mail service's event. */
export interface MailEvent extends ReadReport {
  /** Stable over repeated deliveries. */
  readonly id: string;
  /** Raw; hashed at once. */
  readonly email: string;
  readonly at: number;
  readonly outcome: MailOutcome;
  /**
   * `sent`: a message's fate. `seen`: opened or clicked, by a person or a scanner, so it was delivered. `suppressed`:
   * not sent, because of an earlier message.
   */
  readonly means: 'sent' | 'seen' | 'suppressed';
}

/** A report as stored for 400 days, with only the codes of a bounce message. Times in epoch milliseconds. */
export interface OutcomeRecord {
  readonly id: Id<'oc'>;
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** A well-formed trace id, whether or not the trace exists. */
  readonly traceId: string;
  readonly keyId: Id<'key'> | null;
  readonly outcome: Outcome;
  /** What it says about the mailbox, or null. */
  readonly class: DeliveryClass | null;
  readonly unread: boolean;
  readonly basicCode: string | null;
  readonly enhancedCode: string | null;
  readonly reportedAt: number;
}

/** A report about an address, by its keyed hash. */
export interface ReportRecord extends DeliveryReport {
  readonly organisationId: Id<'org'>;
  readonly addressHash: string;
}

export interface WaitingOutcome extends OutcomeRecord {
  /** What it says about the mailbox, or null. `addressHash` null: the trace's address is not found yet. */
  readonly delivery: (DeliveryReport & { readonly addressHash: string | null }) | null;
}

type CodesOf = Pick<OutcomeRecord, 'basicCode' | 'enhancedCode'>;
const smtp = ({ basicCode, enhancedCode }: CodesOf): OutcomeReceipt['smtp'] =>
  basicCode === null && enhancedCode === null ? null : { code: basicCode, enhanced: enhancedCode };

/** `matched`: whether the account has such a trace; null where the look-up failed. */
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

/** One request's events on the way to Postgres: one record, so that all or none are stored. */
export interface EventBatch {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  /** `api`, or the payment processor's connection. */
  readonly source: 'api' | Id<'con'>;
  /** When received, in epoch milliseconds. */
  readonly createdAt: number;
  readonly events: readonly EventRecord[];
}

export interface EventRecord {
  readonly id: Id<'ev'>;
  readonly event: string;
  /** When it happened, in epoch milliseconds. */
  readonly at: number;
  /** The UUID inside the trace's id; null for a foreign id, which matches no trace. */
  readonly traceId: string | null;
  readonly properties: EventInput['properties'] | null;
}

/** Why an event's time is refused (it is ahead of the clock), in words for the caller; else null. */
export function eventFault(request: EventsRequest, nowMs: number): string | null {
  const isAhead = ({ at }: EventInput): boolean => at * SECOND_MS > nowMs + DAY_MS;
  const index = eventsOf(request).findIndex(isAhead);
  if (index === -1) return null;
  const path = 'events' in request ? `events[${index}].at` : 'at';
  return `\`${path}\` is more than a day ahead: send epoch seconds, not milliseconds, of a clock that is right.`;
}

const eventsOf = (request: EventsRequest): readonly EventInput[] => ('events' in request ? request.events : [request]);

/** The request's records, with ids in its order. */
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

/** A batch (JSON) that Postgres rejects is stored without `properties`: only traces identify whom they are about. */
export function withoutProperties(json: string): string {
  const { events, ...batch } = JSON.parse(json) as EventBatch;
  return JSON.stringify({ ...batch, events: events.map((event) => ({ ...event, properties: null })) });
}

/** Events that prove a person reads the mailbox. Others prove nothing. */
const PROOFS: readonly { readonly event: string; readonly class: LifeClass; readonly reason: string }[] = [
  { event: 'activated', class: 'confirmed', reason: 'the contract: the person has confirmed the address' },
  { event: 'subscribed', class: 'paid', reason: 'who pays reads the receipts' },
  { event: 'upgraded', class: 'paid', reason: 'who pays reads the receipts' },
];

export const PROVING_EVENTS = PROOFS.map(({ event }) => event);

export const proofOf = (event: string): LifeClass | null => PROOFS.find((each) => each.event === event)?.class ?? null;
