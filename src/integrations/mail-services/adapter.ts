import * as z from 'zod';
import type { DeliveryClass } from '../../domain/belief/facts.ts';
import { readServiceReport } from '../../domain/feedback/bounces/report.ts';
import type { MailEvent, MailOutcome } from '../../domain/feedback/outcomes.ts';
import type { SignedBody } from '../../kernel/crypto.ts';
import { block } from '../exchange.ts';

/**
 * Why a webhook is refused. `unsigned`: its proof is missing or malformed. `forged`: the proof is of something else.
 * `out_of_time`: it may be a replay. `unavailable`: the proof's key could not be fetched; send it again.
 */
export type WebhookFault = 'unsigned' | 'forged' | 'out_of_time' | 'unavailable';

/** `once`: a token that proves a single body; null if the proof covers the body itself. */
export type Verified =
  | { readonly ok: true; readonly once: string | null }
  | { readonly ok: false; readonly fault: WebhookFault };

/** A webhook's content. `confirm`: a URL whose fetching confirms the service's subscription, or null. */
export interface MailReading {
  readonly events: readonly MailEvent[];
  readonly confirm: string | null;
}

export interface MailServiceAdapter {
  /** `secrets`: newest first; any of them may match, because a service changes over to a new one while it sends. */
  verify(request: SignedBody, secrets: readonly string[], nowMs: number): Verified | Promise<Verified>;
  /** Null for another service's body. Events without a meaning for us are left out. */
  read(body: string): MailReading | null;
}

export const ACCEPTED: Verified = { ok: true, once: null };
export const refused = (fault: WebhookFault): Verified => ({ ok: false, fault });

export const eventsAlone = (events: readonly MailEvent[]): MailReading => ({ events, confirm: null });

/**
 * The shapes of webhooks. A field that is missing or of another type is null, so that a service's small change costs
 * one event and not the whole batch.
 */
export const word = z.string().max(2_000).nullable().catch(null);
/** A server's reply, which starts with its codes. */
export const reply = z
  .string()
  .transform((text) => text.slice(0, 4_000))
  .nullable()
  .catch(null);
export const number = z.number().nullable().catch(null);
export const numeral = z
  .union([z.number(), z.string().max(20).transform(Number)])
  .pipe(z.number())
  .nullable()
  .catch(null);
/** ISO 8601, as epoch milliseconds. */
export const instant = z.string().max(40).transform(Date.parse).pipe(z.number().int()).nullable().catch(null);
export const blocks = <T extends z.ZodRawShape>(shape: T) => z.array(block(shape)).catch([]);
export const words = z.array(word).catch([]);

/** The meaning of a service's word. A row without an outcome has none for us. */
export interface MeaningRow {
  readonly outcome: MailOutcome | null;
  readonly means?: MailEvent['means'];
  /** The word's class if the server's own words are missing, or null. */
  readonly class?: DeliveryClass | null;
  readonly reason: string;
}

type Meant = MeaningRow & { readonly outcome: MailOutcome };

/** Null means the word has no meaning for us. */
export const meant = (row: MeaningRow | undefined): Meant | null =>
  row === undefined || row.outcome === null ? null : { ...row, outcome: row.outcome };

/** An event with a meaning, if it has an address and a time. Only a bounce has codes: `replies` are read in order. */
export function eventOf(
  { outcome, means = 'sent', class: named }: Meant,
  event: {
    readonly id: string;
    readonly email: string | null;
    readonly at: number | null;
    readonly replies: readonly (string | null | undefined)[];
  },
): MailEvent[] {
  const { id, email, at, replies } = event;
  if (email === null || at === null) return [];
  const isBounce = outcome.endsWith('bounce') && means !== 'suppressed';
  const texts = replies.filter((text) => typeof text === 'string');
  // Only a bounce's reply says something about the mailbox.
  const read = readServiceReport(outcome, isBounce ? texts : [], named);
  return [{ id, email, at, outcome, ...read, means }];
}

/** Decimal seconds since the epoch, as in a header, or null. */
export const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;

export function addressIn(text: string | null): string | null {
  const [open, close] = [text?.lastIndexOf('<') ?? -1, text?.lastIndexOf('>') ?? -1];
  return text !== null && open !== -1 && close > open ? text.slice(open + 1, close) : text;
}
