import { MAILBOX_DOMAINS, type MailboxDomain } from './mailbox-domains.ts';
import { BAND, BOUNDARY, firstRow, nextRow, prepare, symbolsOf } from './typos.ts';

interface Node {
  readonly symbol: number;
  readonly children: Node[];
  /** The greatest log share below. */
  best: number;
  provider: MailboxDomain | null;
  /** Of a node that ends a brand (`yahoo`): its domains. */
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
const ROWS = new Float64Array((DEEPEST + 1) * WIDTH);

/** What the first `length` typed characters cost as a typo, in nats. */
export type CostAt = (length: number) => number;

export interface Visitor {
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
  firstRow(ROWS, typed);
  const visit = (node: Node, depth: number, cost: number): void => {
    if (node.provider !== null || node.variants.length > 0) {
      // What lies outside the band was not filled.
      const costAt: CostAt = (length) =>
        depth - length > BAND ? Number.POSITIVE_INFINITY : (ROWS[depth * WIDTH + length] as number);
      if (node.provider !== null) visitor.provider(node.provider, costAt);
      if (node.variants.length > 0) visitor.brand(node.variants, costAt);
    }
    for (const child of node.children) {
      // No row costs less than the one before it.
      if (child.best - cost < visitor.floor()) continue;
      const least = nextRow(ROWS, WIDTH, depth + 1, node.symbol, child.symbol, typed);
      if (child.best - least >= visitor.floor()) visit(child, depth + 1, least);
    }
  };
  visit(ROOT, 0, 0);
}
