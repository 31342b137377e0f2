/** The sets an entry of the packed tables can be in, as bits of its byte. Their order is part of the file format. */
export const DOMAIN_SETS = {
  block: 1,
  signal: 2,
  free: 4,
  relay: 8,
  agent: 16,
  known: 32,
  /** The curated list once held it, and took it out on review. */
  withdrawn: 64,
  /** Providers, brands and popular sites: what a look-alike is meant to be taken for. */
  imitated: 128,
} as const;
export type DomainSet = keyof typeof DOMAIN_SETS;

export const NAME_SETS = {
  role: 1,
  shared: 2,
  /** Where or whose: no function alone, but breaks none (`us` in `sales-us`). */
  word: 4,
  /** Says shared in any place: `the.miller.family`. */
  household: 8,
} as const;
