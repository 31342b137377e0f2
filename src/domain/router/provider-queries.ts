import type { ProviderAnswer, ProviderId } from '../belief/provider.ts';
import type { FailureKind } from './provider-health.ts';
import type { RouteStep } from './router.ts';

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

/** What became of asking providers about one address. */
export interface ProviderQueries {
  readonly results: readonly ProviderResult[];
  readonly failures: readonly FailedCall[];
  readonly steps: readonly RouteStep[];
  /** What the answers cost. */
  readonly spendMicros: number;
}

/** The most that vendors may bill, calls without an answer included. */
export const billedMicros = ({ spendMicros, failures }: ProviderQueries): number =>
  failures.reduce((sum, { owedMicros }) => sum + owedMicros, spendMicros);
