import type { AddressFacts, KnownAnswer, Observation, ObservationContext } from '../../src/domain/belief/facts.ts';
import { rowName } from '../../src/domain/belief/names.ts';
import { DAY_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { sha256Hex } from '../../src/kernel/crypto.ts';
import { START_MS } from './records.ts';

export const NOW = START_MS - (START_MS % SECOND_MS);
export const daysAgo = (days: number): number => NOW - days * DAY_MS;

/** A row's name. */
export const hashOf = (text: string): string => rowName(sha256Hex(text));

/** A business address first seen now, without any facts. */
export const addressOf = (change: Partial<AddressFacts> = {}): AddressFacts => ({
  firstSeenAt: NOW,
  host: 'unknown_business',
  features: [],
  purpose: 'outbound',
  domain: hashOf('acme.test'),
  list: hashOf('a list'),
  answers: [],
  reports: [],
  proofs: [],
  ...change,
});

export const answer = (change: Partial<KnownAnswer> = {}): KnownAnswer => ({
  provider: 'kickbox',
  verdict: 'undeliverable',
  at: NOW,
  ...change,
});

/** The observation context of a local part at one business, in one list. */
export const contextOf = (local = 'ada', change: Partial<ObservationContext> = {}): ObservationContext => ({
  address: hashOf(local),
  domain: hashOf('acme.test'),
  list: hashOf('a list'),
  at: NOW,
  host: 'google_business',
  features: [],
  purpose: 'signup',
  ...change,
});

export const observation = (change: Partial<Observation> = {}): Observation => ({
  context: contextOf(),
  answers: [],
  report: null,
  proof: null,
  ...change,
});
