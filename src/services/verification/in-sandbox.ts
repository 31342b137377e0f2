import type { FindMailHosts, MailHosts } from '../../domain/dns/mail-hosts.ts';
import type { Lists } from '../../domain/lists/types.ts';
import type { SandboxCase } from '../../domain/verification/sandbox.ts';
import { pause } from '../../kernel/deadline.ts';
import type { ProviderQueries } from './query-providers.ts';

const FOUND: MailHosts = { kind: 'found', hosts: ['aspmx.l.google.com'], implicit: false };

/** What an address is looked up in. */
interface World {
  readonly findMailHosts: FindMailHosts;
  readonly lists: Lists;
}

/** The sandbox's world: DNS and lists say what the case says, within `patienceMs`. */
export function inSandbox(world: World, row: SandboxCase, patienceMs: number): World {
  return {
    findMailHosts: async () => {
      await pause(Math.min(row.delayMs ?? 0, patienceMs));
      return row.mail ?? FOUND;
    },
    lists: {
      ...world.lists,
      disposableTier: () => row.disposableTier ?? null,
      isRelay: () => row.relay === true,
      isAgent: () => false,
      isFreeProvider: () => false,
      isSharedName: () => false,
      isRoleName: () => row.role === true,
    },
  };
}

/** Two that agree: one alone leaves a refusal too uncertain for a verdict. */
const SANDBOX_PROVIDERS = ['zerobounce', 'kickbox'] as const;

/** What the sandbox's providers, free and at once, have to say. */
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
  };
  const results = SANDBOX_PROVIDERS.map((provider) => ({ provider, answer, ms: 0 }));
  return { results, failures, steps: [], spendMicros: 0 };
}
