import type { Decision } from '../api/schema.ts';

/** From the best to the worst. */
export const DECISIONS: readonly Decision[] = ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'];

/** From the best to the worst: decisions, recommendations and verdicts, each in its own order. A challenge is of both of the former. */
const ORDER = [
  'allow',
  'send',
  'allow_with_flow',
  'review',
  'hold',
  'challenge',
  'deny',
  'drop',
  'valid',
  'likely_valid',
  'risky',
  'likely_invalid',
  'invalid',
  'unknown',
  // What an answer rests on: from what nobody looked at to what is settled.
  'basis_local',
  'basis_provider',
  'basis_history',
  'basis_rule',
];

const placeOf = (term: string): number => (ORDER.includes(term) ? ORDER.indexOf(term) : ORDER.length);

/** Sorts what carries a term: those that have no order come last, and keep theirs among each other. */
export const byTerm = (one: { readonly term: string }, other: { readonly term: string }): number =>
  placeOf(one.term) - placeOf(other.term);
