import { DomainError } from '../../kernel/errors.ts';
import type { KeyMode } from '../access/keys.ts';
import type { Address } from '../address/parse.ts';
import type { ProviderReason, ProviderVerdict, ProviderWarning } from '../belief/provider.ts';
import type { MailHosts } from '../dns/resolve.ts';
import type { DisposableTier } from '../lists/lists.ts';
import type { Meter } from '../metering/usage.ts';
import type { ProviderQueries } from '../router/provider-queries.ts';

/** A sandbox address: what the service pretends to find under a test key. */
export interface SandboxCase {
  readonly shows: string;
  readonly mail?: MailHosts;
  readonly disposableTier?: DisposableTier;
  readonly role?: true;
  readonly relay?: true;
  /** The providers' answers, which cost nothing in the sandbox. */
  readonly says?: {
    readonly verdict: ProviderVerdict;
    readonly reason: ProviderReason;
    readonly warning?: ProviderWarning;
  };
  /** The providers and screening's model fail. */
  readonly fails?: true;
  readonly delayMs?: number;
  /** The domain that this one is a typo of. */
  readonly meantDomain?: string;
  /** Screening calls it a placeholder. */
  readonly placeholder?: true;
  readonly refuses?: (meter: Meter | null) => DomainError | null;
}

/** The quota is spent; a check is free and has none. */
function spent(meter: Meter | null): DomainError | null {
  if (meter === null || meter === 'check') return null;
  return meter === 'screen'
    ? new DomainError('screening_quota_exceeded', 'The organisation’s screenings of this month are spent.')
    : new DomainError('quota_exceeded', 'The organisation’s verifications of this month are spent.');
}

/** Local parts at `example.com`; a plus tag may follow. */
export const SANDBOX: Readonly<Record<string, SandboxCase>> = {
  deliverable: { shows: 'a mailbox that accepts mail', says: { verdict: 'deliverable', reason: 'accepted' } },
  undeliverable: {
    shows: 'a mailbox that is not there',
    says: { verdict: 'undeliverable', reason: 'mailbox_not_found' },
  },
  'catch-all': {
    shows: 'a domain that accepts every recipient',
    says: { verdict: 'catch_all', reason: 'accepts_all' },
  },
  risky: { shows: 'an address of low quality', says: { verdict: 'risky', reason: 'low_quality' } },
  'mailbox-full': { shows: 'a full mailbox', says: { verdict: 'risky', reason: 'mailbox_full' } },
  'spam-trap': {
    shows: 'a spam trap that takes mail',
    says: { verdict: 'risky', reason: 'spam_trap', warning: 'spam_trap' },
  },
  unknown: { shows: 'a server that gives no clear answer', says: { verdict: 'unknown', reason: 'greylisted' } },
  disposable: { shows: 'a disposable domain', disposableTier: 'block' },
  role: { shows: 'a role account', role: true, says: { verdict: 'deliverable', reason: 'accepted' } },
  relay: { shows: 'a relay alias', relay: true },
  'no-mx': { shows: 'a domain without mail hosts', mail: { kind: 'none', why: 'null_mx' } },
  'mx-unresolved': { shows: 'a DNS look-up that failed', mail: { kind: 'unresolved', why: 'servfail' } },
  typo: {
    shows: 'a typo in the domain, corrected',
    meantDomain: 'gmail.com',
    says: { verdict: 'deliverable', reason: 'accepted' },
  },
  placeholder: {
    shows: 'an address typed only to pass a form',
    placeholder: true,
    says: { verdict: 'deliverable', reason: 'accepted' },
  },
  degraded: { shows: 'an outage of the providers, and of screening’s model', fails: true },
  slow: { shows: 'an answer that takes 2 s', delayMs: 2_000, says: { verdict: 'deliverable', reason: 'accepted' } },
  'quota-exceeded': {
    shows: 'a quota that is spent',
    refuses: spent,
  },
  'rate-limited': {
    shows: '429 rate_limited with Retry-After',
    refuses: () => new DomainError('rate_limited', 'Too many requests this minute.', { retryAfterS: 1 }),
  },
  'internal-error': {
    shows: '500 internal_error',
    refuses: () => new DomainError('simulated_bug', 'Something went wrong on our side.'),
  },
};

const SANDBOX_DOMAIN = 'example.com';

export function sandboxName(op: { readonly mode: KeyMode }, { normalised, domain }: Address): string | null {
  if (op.mode !== 'test' || domain !== SANDBOX_DOMAIN) return null;
  const name = normalised.slice(0, normalised.search(/[+@]/));
  return Object.hasOwn(SANDBOX, name) ? name : null;
}

/** Two agree: after a single `undeliverable` the probability is too uncertain for `invalid`. */
const SANDBOX_PROVIDERS = ['zerobounce', 'kickbox'] as const;

export function sandboxQueries({ says, fails }: SandboxCase): ProviderQueries {
  const failures =
    fails === true
      ? SANDBOX_PROVIDERS.map((provider) => ({ provider, kind: 'timeout', ms: 0, owedMicros: 0 }) as const)
      : [];
  if (says === undefined) return { results: [], failures, steps: [], spendMicros: 0 };
  const answer = {
    verdict: says.verdict,
    reason: says.reason,
    costMicros: 0,
    suggestedDomain: null,
    catchAll: says.verdict === 'catch_all',
    role: null,
    disposable: null,
    mailboxFull: says.reason === 'mailbox_full',
    warning: says.warning ?? null,
    subStatus: says.reason,
  };
  const results = SANDBOX_PROVIDERS.map((provider) => ({ provider, answer, ms: 0 }));
  return { results, failures, steps: [], spendMicros: 0 };
}
