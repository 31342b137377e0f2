import type { AddressFacts } from '../../src/domain/belief/facts.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';

export const NOW = 20_000 * DAY_MS;

/** An address of a business, first seen now, of which nothing is known. */
export const addressOf = (change: Partial<AddressFacts> = {}): AddressFacts => ({
  firstSeenAt: NOW,
  host: 'unknown_business',
  features: [],
  purpose: 'outbound',
  domain: 'd',
  list: 'l',
  answers: [],
  reports: [],
  proofs: [],
  part: null,
  ...change,
});
