import * as z from 'zod';
import type {
  ProviderAnswer,
  ProviderFailure,
  ProviderId,
  ProviderReason,
  ProviderVerdict,
  ProviderWarning,
} from '../../domain/belief/provider.ts';
import { rowOf } from '../exchange.ts';

export type FailureKind = ProviderFailure['kind'];

/** A reply of status 200, parsed; null if it does not have the documented shape. */
export type ParsedReply =
  | {
      readonly report: VendorReport;
      /** The vendor's correction: an address or a domain. */
      readonly suggestion: string | null;
      readonly billed: boolean;
    }
  | { readonly failure: FailureKind }
  | null;

/** One vendor's documented API. The exchange is the same for all: `providers.ts`. */
export interface Adapter {
  readonly id: ProviderId;
  /** Scheme and host, which a base URL replaces; null for a self-hosted vendor. */
  readonly origin: string | null;
  readonly priceMicros: number;
  request(question: { readonly email: string; readonly apiKey: string; readonly timeoutMs: number }): {
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /** Statuses with another meaning than usual; with `says` only if the body contains this lower-case text. */
  readonly statusOverrides?: readonly { readonly status: number; readonly says?: string; readonly kind: FailureKind }[];
  read(reply: unknown): ParsedReply;
}

/** A vendor's answer in our terms. Its price and a suggested correction are read separately. */
export type VendorReport = Omit<ProviderAnswer, 'suggestedDomain' | 'costMicros' | 'warning'> & {
  /** If the vendor's own word says more than its reason. */
  readonly warning?: ProviderWarning;
};

/** Reasons that warn about an address whatever the server says. */
const WARNINGS: Partial<Record<ProviderReason, ProviderWarning>> = {
  spam_trap: 'spam_trap',
  complainer: 'complainer',
  disposable: 'disposable',
};

/** A vendor's word as a receipt shows it: short, and never an address. */
const SHOWN_WORD = /^[\w .:/-]{1,64}$/;

/** Reasons that vendors also give when the recipient's server has not answered about the address. */
const UNHEARD: ReadonlySet<ProviderReason | null> = new Set([
  'syntax',
  'typo',
  'domain_not_found',
  'no_mail_host',
  'dns_failed',
  'connection_failed',
  'server_error',
  'disposable',
]);

/** Vague reasons for an accepted address; the flags beside them explain the doubt. */
const VAGUE: ReadonlySet<ProviderReason | null> = new Set([null, 'low_quality']);

/**
 * The rule for all vendors. A verdict answers one question: what would the recipient's server say to a message for this address
 * now? It does not say whether mailing it is wise:
 * - `deliverable`: it takes this very mailbox. A role name is a working mailbox, so it is deliverable with its flag.
 * - `catch_all`: it takes any name, and the vendor does not claim to know about this one. Where it does claim to (it calls
 *   the address deliverable in spite of the catch-all) its word stands and the flag tells.
 * - `risky`: the server's answer alone does not settle it. A full mailbox refuses today and may take mail tomorrow; a
 *   throwaway one takes mail today and is gone tomorrow; traps and complainers accept mail and harm the sender.
 * - `undeliverable`: it refuses, or the domain lacks a mail server. Stronger than every flag but the full mailbox.
 * - `unknown`: the vendor could not tell, whatever the flags say.
 */
export function normaliseReport(report: VendorReport): Omit<ProviderAnswer, 'suggestedDomain' | 'costMicros'> {
  const { verdict, reason } = normalisedVerdict(report);
  const warned = report.warning ?? (reason === null ? undefined : WARNINGS[reason]);
  const normalised = {
    ...report,
    verdict,
    reason,
    warning: warned ?? (report.disposable === true ? 'disposable' : null),
    subStatus: report.subStatus !== null && SHOWN_WORD.test(report.subStatus) ? report.subStatus : null,
  };
  // Several vendors send `false` for "not tested"; as a fact about the domain it would mislead later requests.
  const heard = normalised.verdict !== 'unknown' && !UNHEARD.has(normalised.reason);
  return normalised.catchAll === false && !heard ? { ...normalised, catchAll: null } : normalised;
}

function normalisedVerdict({ verdict, reason, ...flags }: VendorReport): Pick<VendorReport, 'verdict' | 'reason'> {
  if (verdict === 'unknown') return { verdict, reason };
  if (flags.mailboxFull === true) return { verdict: 'risky', reason: 'mailbox_full' };
  if (verdict === 'undeliverable') return { verdict, reason };
  if (flags.disposable === true) return { verdict: 'risky', reason: 'disposable' };
  if (verdict === 'risky' && VAGUE.has(reason)) {
    if (flags.catchAll === true) return { verdict: 'catch_all', reason: 'accepts_all' };
    if (flags.role === true) return { verdict: 'deliverable', reason: 'role' };
  }
  return { verdict, reason };
}

/**
 * The shapes of replies. Only the verdict's word is required: a reply without it is malformed. Any other field that is
 * missing or of another type is null, so that a vendor's small change costs a flag and not the answer.
 */

export const word = z.string().nullable().catch(null);

/** The round trip to the vendor, which its timeout does not include. */
const WAY_MS = 250;

/**
 * A vendor's timeout parameter in milliseconds, so that the vendor gives up before we do and returns what it knows. If
 * our time is below its minimum, ours runs out first.
 */
export const timeoutMillis = (timeoutMs: number, min: number, max: number): number =>
  Math.min(Math.max(Math.floor(timeoutMs) - WAY_MS, min), max);

export const timeoutSeconds = (timeoutMs: number, min: number, max: number): number =>
  Math.floor(timeoutMillis(timeoutMs, min * 1_000, max * 1_000) / 1_000);

/** The words of Kickbox, which Emailable and Bouncer use in the same sense (docs.kickbox.com/docs/terminology). */

export const VERDICT_WORDS: Readonly<Record<string, ProviderVerdict>> = {
  deliverable: 'deliverable',
  undeliverable: 'undeliverable',
  risky: 'risky',
  unknown: 'unknown',
};

export const REASON_WORDS: Readonly<Record<string, ProviderReason>> = {
  accepted_email: 'accepted',
  invalid_email: 'syntax',
  invalid_domain: 'domain_not_found',
  rejected_email: 'mailbox_not_found',
  // "SMTP server returned an unexpected/invalid response", which they call undeliverable.
  invalid_smtp: 'server_error',
  // "Quality issues that may make it a risky or low-value address": role and disposable names.
  low_quality: 'low_quality',
  // "Appears deliverable, but deliverability cannot be guaranteed": mostly catch-all domains.
  low_deliverability: 'low_quality',
  no_connect: 'connection_failed',
  timeout: 'timeout',
  unavailable_smtp: 'server_error',
  unexpected_error: 'server_error',
};

/** A verdict without a word here is unknown, whatever its reason. */
export function readCommonWords(
  verdictWord: string,
  reasonWord: string | null,
): Pick<VendorReport, 'verdict' | 'reason'> {
  const verdict = rowOf(VERDICT_WORDS, verdictWord);
  return { verdict: verdict ?? 'unknown', reason: (verdict && rowOf(REASON_WORDS, reasonWord)) ?? null };
}
