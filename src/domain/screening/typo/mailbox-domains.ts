import TABLE from './mailbox-domains.json' with { type: 'json' };
import { BAND, BOUNDARY, firstRow, nextRow, prepare, symbolsOf } from './typos.ts';

/**
 * Mailbox domains with their share of typed addresses, which a typo is weighed with. Judged to the order of magnitude:
 * a factor of three is 1.1 nats, one typo is 8. Gmail, Outlook.com, Yahoo and iCloud by their stated user numbers,
 * national and access providers by the people they serve.
 */
const { shares, mailBrands, worldBrands } = TABLE;

/** Names of a mailbox service only: under a suffix where it has no mail, they are a typo. */
export const MAIL_BRANDS: ReadonlySet<string> = new Set(mailBrands);

/** International mailbox services whose names others have too: under another suffix, `.com` may be the right one. */
export const WORLD_BRANDS: ReadonlySet<string> = new Set(worldBrands);

export interface MailboxDomain {
  readonly domain: string;
  /** Before the first dot. */
  readonly brand: string;
  /** After it. */
  readonly suffix: string;
  /** The suffix typed twice, with one dot missing or none. */
  readonly repeated: readonly string[];
  /** Natural logarithm of its share of typed addresses. */
  readonly logShare: number;
}

function mailboxDomain(domain: string, share: number): MailboxDomain {
  const dot = domain.indexOf('.');
  const suffix = domain.slice(dot + 1);
  const repeated = [`.${suffix}.${suffix}`, `.${suffix}${suffix}`, `${suffix}.${suffix}`];
  return { domain, brand: domain.slice(0, dot), suffix, repeated, logShare: Math.log(share) };
}

export const MAILBOX_DOMAINS: readonly MailboxDomain[] = shares.flatMap(({ share, domains }) =>
  domains.split(' ').map((domain) => mailboxDomain(domain, share)),
);

const BY_DOMAIN: ReadonlyMap<string, MailboxDomain> = new Map(
  MAILBOX_DOMAINS.map((provider) => [provider.domain, provider]),
);
export const LARGEST_OF_BRAND: ReadonlyMap<string, MailboxDomain> = new Map(
  MAILBOX_DOMAINS.toReversed().map((provider) => [provider.brand, provider]),
);
export const mailboxDomainAt = (domain: string): MailboxDomain | null => BY_DOMAIN.get(domain) ?? null;
export const isMailboxDomain = (domain: string): boolean => BY_DOMAIN.has(domain);

interface Node {
  readonly symbol: number;
  readonly children: Node[];
  /** The greatest log share below. */
  best: number;
  provider: MailboxDomain | null;
  /** The domains of a node that ends a brand (`yahoo`). */
  readonly variants: MailboxDomain[];
}

const newNode = (symbol: number): Node => ({
  symbol,
  children: [],
  best: Number.NEGATIVE_INFINITY,
  provider: null,
  variants: [],
});

function plant(providers: readonly MailboxDomain[]): Node {
  const root = newNode(BOUNDARY);
  for (const provider of providers) {
    let node = root;
    symbolsOf(provider.domain).forEach((symbol, i) => {
      node.best = Math.max(node.best, provider.logShare);
      if (i === provider.brand.length) node.variants.push(provider);
      let child = node.children.find((one) => one.symbol === symbol);
      if (child === undefined) {
        child = newNode(symbol);
        node.children.push(child);
      }
      node = child;
    });
    node.best = provider.logShare;
    node.provider = provider;
  }
  sortChildren(root);
  return root;
}

/** Likeliest first, since a match raises the floor for the rest. */
function sortChildren(node: Node): void {
  node.children.sort((a, b) => b.best - a.best);
  for (const child of node.children) sortChildren(child);
}

const ROOT = plant(MAILBOX_DOMAINS);
const DEEPEST = Math.max(...MAILBOX_DOMAINS.map(({ domain }) => domain.length));
/** A longer text is too long for a typo of any mailbox domain. Bounds the work. */
const LONGEST = DEEPEST + 8;
const WIDTH = LONGEST + 1;
/** One matrix for all walks, which are synchronous. */
const MATRIX = new Float64Array((DEEPEST + 1) * WIDTH);

/** What the first `length` typed characters cost as a typo, in nats. */
type CostAt = (length: number) => number;

interface Visitor {
  /** The lowest log probability of interest, read again at every branch. */
  floor(): number;
  /** A provider that the text, or its start, may be a typo of. */
  provider(provider: MailboxDomain, costAt: CostAt): void;
  /** A brand that the text's start may be a typo of, with its domains. */
  brand(variants: readonly MailboxDomain[], costAt: CostAt): void;
}

/**
 * Walks the trie of providers with the weighted edit distance to the typed text, a matrix row a node. Prunes branches
 * whose log probability can't reach the floor.
 */
export function walkMailboxDomains(text: string, substitute: Float64Array, visitor: Visitor): void {
  if (text.length > LONGEST) return;
  const typed = prepare(text, substitute);
  firstRow(MATRIX, typed);
  const visit = (node: Node, depth: number, cost: number): void => {
    if (node.provider !== null || node.variants.length > 0) {
      // Cells outside the band are not filled.
      const costAt: CostAt = (length) =>
        depth - length > BAND ? Number.POSITIVE_INFINITY : (MATRIX[depth * WIDTH + length] as number);
      if (node.provider !== null) visitor.provider(node.provider, costAt);
      if (node.variants.length > 0) visitor.brand(node.variants, costAt);
    }
    for (const child of node.children) {
      // No row costs less than the previous one.
      if (child.best - cost < visitor.floor()) continue;
      const least = nextRow(MATRIX, WIDTH, depth + 1, node.symbol, child.symbol, typed);
      if (child.best - least >= visitor.floor()) visit(child, depth + 1, least);
    }
  };
  visit(ROOT, 0, 0);
}
