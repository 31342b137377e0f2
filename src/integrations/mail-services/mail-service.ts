import type { MailEvent } from '../../domain/feedback/mail-event.ts';
import type { SignedBody } from '../../kernel/signed-body.ts';

/**
 * Why a webhook is not taken. `unsigned`: its proof is missing or malformed. `forged`: the proof is another's, or of another
 * body. `out_of_time`: it may be a replay. `unavailable`: what proves it could not be fetched, so it is to be sent again.
 */
export type WebhookFault = 'unsigned' | 'forged' | 'out_of_time' | 'unavailable';

/** `once`: a token that proves one body alone; null where the proof is of the body itself. */
export type Verified =
  | { readonly ok: true; readonly once: string | null }
  | { readonly ok: false; readonly fault: WebhookFault };

/** What a webhook says. `confirm`: a URL to fetch, which begins the service's subscription; null: none. */
export interface MailReading {
  readonly events: readonly MailEvent[];
  readonly confirm: string | null;
}

/** One mail service's wire form. */
export interface MailServiceAdapter {
  /** `secrets`: newest first; any of them may match, because a service changes over to a new one while it sends. */
  verify(request: SignedBody, secrets: readonly string[], nowMs: number): Verified | Promise<Verified>;
  /** Null: the body is not this service's. Events without a meaning for us are left out. */
  read(body: string): MailReading | null;
}

export const ACCEPTED: Verified = { ok: true, once: null };
export const refused = (fault: WebhookFault): Verified => ({ ok: false, fault });

export const eventsAlone = (events: readonly MailEvent[]): MailReading => ({ events, confirm: null });
