import type { Decision } from '../api/schema.ts';

/** Best first. */
export const DECISIONS: readonly Decision[] = ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'];

/** Best first: decisions, recommendations and verdicts. `challenge` is both of the first two. */
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
  // Basis of an answer, least known first.
  'basis_local',
  'basis_provider',
  'basis_history',
  'basis_rule',
];

const placeOf = (term: string): number => (ORDER.includes(term) ? ORDER.indexOf(term) : ORDER.length);

/** Sorts by term. Unknown terms come last in their given order. */
export const byTerm = (one: { readonly term: string }, other: { readonly term: string }): number =>
  placeOf(one.term) - placeOf(other.term);
