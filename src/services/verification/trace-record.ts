import type { Verification, VerifyRequest } from '../../contract/verification.ts';
import { MASKED_UNPARSED, maskAddress } from '../../domain/address/mask.ts';
import { usd } from '../../domain/metering/usage.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { answerKept } from '../../domain/verification/answer-kept.ts';
import type { PosteriorInputs } from '../../domain/verification/conclusion.ts';
import { acceptsAllOdds } from '../../domain/verification/evidence.ts';
import { tablesAt } from '../../domain/verification/host-tables.ts';
import { lossesBody } from '../../domain/verification/losses.ts';
import type { Id } from '../../kernel/ids.ts';
import { decimals } from '../../kernel/probability.ts';
import type { AssessedRequest, Basis } from './assess.ts';
import { replayable } from './trace-features.ts';

/** ln Λ is rounded to a quarter, so that traces which say the same are counted together. */
const LN_ODDS_STEPS = 4;

const oddsOf = (probability: number): number => probability / (1 - probability);

/** Λ as the fit reads it: how far all that is known of the domain moves the odds that it accepts everything. */
const lnOddsOf = ({ model, host, first }: PosteriorInputs): number =>
  Math.log(oddsOf(first.acceptsAll) / oddsOf(tablesAt(model, host).kinds[1].share));

/**
 * What the nightly fit reads of a trace; null where the precheck was certain. `answers`: `hunter:deliverable kickbox:risky`.
 */
function patternOf(inputs: PosteriorInputs): Pick<TraceRecord, 'hostClass' | 'answers' | 'lnOdds'> {
  if (inputs.certain) return { hostClass: null, answers: null, lnOdds: null };
  const answers = inputs.answers.map(({ provider, verdict }) => `${provider}:${verdict}`);
  return {
    hostClass: inputs.host,
    answers: answers.sort().join(' '),
    lnOdds: Math.round(lnOddsOf(inputs) * LN_ODDS_STEPS) / LN_ODDS_STEPS,
  };
}

/** Vendors that were sent the address, each once. A call that failed or was given up has sent it too. */
export const sentTo = (ids: readonly string[]): string => [...new Set(ids)].sort().join(' ');

/** The trace as it is stored, without the address. */
export function traceRecord(
  request: Pick<AssessedRequest, 'organisationId' | 'mode' | 'startedAt'>,
  { facts, known, queries, inputs, evidence, stakes, lossesVersion, learnt }: Basis,
  answer: Verification,
  context: NonNullable<VerifyRequest['context']>,
): TraceRecord {
  const { admission, address, mail, provider, backEnds, disposableBy } = facts;
  return {
    id: answer.trace_id as Id<'vr'>,
    organisationId: request.organisationId,
    verificationId: null,
    kind: 'verify',
    mode: request.mode,
    keyId: admission.reached ? admission.key.id : null,
    createdAt: request.startedAt,
    addressHash: facts.addressHash,
    display: address === null ? MASKED_UNPARSED : maskAddress(address),
    domain: address === null ? '' : address.domain,
    meantDomain: answer.did_you_mean === undefined ? null : address === null ? '' : facts.meantDomain,
    ...answerKept(answer),
    costMicros: queries.spendMicros,
    latencyMs: answer.latency_ms,
    cacheHit: answer.cache.hit,
    degraded: answer.degraded ?? false,
    bulkJobId: null,
    policyDecision: null,
    ...patternOf(inputs),
    backEnds: backEnds.length === 0 ? null : backEnds.join(' '),
    sentTo: sentTo([...queries.results, ...queries.failures].map(({ provider: id }) => id)),
    learnt: inputs.certain
      ? null
      : { purpose: stakes.purpose, features: inputs.features, answers: learnt?.answers ?? [] },
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
        accepts_all_odds: acceptsAllOdds(inputs.model, inputs.host, known.told),
        evidence: evidence.map(({ shift, ...rest }) => ({ ...rest, shift: decimals(shift) })),
        losses: { version: lossesVersion, ...lossesBody(stakes.losses) },
      },
      route: queries.steps.map((step) => ({
        ...step,
        candidates: [...step.candidates],
        excluded: [...step.excluded],
      })),
      reasons: answer.reasons,
      disagreement: answer.disagreement,
      calibration: answer.calibration,
      context,
    },
  };
}
