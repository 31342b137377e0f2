import type { Answer } from '../verification/answer.ts';
import type { HostClass } from '../verification/host-class.ts';
import { SEEDED_MODEL } from '../verification/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../verification/provider.ts';
import { VERDICTS } from '../verification/provider-table.ts';
import type { TracePattern } from './pattern.ts';

/** Weights come as whole millionths: their sums are exact, so the same traces give the same model in any order. */
export const WEIGHT_UNIT = 1e-6;

/** A pattern as the store groups it: `answers` as traces have them, weights in `WEIGHT_UNIT`. */
export type StoredPattern = readonly [
  fold: number,
  host: string,
  answers: string,
  lnOdds: number,
  weight: number,
  bouncedCount: number,
  bouncedWeight: number,
  landedCount: number,
  landedWeight: number,
];

/** Null: no provider or verdict has the word. */
function answerFrom(word: string): Answer | null {
  const [id, said] = word.split(':');
  const provider = PROVIDER_IDS.find((known) => known === id);
  const verdict = VERDICTS.find((known) => known === said);
  return provider === undefined || verdict === undefined ? null : { provider, verdict };
}

/**
 * The pattern of a stored row. Null where a trace names a host class, a provider or a verdict that there is none of: without
 * that answer it would be another pattern.
 */
export function patternFrom(stored: StoredPattern): TracePattern | null {
  const [fold, host, text, lnOdds, weight, bounced, bouncedWeight, landed, landedWeight] = stored;
  const said = text.split(' ').filter((word) => word !== '');
  const answers = new Map<ProviderId, Answer>();
  for (const word of said) {
    const answer = answerFrom(word);
    if (answer === null) return null;
    answers.set(answer.provider, answer);
  }
  if (!(host in SEEDED_MODEL.prior)) return null;
  return {
    fold,
    host: host as HostClass,
    answers: [...answers.values()],
    acceptsAllOdds: Math.exp(lnOdds),
    weight: weight * WEIGHT_UNIT,
    bounced: { count: bounced, weight: bouncedWeight * WEIGHT_UNIT },
    landed: { count: landed, weight: landedWeight * WEIGHT_UNIT },
  };
}
