import type { Features, Trace } from '../../contract/traces.ts';
import type { Recommendation, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { bestOfEach, type DatedAnswer } from './answer.ts';
import { computePosterior, type Posterior, type PosteriorInputs } from './conclusion.ts';
import { groundsFrom } from './grounds.ts';
import type { Feature, LifeClass, ProofOfLife } from './history.ts';
import type { HostClass } from './host-class.ts';
import { lossesOf } from './losses.ts';
import type { Model } from './model.ts';
import { isCertain, isTerminal } from './precheck.ts';
import { recommend } from './recommend.ts';
import type { DatedReport, Seens } from './sightings.ts';
import { verdictOf } from './verdict.ts';

export interface Replayed extends Posterior {
  /** Null: the trace does not keep the purpose. */
  readonly words: { readonly verdict: Verdict; readonly recommendation: Recommendation } | null;
}

/** A kept age, with the moment of the answer at 0. */
const at = (ageS: number): number => -ageS * SECOND_MS;

const PROOFS: readonly string[] = ['confirmed', 'paid'] satisfies readonly LifeClass[];

/** What was seen of the address, by its kept features and the providers' receipts. */
export function seenIn(features: Features, providers: NonNullable<Trace['providers']>): Seens {
  const known = features.known_answers.map(({ provider, verdict, age_s }) => ({ provider, verdict, at: at(age_s) }));
  const fresh = Object.entries(providers).map(([provider, { verdict }]) => ({ provider, verdict, at: 0 }));
  const outcomes = features.known_outcomes.map(({ class: kind, age_s, ...rest }) => ({
    class: kind,
    at: at(age_s),
    ...rest,
  }));
  return {
    answers: bestOfEach([...known, ...fresh] as DatedAnswer[]),
    reports: outcomes.filter((each) => !PROOFS.includes(each.class)) as DatedReport[],
    proofs: outcomes.filter((each) => PROOFS.includes(each.class)) as ProofOfLife[],
  };
}

type Detail = Pick<Trace, 'features' | 'providers' | 'reasons'>;

/** The detail that a number followed from. Null: the trace has lost it. */
function detailOf({ features, providers, reasons }: Detail) {
  if (features === null || providers === null || reasons === null) return null;
  return { features, providers, reasons };
}

function inputsFrom(
  { features, providers, reasons }: NonNullable<ReturnType<typeof detailOf>>,
  model: Model,
): PosteriorInputs {
  const { neighbours } = features;
  return {
    model,
    host: features.host_class as HostClass,
    certain: reasons.some(isCertain),
    features: features.x as Feature[],
    first: {
      acceptsAll: neighbours.accepts_all,
      deadStrict: neighbours.dead_strict,
      deadAcceptsAll: neighbours.dead_accepts_all,
      variance: neighbours.var,
    },
    ...seenIn(features, providers),
    now: 0,
  };
}

/** What a number followed from, by its trace and the model it names. Null: the trace has lost its detail. */
export function inputsOf(trace: Detail, model: Model): PosteriorInputs | null {
  const detail = detailOf(trace);
  return detail && inputsFrom(detail, model);
}

/** Computes the answer again from a trace and the model it names. Null: the trace has lost its detail. */
export function replay(trace: Detail & Pick<Trace, 'context' | 'degraded'>, model: Model): Replayed | null {
  const detail = detailOf(trace);
  if (detail === null) return null;
  const { features, reasons } = detail;
  const { context, degraded } = trace;
  const inputs = inputsFrom(detail, model);
  const concluded = computePosterior(inputs);
  const purpose = context?.purpose;
  if (purpose === undefined) return { ...concluded, words: null };
  const stakes = { purpose, losses: lossesOf(features.losses) };
  const grounds = groundsFrom(inputs.answers, inputs.reports, inputs.features);
  return {
    ...concluded,
    words: {
      verdict: verdictOf(concluded.belief, degraded),
      recommendation: recommend(concluded.belief, stakes, grounds, reasons.some(isTerminal)),
    },
  };
}
