import type { ProviderReason, ProviderVerdict } from '../../domain/belief/provider.ts';
import type { VendorReport } from './normalise.ts';
import { rowOf } from './reply-fields.ts';

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

/** A verdict without a word here is unknown, whatever its reason says. */
export function readCommonWords(
  verdictWord: string,
  reasonWord: string | null,
): Pick<VendorReport, 'verdict' | 'reason'> {
  const verdict = rowOf(VERDICT_WORDS, verdictWord);
  return { verdict: verdict ?? 'unknown', reason: (verdict && rowOf(REASON_WORDS, reasonWord)) ?? null };
}
