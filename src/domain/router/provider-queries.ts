import type { Unasked } from '../../contract/vocabulary.ts';
import type { KeyMode } from '../access/keys.ts';
import type { ProviderAnswer, ProviderId } from '../belief/provider.ts';
import type { FailureKind } from './provider-health.ts';
import type { Exclusion, RouteStep } from './router.ts';

export interface ProviderResult {
  readonly provider: ProviderId;
  readonly answer: ProviderAnswer;
  readonly ms: number;
}

/** A call without an answer. `abandoned`: no longer worth waiting for. */
export interface FailedCall {
  readonly provider: ProviderId;
  readonly kind: FailureKind;
  readonly ms: number;
  /** The most that the vendor may still bill. */
  readonly owedMicros: number;
}

/** The provider calls about one address. */
export interface ProviderQueries {
  readonly results: readonly ProviderResult[];
  readonly failures: readonly FailedCall[];
  readonly steps: readonly RouteStep[];
  readonly spendMicros: number;
}

/** The highest possible bill, including calls without an answer. */
export const billedMicros = ({ spendMicros, failures }: ProviderQueries): number =>
  failures.reduce((sum, { owedMicros }) => sum + owedMicros, spendMicros);

/** Why a provider was left out. The first of these reasons that holds for any of them counts. */
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

/** Why no provider was asked about an address; null if one was. */
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
