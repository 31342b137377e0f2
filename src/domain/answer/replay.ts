import type { LossSimulation } from '../../contract/losses.ts';
import type { Features, Trace } from '../../contract/traces.ts';
import type { Purpose, Recommendation, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { decimals } from '../../kernel/probability.ts';
import {
  type DatedAnswer,
  type DatedReport,
  type Feature,
  type LifeClass,
  type ProofOfLife,
  newestOfEach,
} from '../belief/facts.ts';
import type { HostClass } from '../belief/host-class.ts';
import { type Model, modelOf } from '../belief/model.ts';
import { type LossTable, groundsFrom, lossesOf, recommend, stakesOf } from '../router/losses.ts';
import { countChanges, type TraceDetail, type TraceRecord } from '../traces/traces.ts';
import { verdictOf } from './answer-shown.ts';
import { type Posterior, type PosteriorInputs, computePosterior } from './conclusion.ts';
import { evidenceShifts } from './evidence-shifts.ts';
import { isCertain, isTerminal } from './precheck.ts';

export interface Replayed extends Posterior {
  readonly verdict: Verdict;
  readonly recommendation: Recommendation;
}

/** A stored age as a time, with the answer's moment at 0. */
const at = (ageS: number): number => -ageS * SECOND_MS;

const PROOFS: readonly string[] = ['confirmed', 'paid'] satisfies readonly LifeClass[];

/** The facts about the address, from stored features and the providers' receipts. */
export function factsIn(features: Omit<Features, 'evidence'>, providers: NonNullable<Trace['providers']>) {
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

type Detail = Omit<Pick<Trace, 'features' | 'providers' | 'reasons' | 'context'>, 'features'> & {
  readonly features: Omit<Features, 'evidence'> | null;
};

/** A number's inputs, from its trace and model. Null means the trace has lost its detail. */
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

/** The evidence behind a trace's number; none where a finding or rule settled it, or its model is gone. */
export function evidenceOf(detail: TraceDetail): Features['evidence'] {
  const { features } = detail;
  const model = modelOf(features.model_version);
  // Postgres does not keep the order of keys, so simultaneous answers are ordered by name.
  const providers =
    detail.providers && Object.fromEntries(Object.entries(detail.providers).sort(([a], [b]) => (a < b ? -1 : 1)));
  const inputs = model && inputsOf({ ...detail, providers }, model);
  const [account, domain, list] = features.groups ?? [];
  if (inputs === null || account === undefined || domain === undefined || list === undefined) return [];
  const shared = Math.log(features.accepts_all_odds);
  return evidenceShifts(inputs, shared, [account, domain, list]).map(({ shift, ...rest }) => ({
    ...rest,
    shift: decimals(shift),
  }));
}

/** Recomputes the answer from a trace and its model. Null means the trace has lost its detail. */
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

/** The detail that a recommendation needs beside the probability. */
export const JUDGED_DETAIL = ['confidenceInterval', 'signals', 'providers', 'features', 'reasons', 'context'] as const;

export type JudgedTrace = Pick<TraceRecord, 'id' | 'kind' | 'recommendation' | 'bounceProbability'> & {
  readonly detail: Pick<TraceDetail, (typeof JUDGED_DETAIL)[number]> | null;
};

export interface LossSimulationRun {
  /** Adds a page of traces in any order. */
  add(traces: Iterable<JudgedTrace>): void;
  result(): Omit<LossSimulation, 'window_days' | 'complete'>;
}

/**
 * What these losses, under today's rules, would have recommended for stored traces. A trace without a purpose takes
 * today's default (`usual`). Undetermined: the detail is gone.
 */
export function openLossSimulation(table: LossTable, usual: Purpose): LossSimulationRun {
  const counts: Record<Recommendation, number> = { send: 0, hold: 0, challenge: 0, drop: 0 };
  const changes = countChanges<Recommendation>();
  let [traces, undetermined] = [0, 0];

  const note = ({ id, kind, recommendation: from, bounceProbability, detail }: JudgedTrace): void => {
    traces += 1;
    if (!detail?.confidenceInterval || !detail.features || !detail.providers || !detail.reasons) {
      undetermined += 1;
      return;
    }
    const { confidenceInterval: interval, features, providers, reasons, context } = detail;
    const warning = detail.signals?.warning ?? null;
    const { answers, reports } = factsIn(features, providers);
    const to = recommend(
      { probability: bounceProbability, interval },
      stakesOf({ table }, context?.purpose ?? usual),
      groundsFrom({ answers, reports, features: features.x as Feature[], isFile: kind === 'bulk', warning }),
      reasons.some(isTerminal),
    );
    counts[to] += 1;
    changes.note(id, from, to);
  };

  return {
    add: (page) => {
      for (const trace of page) note(trace);
    },
    result: () => ({ traces, counts: { ...counts }, undetermined, ...changes.result() }),
  };
}
