import type { Trace } from '../../contract/traces.ts';
import type { Recommendation, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { computePosterior, type Posterior } from './conclusion.ts';
import type { Answer } from './evidence.ts';
import { groundsFrom } from './grounds.ts';
import type { HostClass } from './host-class.ts';
import { lossesOf } from './losses.ts';
import type { Model } from './model.ts';
import { isCertain, isTerminal } from './precheck.ts';
import type { ProviderId } from './provider.ts';
import { recommend } from './recommend.ts';
import { verdictOf } from './verdict.ts';

export interface Replayed extends Posterior {
  /** Null: the trace does not keep the losses, and was written when the words followed from other rules. */
  readonly words: { readonly verdict: Verdict; readonly recommendation: Recommendation } | null;
}

const answer = (provider: string, verdict: Answer['verdict']): Answer => ({
  provider: provider as ProviderId,
  verdict,
});

/**
 * Computes the answer again from a trace and the model it names; null once the trace has lost its detail. Ids of hosts
 * and providers are those of the release that wrote it.
 */
export function replay(
  {
    features,
    providers,
    reasons,
    context,
    degraded,
  }: Pick<Trace, 'features' | 'providers' | 'reasons' | 'context' | 'degraded'>,
  model: Model,
): Replayed | null {
  if (features === null || providers === null || reasons === null) return null;
  const known = features.known_answers.map(({ provider, verdict }) => answer(provider, verdict));
  const fresh = Object.entries(providers).map(([provider, { verdict }]) => answer(provider, verdict));
  const told = features.known_answers.filter(({ verdict }) => verdict !== 'unknown');
  const concluded = computePosterior({
    model,
    host: features.host_class as HostClass,
    certain: reasons.some(isCertain),
    known,
    knownAgeMs: told.length === 0 ? 0 : Math.min(...told.map(({ age_s }) => age_s)) * SECOND_MS,
    fresh,
    acceptsAllOdds: features.accepts_all_odds,
  });
  const purpose = context?.purpose;
  if (features.losses === undefined || purpose === undefined) return { ...concluded, words: null };
  const stakes = { purpose, losses: lossesOf(features.losses) };
  const grounds = groundsFrom([...known, ...fresh], [], []);
  return {
    ...concluded,
    words: {
      verdict: verdictOf(concluded.belief, degraded),
      recommendation: recommend(concluded.belief, stakes, grounds, reasons.some(isTerminal)),
    },
  };
}
