import { DAY_MS } from '../../kernel/clock.ts';
import type { ProviderId, ProviderVerdict } from './provider.ts';

/** What one provider says about an address. */
export interface Answer {
  readonly provider: ProviderId;
  readonly verdict: ProviderVerdict;
}

/** A provider's answer and when it came, in epoch milliseconds. */
export interface DatedAnswer extends Answer {
  readonly at: number;
}

/** A provider's answer as it is kept: when it came, and what it says of the domain. */
export interface KnownAnswer extends DatedAnswer {
  readonly catch_all: boolean | null;
}

/** How long a provider's answer counts. It ages by itself; later it says too little to be kept apart. */
export const ANSWER_LASTS_MS = 180 * DAY_MS;

/**
 * The newest answer of each provider. An `unknown` only where that provider has no other: a time-out of today does not erase a
 * refusal of last week.
 */
export function bestOfEach<T extends DatedAnswer>(answers: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const answer of answers) {
    const other = best.get(answer.provider);
    const [tells, toldBefore] = [answer.verdict !== 'unknown', other !== undefined && other.verdict !== 'unknown'];
    if (other === undefined || (tells === toldBefore ? answer.at >= other.at : tells))
      best.set(answer.provider, answer);
  }
  return [...best.values()];
}

/** The answers that still count. */
export const usedAnswers = <T extends DatedAnswer>(answers: readonly T[], now: number): T[] =>
  bestOfEach(answers.filter(({ at }) => now - at < ANSWER_LASTS_MS));
