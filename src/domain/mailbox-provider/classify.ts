import { getDomain } from 'tldts';
import type { Esp, MxProvider } from '../../contract/vocabulary.ts';
import { packedRows } from '../../kernel/encoding.ts';
import type { Lists } from '../lists/lists.ts';

/** The packed rows' first line. */
export const PATTERNS_FORM = 'mail host patterns 2';
/** Stands for a missing label or esp. */
export const NONE = '-';
/** Marks a gateway, which has no mailboxes of its own. */
export const GATEWAY = 'gateway';
export const OWN = 'own';

/** A row of `patterns.json` about the hosts at or below its suffix. */
export interface Pattern {
  /** The operator of the hosts; finer than the public label, for the belief model. */
  readonly family: string;
  readonly label: MxProvider | null;
  /** What the hosts alone show: a business suite, or hosts of consumer domains only. */
  readonly esp: Esp | null;
  /** A security gateway: it hides who runs the mailboxes. */
  readonly gateway: boolean;
  /** The hosts serve only the provider's own domains, so a domain with them is one of these. */
  readonly own: boolean;
}

/** The cast is safe because the builder checks the values. */
const valueOf = <T extends string>(cell: string): T | null => (cell === NONE ? null : (cell as T));

/**
 * A host's row, the one with the longest suffix; a suffix starts after a dot, so `xmimecast.com` is not Mimecast's.
 * `data`: packed rows, one pattern a line, `family label esp kind suffixes…`.
 */
export function openPatterns(data: ArrayBuffer | Uint8Array): (host: string) => Pattern | undefined {
  const bySuffix = new Map<string, Pattern>();
  for (const row of packedRows(data, PATTERNS_FORM)) {
    const [family = '', label = NONE, esp = NONE, kind = NONE, ...suffixes] = row.split(' ');
    const pattern: Pattern = {
      family,
      label: valueOf(label),
      esp: valueOf(esp),
      gateway: kind === GATEWAY,
      own: kind === OWN,
    };
    for (const suffix of suffixes) bySuffix.set(suffix, pattern);
  }
  return (host) => {
    for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
      const pattern = bySuffix.get(name);
      if (pattern !== undefined || !name.includes('.')) return pattern;
    }
    return undefined;
  };
}

export interface MailboxProvider {
  /** Null without mail hosts, `unknown` when the table knows none of them. */
  readonly mxProvider: MxProvider | null;
  readonly esp: Esp;
  readonly gateway: boolean;
  readonly family: string | null;
  /** The hosts serve only a consumer mailbox provider's domains. */
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

export const NO_HOSTS: MailboxProvider = {
  mxProvider: null,
  esp: 'unknown',
  gateway: false,
  family: null,
  consumerHosts: false,
};

/**
 * Who takes a domain's mail. The first host that the table knows decides, since senders try the best preference first
 * (RFC 5321 §5.1). So a gateway before Google hides it, and one after Google does not.
 */
export type MailHostClassifier = (facts: MailHostFacts) => MailboxProvider;

/** `patterns`: the packed rows, `data/patterns.bin`. Throws if the builder did not write them. */
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

/** A wide list alone does not make a domain known. */
const isCurated = (lists: Lists, domain: string): boolean => lists.isFreeProvider(domain) && lists.isKnown(domain);

/** Whether mail hosts are a consumer provider's: by the table, or for unknown hosts by a curated provider's domain. */
export function areConsumerHosts(lists: Lists, classify: MailHostClassifier, hosts: readonly string[]): boolean {
  const { family, consumerHosts } = classify({ hosts, domain: '', isFree: false });
  return consumerHosts || (family === null && hosts.some((host) => isCurated(lists, getDomain(host) ?? '')));
}

/**
 * Whether a domain is a consumer mailbox provider's. Wide lists contain domains that companies and persons have bought
 * since, so their word counts only where a provider's hosts take the mail.
 */
export const isConsumerDomain = (
  lists: Lists,
  classify: MailHostClassifier,
  domain: string,
  hosts: readonly string[],
): boolean => lists.isFreeProvider(domain) && (lists.isKnown(domain) || areConsumerHosts(lists, classify, hosts));
