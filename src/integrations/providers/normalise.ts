import type { ProviderAnswer, ProviderReason, ProviderWarning } from '../../domain/belief/provider.ts';

/** A vendor's answer translated into our terms. Its price and a suggested correction are read apart. */
export type VendorReport = Omit<ProviderAnswer, 'suggestedDomain' | 'costMicros' | 'warning'> & {
  /** Where the vendor's own word says more than its reason. */
  readonly warning?: ProviderWarning;
};

/** Reasons that warn of an address whatever the server says. */
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

/** Vague reasons for an accepted address; the flags beside them say what the doubt is. */
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
  // Several vendors send `false` for "not tested"; kept as a fact about the domain it would mislead later requests.
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
