import type { Result } from '../../kernel/errors.ts';

/** Vendors that verify addresses; `reacher` is self-hosted. */
export const PROVIDER_IDS = [
  'zerobounce',
  'neverbounce',
  'kickbox',
  'emailable',
  'bouncer',
  'hunter',
  'reacher',
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];
export const isProvider = (id: string): id is ProviderId => (PROVIDER_IDS as readonly string[]).includes(id);

export type ProviderVerdict = 'deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown';

export const PROVIDER_REASONS = [
  'accepted',
  'mailbox_not_found',
  'mailbox_disabled',
  'mailbox_full',
  'domain_not_found',
  'no_mail_host',
  'syntax',
  'typo',
  'accepts_all',
  'role',
  'disposable',
  'spam_trap',
  'complainer',
  'low_quality',
  'greylisted',
  'dns_failed',
  'connection_failed',
  'timeout',
  'server_error',
  'blocked',
  'unsupported',
] as const;
export type ProviderReason = (typeof PROVIDER_REASONS)[number];

/** Warnings beside deliverability: nobody who knows of one would send. */
export const PROVIDER_WARNINGS = [
  'spam_trap',
  'complainer',
  'suppressed',
  'toxic',
  'do_not_mail',
  'disposable',
] as const;
export type ProviderWarning = (typeof PROVIDER_WARNINGS)[number];

/** One vendor's answer. Flags are null where the vendor does not say. */
export interface ProviderAnswer {
  readonly verdict: ProviderVerdict;
  readonly reason: ProviderReason | null;
  readonly catchAll: boolean | null;
  readonly role: boolean | null;
  readonly disposable: boolean | null;
  readonly mailboxFull: boolean | null;
  readonly warning: ProviderWarning | null;
  /** The vendor's own reason, or null. */
  readonly subStatus: string | null;
  /** The domain of the suggested correction; never the address. */
  readonly suggestedDomain: string | null;
  readonly costMicros: number;
}

/** Why a call failed. `costMicros`: the most that may be billed all the same. */
export interface ProviderFailure {
  readonly kind:
    | 'timeout'
    | 'unreachable'
    | 'rate_limited'
    | 'no_credit'
    | 'unauthorized'
    | 'refused'
    | 'pending'
    | 'server_error'
    | 'malformed'
    | 'too_large';
  /** Whether a retry may succeed. */
  readonly retryable: boolean;
  readonly costMicros: number;
}

export interface Provider {
  readonly id: ProviderId;
  readonly priceMicros: number;
  /** Asks once. Never rejects, and never takes longer than `timeoutMs`; `signal` ends it earlier. */
  ask(email: string, timeoutMs: number, signal: AbortSignal): Promise<Result<ProviderAnswer, ProviderFailure>>;
}

/**
 * The engine a vendor asks mail servers through: two on one engine share its mistakes. Many vendors resell another's;
 * these seven document checks of their own (Reacher's code is public).
 */
export const ENGINE: Readonly<Record<ProviderId, string>> = {
  zerobounce: 'zerobounce',
  neverbounce: 'neverbounce',
  kickbox: 'kickbox',
  emailable: 'emailable',
  bouncer: 'bouncer',
  hunter: 'hunter',
  reacher: 'reacher',
};
