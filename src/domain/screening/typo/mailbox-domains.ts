import TABLE from './mailbox-domains.json' with { type: 'json' };
import { BAND, BOUNDARY, firstRow, nextRow, prepare, symbolsOf } from './typos.ts';

/**
 * Mailbox domains people mean, with the share of typed addresses each has: what a typo is weighed with. Judged, and
 * only to the order of magnitude, which is all that counts: a factor of three is 1.1 nats, one typo is 8. Gmail, Outlook.com,
 * Yahoo and iCloud by the user numbers their owners state, national and access providers by the people they serve.
 */
const { shares, mailBrands, worldBrands } = TABLE;

/** Names that are a mailbox service's and nothing else: under a suffix where it has no mail, they are a typo. */
export const MAIL_BRANDS: ReadonlySet<string> = new Set(mailBrands);

/** Mailbox services of many countries whose names others bear too: under another suffix `.com` may have been meant. */
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
/** The largest domain of each brand. */
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

/** The likeliest first: what is found raises the floor for the rest. */
function sortChildren(node: Node): void {
  node.children.sort((a, b) => b.best - a.best);
  for (const child of node.children) sortChildren(child);
}

const ROOT = plant(MAILBOX_DOMAINS);
const DEEPEST = Math.max(...MAILBOX_DOMAINS.map(({ domain }) => domain.length));
/** A longer text is too long for a typo of any mailbox domain. Bounds the work. */
const LONGEST = DEEPEST + 8;
const WIDTH = LONGEST + 1;
/** One matrix for all walks: a walk never waits. */
const MATRIX = new Float64Array((DEEPEST + 1) * WIDTH);

/** What the first `length` typed characters cost as a typo, in nats. */
type CostAt = (length: number) => number;

interface Visitor {
  /** Log probability below which nothing is of interest any more; asked again at every branch. */
  floor(): number;
  /** A provider the text, or its beginning, may be a typo of. */
  provider(provider: MailboxDomain, costAt: CostAt): void;
  /** A brand the text's beginning may be a typo of, with its domains. */
  brand(variants: readonly MailboxDomain[], costAt: CostAt): void;
}

/**
 * Walks the trie of providers with the weighted edit distance to the typed text, a row of the matrix a node. Leaves out the
 * branches whose log probability can't reach the floor.
 */
export function walkMailboxDomains(text: string, substitute: Float64Array, visitor: Visitor): void {
  if (text.length > LONGEST) return;
  const typed = prepare(text, substitute);
  firstRow(MATRIX, typed);
  const visit = (node: Node, depth: number, cost: number): void => {
    if (node.provider !== null || node.variants.length > 0) {
      // What lies outside the band was not filled.
      const costAt: CostAt = (length) =>
        depth - length > BAND ? Number.POSITIVE_INFINITY : (MATRIX[depth * WIDTH + length] as number);
      if (node.provider !== null) visitor.provider(node.provider, costAt);
      if (node.variants.length > 0) visitor.brand(node.variants, costAt);
    }
    for (const child of node.children) {
      // No row costs less than the one before it.
      if (child.best - cost < visitor.floor()) continue;
      const least = nextRow(MATRIX, WIDTH, depth + 1, node.symbol, child.symbol, typed);
      if (child.best - least >= visitor.floor()) visit(child, depth + 1, least);
    }
  };
  visit(ROOT, 0, 0);
}
