import type { Features, Trace } from '../../contract/traces.ts';
import type { Recommendation, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import {
  type DatedAnswer,
  type DatedReport,
  type Feature,
  type LifeClass,
  newestOfEach,
  type ProofOfLife,
} from '../belief/facts.ts';
import type { HostClass } from '../belief/host-class.ts';
import type { Model } from '../belief/model.ts';
import { groundsFrom, lossesOf, recommend } from '../router/losses.ts';
import { computePosterior, type Posterior, type PosteriorInputs } from './conclusion.ts';
import { isCertain, isTerminal } from './precheck.ts';
import { verdictOf } from './verdict.ts';

export interface Replayed extends Posterior {
  readonly verdict: Verdict;
  readonly recommendation: Recommendation;
}

/** A kept age, with the moment of the answer at 0. */
const at = (ageS: number): number => -ageS * SECOND_MS;

const PROOFS: readonly string[] = ['confirmed', 'paid'] satisfies readonly LifeClass[];

/** The facts about the address, by its kept features and the providers' receipts. */
export function factsIn(features: Features, providers: NonNullable<Trace['providers']>) {
  const known = features.known_answers.map(({ age_s, ...answer }) => ({ ...answer, at: at(age_s) }));
  const fresh = Object.entries(providers).map(([provider, { verdict, reason }]) => ({
    provider,
    verdict,
    at: 0,
    ...(reason === 'mailbox_full' && { full: true as const }),
  }));
  const outcomes = features.known_outcomes.map(({ age_s, ...rest }) => ({ ...rest, at: at(age_s) }));
  return {
    answers: newestOfEach([...known, ...fresh] as DatedAnswer[]),
    reports: outcomes.filter((each) => !PROOFS.includes(each.class)) as DatedReport[],
    proofs: outcomes.filter((each) => PROOFS.includes(each.class)) as ProofOfLife[],
  };
}

type Detail = Pick<Trace, 'features' | 'providers' | 'reasons' | 'context'>;

/** What a number followed from, by its trace and the model it names. Null: the trace has lost its detail. */
export function inputsOf({ features, providers, reasons, context }: Detail, model: Model): PosteriorInputs | null {
  if (features === null || providers === null || reasons === null) return null;
  const { neighbours } = features;
  const errors = features.known_outcomes.flatMap(({ source, wrong }) =>
    source === undefined || wrong === undefined ? [] : [[source, wrong] as const],
  );
  return {
    model,
    host: features.host_class as HostClass,
    certain: reasons.some(isCertain),
    features: features.x as Feature[],
    purpose: context?.purpose ?? null,
    initial: {
      acceptsAll: neighbours.accepts_all,
      bounceStrict: neighbours.dead_strict,
      bounceAcceptsAll: neighbours.dead_accepts_all,
      variance: neighbours.var,
    },
    errors: Object.fromEntries(errors),
    ...factsIn(features, providers),
    now: 0,
  };
}

/** Computes the answer again from a trace and the model it names. Null: the trace has lost its detail. */
export function replay(trace: Detail & Pick<Trace, 'verdict' | 'kind' | 'signals'>, model: Model): Replayed | null {
  const inputs = inputsOf(trace, model);
  const { features, reasons, context } = trace;
  if (inputs === null || features === null || reasons === null || context?.purpose === undefined) return null;
  const concluded = computePosterior(inputs);
  const grounds = groundsFrom({ ...inputs, isFile: trace.kind === 'bulk', warning: trace.signals?.warning ?? null });
  const stakes = { purpose: context.purpose, losses: lossesOf(features.losses) };
  return {
    ...concluded,
    verdict: verdictOf(concluded.belief, trace.verdict === 'unknown'),
    recommendation: recommend(concluded.belief, stakes, grounds, reasons.some(isTerminal)),
  };
}
