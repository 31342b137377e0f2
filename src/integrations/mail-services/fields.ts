import * as z from 'zod';
import type { DeliveryClass } from '../../domain/belief/facts.ts';
import { readServiceReport } from '../../domain/feedback/bounces/report.ts';
import type { MailEvent, MailOutcome } from '../../domain/feedback/mail-event.ts';

/**
 * The shapes of webhooks. A field that is missing or of another type is null, so that a service's small change costs one event
 * and not the whole batch.
 */
export const word = z.string().max(2_000).nullable().catch(null);
/** A server's reply: the codes stand at its beginning. */
export const reply = z
  .string()
  .transform((text) => text.slice(0, 4_000))
  .nullable()
  .catch(null);
export const number = z.number().nullable().catch(null);
export const flag = z.boolean().nullable().catch(null);
/** A number, or the same as text. */
export const numeral = z
  .union([z.number(), z.string().max(20).transform(Number)])
  .pipe(z.number())
  .nullable()
  .catch(null);
/** ISO 8601, as epoch milliseconds. */
export const instant = z.string().max(40).transform(Date.parse).pipe(z.number().int()).nullable().catch(null);
export const block = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullable().catch(null);
export const blocks = <T extends z.ZodRawShape>(shape: T) => z.array(block(shape)).catch([]);
export const words = z.array(word).catch([]);

/** The row of a service's word, or undefined: services add words without a new version. */
export const rowOf = <T>(table: Readonly<Record<string, T>>, key: string | null): T | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key] : undefined;

/** What a service's word means. A row without an outcome has no meaning for us. */
export interface MeaningRow {
  readonly outcome: MailOutcome | null;
  readonly means?: MailEvent['means'];
  /** What the word says of the mailbox where the server has no words of its own; null: nothing. */
  readonly class?: DeliveryClass | null;
  readonly reason: string;
}

/** A meaning with an outcome. */
type Meant = MeaningRow & { readonly outcome: MailOutcome };

/** Null: the word has no meaning for us. */
export const meant = (row: MeaningRow | undefined): Meant | null =>
  row === undefined || row.outcome === null ? null : { ...row, outcome: row.outcome };

/** An event with a meaning, if it names its address and its time. Only a bounce has codes: `replies` are read in order. */
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
  // Only a bounce has a reply that says something of the mailbox.
  const read = readServiceReport(outcome, isBounce ? texts : [], named);
  return [{ id, email, at, outcome, ...read, means }];
}

/** Null: not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

/** Decimal seconds since the epoch, as a header has them; null: something else. */
export const secondsOf = (text: string | null): number | null =>
  text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;

/** A lone address out of `Name <address>`. */
export function addressIn(text: string | null): string | null {
  const [open, close] = [text?.lastIndexOf('<') ?? -1, text?.lastIndexOf('>') ?? -1];
  return text !== null && open !== -1 && close > open ? text.slice(open + 1, close) : text;
}
