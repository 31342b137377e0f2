import type { Features } from '../../contract/traces.ts';
import { epochSeconds, SECOND_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { MASKED_UNPARSED, maskAddress } from '../address/parse.ts';
import { sharedAcceptsAll } from '../belief/accepts-all.ts';
import type { DatedAnswer, Observation } from '../belief/facts.ts';
import { usd } from '../metering/usage.ts';
import { lossesBody } from '../router/losses.ts';
import type { ProviderQueries } from '../router/provider-queries.ts';
import type { TraceRecord } from '../traces/traces.ts';
import { type ShownVerification, answerKept } from './answer-shown.ts';
import type { PosteriorInputs } from './conclusion.ts';
import type { GroupSteps } from './evidence-shifts.ts';
import type { Prepared } from './prepared.ts';

/** Vendors that received the address. A call that failed or was abandoned has sent it too. */
export const sentTo = (ids: readonly string[]): string => [...new Set(ids)].sort().join(' ');

export interface Traced {
  readonly prepared: Prepared;
  readonly queries: ProviderQueries;
  readonly inputs: PosteriorInputs;
  /** Null means a finding or a rule settles the number. */
  readonly groups: GroupSteps | null;
  readonly answer: ShownVerification;
  readonly observation: Observation | null;
  readonly isCorrectable: boolean;
}

export function traceOf({
  prepared: { request, facts, account, known, losses, stakes },
  queries,
  inputs,
  groups,
  answer,
  observation,
  isCorrectable,
}: Traced): TraceRecord {
  const { address, mail, provider, backEnds, disposableBy } = facts;
  return {
    id: answer.trace_id as Id<'vr'>,
    organisationId: request.organisationId,
    verificationId: null,
    kind: 'verify',
    mode: request.mode,
    keyId: account?.key.id ?? null,
    createdAt: request.startedAt,
    addressHash: facts.addressHash,
    display: address === null ? MASKED_UNPARSED : maskAddress(address),
    domain: address === null ? '' : address.domain,
    meantDomain: isCorrectable ? (address === null ? '' : (facts.meantDomain ?? facts.domain)) : null,
    ...answerKept(answer),
    costMicros: queries.spendMicros,
    latencyMs: answer.latency_ms,
    cacheHit: answer.cache.hit,
    degraded: answer.degraded ?? false,
    bulkJobId: null,
    policyDecision: null,
    hostClass: inputs.certain ? null : inputs.host,
    backEnds: backEnds.length === 0 ? null : backEnds.join(' '),
    sentTo: sentTo([...queries.results, ...queries.failures].map(({ provider: id }) => id)),
    observation: inputs.certain
      ? null
      : { purpose: stakes.purpose, features: inputs.features, answers: observation?.answers ?? [] },
    detail: {
      confidenceInterval: answer.confidence_interval,
      signals: answer.signals,
      providers: answer.providers,
      providerFailures: queries.failures.map(({ owedMicros, ...failure }) => ({
        ...failure,
        may_cost_usd: usd(owedMicros),
      })),
      features: {
        ...replayable(inputs, known.answers),
        mx_provider: provider.mxProvider,
        gateway: provider.gateway,
        disposable_by: disposableBy,
        mail_hosts: mail === null ? 'not_looked_up' : mail.kind === 'found' && mail.implicit ? 'implicit' : mail.kind,
        accepts_all_odds: Math.exp(sharedAcceptsAll(inputs.model, inputs.host, known.told)),
        groups,
        losses: { version: losses.version, ...lossesBody(stakes.losses) },
      },
      route: queries.steps.map((step) => ({
        ...step,
        candidates: [...step.candidates],
        excluded: [...step.excluded],
      })),
      reasons: answer.reasons,
      disagreement: answer.disagreement,
      calibration: answer.calibration,
      context: request.context,
    },
  };
}
type Replayable = Pick<
  Features,
  'model_version' | 'host_class' | 'known_answers' | 'known_outcomes' | 'x' | 't0' | 'neighbours'
>;

/** The probability's inputs beside the request's own answers. `stored`: answers known before. */
export function replayable(inputs: PosteriorInputs, stored: readonly DatedAnswer[]): Replayable {
  const { model, host, initial, reports, proofs, answers, errors = {}, now } = inputs;
  const ageS = (at: number): number => Math.max(0, (now - at) / SECOND_MS);
  return {
    model_version: model.version,
    host_class: host,
    known_answers: stored.map(({ provider, verdict, at, full }) => ({
      provider,
      verdict,
      age_s: ageS(at),
      ...(full && { full }),
    })),
    known_outcomes: [
      ...reports.map(({ at, class: kind, source }) => {
        const wrong = errors[source ?? ''];
        return { class: kind, age_s: ageS(at), ...(source !== undefined && wrong !== undefined && { source, wrong }) };
      }),
      ...proofs.map(({ at, class: kind }) => ({ class: kind, age_s: ageS(at) })),
    ],
    x: [...inputs.features],
    t0: epochSeconds(Math.min(now, ...[...answers, ...reports, ...proofs].map(({ at }) => at))),
    neighbours: {
      accepts_all: initial.acceptsAll,
      dead_strict: initial.bounceStrict,
      dead_accepts_all: initial.bounceAcceptsAll,
      var: initial.variance,
    },
  };
}
