import { getDomain } from 'tldts';
import type { Esp, MxProvider } from '../../contract/vocabulary.ts';
import { openPatterns, type Pattern } from './patterns.ts';

export interface MailboxProvider {
  /** Null without mail hosts, `unknown` when the table knows none of the hosts. */
  readonly mxProvider: MxProvider | null;
  readonly esp: Esp;
  readonly gateway: boolean;
  readonly family: string | null;
  /** The hosts serve the domains of a consumer mailbox provider alone. */
  readonly consumerHosts: boolean;
}

export interface MailHostFacts {
  /** Lower case, no trailing dot, best preference first; the domain itself for an implicit MX. */
  readonly hosts: readonly string[];
  /** The domain they receive for: lower-case A-labels. */
  readonly domain: string;
  /** The domain is a consumer mailbox provider's (`isConsumerDomain`). */
  readonly isFree: boolean;
}

const PRIVATE_TOO = { allowPrivateDomains: true };

/** Nobody takes the mail. */
export const NO_HOSTS: MailboxProvider = {
  mxProvider: null,
  esp: 'unknown',
  gateway: false,
  family: null,
  consumerHosts: false,
};

/**
 * Who takes a domain's mail. The first host that the table knows decides, because senders try the best preference first
 * (RFC 5321 §5.1); unknown hosts are skipped. So a gateway before Google hides it, and one after Google does not.
 */
export type MailHostClassifier = (facts: MailHostFacts) => MailboxProvider;

/** `patterns`: the packed rows, `data/patterns.bin`. Throws when they are not what the builder wrote. */
export function createMailHostClassifier(patterns: ArrayBuffer | Uint8Array): MailHostClassifier {
  const patternOf = openPatterns(patterns);
  return (facts) => {
    if (facts.hosts.length === 0) return NO_HOSTS;
    const row = facts.hosts.map(patternOf).find((found) => found !== undefined);
    return {
      mxProvider: row?.label ?? 'unknown',
      esp: espOf(facts, row),
      gateway: row?.gateway === true,
      family: row?.family ?? null,
      consumerHosts: row?.own === true || row?.esp === 'consumer_esp',
    };
  };
}

/** Whether a known mailbox provider, or a gateway before one, runs this host. */
export const providersHosts =
  (classify: MailHostClassifier) =>
  (host: string): boolean =>
    classify({ hosts: [host], domain: host, isFree: false }).family !== null;

function espOf({ hosts, domain, isFree }: MailHostFacts, row: Pattern | undefined): Esp {
  if (row?.gateway === true) return 'unknown';
  if (isFree) return 'consumer_esp';
  if (row !== undefined && row.esp !== null) return row.esp;
  const own = getDomain(domain, PRIVATE_TOO);
  return own !== null && own === getDomain(hosts[0] ?? '', PRIVATE_TOO) ? 'self_hosted' : 'unknown';
}
