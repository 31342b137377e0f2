import { getDomain } from 'tldts';
import type { Esp, MxProvider } from '../../contract/vocabulary.ts';
import patterns from './patterns.json' with { type: 'json' };

/** A row of `patterns.json`: hosts at or below `suffix`. */
interface Pattern {
  readonly suffix: string;
  /** Who runs the hosts; finer than the public label, for the belief model. */
  readonly family: string;
  /** One of the public labels, where the hosts are theirs. */
  readonly label?: MxProvider;
  /** Where the hosts say it by themselves: a business suite, or hosts that serve consumer domains alone. */
  readonly esp?: Esp;
  /** A security gateway: whose mailboxes stand behind it can't be seen. */
  readonly gateway?: boolean;
  readonly reason: string;
}

export interface MailboxProvider {
  /** Null without mail hosts, `unknown` when no row knows one of them. */
  readonly mxProvider: MxProvider | null;
  readonly esp: Esp;
  readonly gateway: boolean;
  readonly family: string | null;
}

export interface MailHostFacts {
  /** Lower case, no trailing dot, best preference first; the domain itself for an implicit MX. */
  readonly hosts: readonly string[];
  /** The domain they receive for: lower-case A-labels. */
  readonly domain: string;
  /** The domain is a consumer mailbox provider's. */
  readonly isFree: boolean;
}

const BY_SUFFIX: ReadonlyMap<string, Pattern> = new Map(
  (patterns as readonly Pattern[]).map((row) => [row.suffix, row]),
);
const PRIVATE_TOO = { allowPrivateDomains: true };

/** The row with the longest suffix; a suffix ends at a dot of the host, so `xmimecast.com` is not Mimecast's. */
function patternOf(host: string): Pattern | undefined {
  for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
    const row = BY_SUFFIX.get(name);
    if (row !== undefined || !name.includes('.')) return row;
  }
  return undefined;
}

const NO_HOSTS: MailboxProvider = { mxProvider: null, esp: 'unknown', gateway: false, family: null };

/**
 * Who takes a domain's mail. The first host a row knows decides: senders try the best preference first (RFC 5321 §5.1), and
 * a host no row knows says nothing about those after it. So a gateway before Google hides it, one after Google does not.
 */
export function classifyMailHosts(facts: MailHostFacts): MailboxProvider {
  if (facts.hosts.length === 0) return NO_HOSTS;
  const row = facts.hosts.map(patternOf).find((found) => found !== undefined);
  return {
    mxProvider: row?.label ?? 'unknown',
    esp: espOf(facts, row),
    gateway: row?.gateway === true,
    family: row?.family ?? null,
  };
}

function espOf({ hosts, domain, isFree }: MailHostFacts, row: Pattern | undefined): Esp {
  if (row?.gateway === true) return 'unknown';
  if (isFree) return 'consumer_esp';
  if (row?.esp !== undefined) return row.esp;
  const own = getDomain(domain, PRIVATE_TOO);
  return own !== null && own === getDomain(hosts[0] ?? '', PRIVATE_TOO) ? 'self_hosted' : 'unknown';
}
