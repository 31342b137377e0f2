import type { Unasked } from '../../contract/vocabulary.ts';
import type { KeyMode } from '../access/key-format.ts';
import type { ProviderQueries } from './provider-queries.ts';
import type { Exclusion, RouteStep } from './router.ts';

/** Why a provider was left out, as callers read it. The first reason of this order that holds for one of them counts. */
const EXCLUDED: readonly (readonly [Exclusion, Unasked])[] = [
  ['reported', 'known'],
  ['settled', 'known'],
  ['known', 'known'],
  ['silent', 'known'],
  ['budget', 'budget_spent'],
  ['cost', 'over_the_ceiling'],
  ['time', 'unavailable'],
  ['circuit_open', 'unavailable'],
];

/** Why the router stopped before it asked anybody. */
export function unaskedBy({ candidates, excluded }: Pick<RouteStep, 'candidates' | 'excluded'>): Unasked {
  if (candidates.length > 0) return 'not_worth_its_price';
  return EXCLUDED.find(([exclusion]) => excluded.some(({ why }) => why === exclusion))?.[1] ?? 'no_provider';
}

/** Why no provider was asked about an address; null: one was. */
export function whyUnasked(
  mode: KeyMode,
  { terminal }: { readonly terminal: string | null },
  { results, failures, steps }: Pick<ProviderQueries, 'results' | 'failures' | 'steps'>,
): Unasked | null {
  if (results.length + failures.length > 0 && mode === 'live') return null;
  if (mode === 'test') return 'test_key';
  if (terminal !== null) return 'settled';
  const last = steps.at(-1);
  return last === undefined ? 'unavailable' : unaskedBy(last);
}
