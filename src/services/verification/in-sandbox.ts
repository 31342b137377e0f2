import type { SandboxCase } from '../../domain/answer/sandbox.ts';
import type { Feature } from '../../domain/belief/facts.ts';
import type { FindMailHosts, MailHosts } from '../../domain/dns/mail-hosts.ts';
import type { Lists } from '../../domain/lists/types.ts';
import type { ProviderQueries } from '../../domain/router/provider-queries.ts';
import { pause } from '../../kernel/deadline.ts';

const FOUND: MailHosts = { kind: 'found', hosts: ['aspmx.l.google.com'], implicit: false };

/** What a verification looks up. */
interface LookUps {
  readonly findMailHosts: FindMailHosts;
  readonly lists: Lists;
}

/** DNS and lists as the sandbox's case has them. A slow case takes `patienceMs` at most. */
export function inSandbox(real: LookUps, row: SandboxCase, patienceMs: number): LookUps {
  return {
    findMailHosts: async () => {
      await pause(Math.min(row.delayMs ?? 0, patienceMs));
      return row.mail ?? FOUND;
    },
    lists: {
      ...real.lists,
      disposableTier: () => row.disposableTier ?? null,
      isRelay: () => row.relay === true,
      isAgent: () => false,
      isImitated: () => false,
      isFreeProvider: () => false,
      isSharedName: () => false,
      isRoleName: () => row.role === true,
    },
  };
}

/** What the case's address shows by itself: no more than the case says, whatever `example.com` is. */
export const sandboxFeatures = ({ meantDomain, placeholder, role }: SandboxCase): Feature[] => [
  ...(meantDomain === undefined ? [] : (['typo_domain'] as const)),
  ...(placeholder === true ? (['placeholder'] as const) : []),
  ...(role === true ? (['role'] as const) : []),
];

/** Two agree: after one `undeliverable` alone the probability is too uncertain for `invalid`. */
const SANDBOX_PROVIDERS = ['zerobounce', 'kickbox'] as const;

/** The answers of the sandbox's providers, free and at once. */
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
