/** `block`: confirmed disposable. `signal`: worth a look, never a block. */
export type DisposableTier = 'block' | 'signal';

/**
 * What the lists say. Domains are lower-case A-labels. A domain question is answered by the most specific listed
 * name among the domain and its parents, down to the registrable domain: a public suffix (also one of a hosting provider)
 * never answers for the names below it. As one name answers every question, a domain is never both known and blocked.
 * Local parts are compared in lower case, without a plus tag.
 */
export interface Lists {
  disposableTier(domain: string): DisposableTier | null;
  /** A list calls it a consumer mailbox provider's (gmail.com, gmx.de ...). Not known beside: a wide list alone, often outdated. */
  isFreeProvider(domain: string): boolean;
  /** Forwards to a hidden real mailbox (privaterelay.appleid.com, duck.com ...). */
  isRelay(domain: string): boolean;
  /** Mailboxes read by software agents rather than people. */
  isAgent(domain: string): boolean;
  /** Known legitimate: never in the block tier. */
  isKnown(domain: string): boolean;
  /** Known to so many people that others imitate it: a provider, a brand, a popular site. */
  isImitated(domain: string): boolean;
  /** A function, not a person (info, sales, postmaster ...). */
  isRoleName(local: string): boolean;
  /** A group or household (team, staff, family ...). */
  isSharedName(local: string): boolean;
}

/** The lists that come with the Worker. */
export interface BundledLists extends Lists {
  /** Domains in either disposable tier. */
  readonly disposables: number;
  /** A reviewer took it out of the curated list, and the bundle says nothing else of it. */
  isWithdrawn(domain: string): boolean;
}
