import type { Verification, VerifyRequest } from '../../contract/verification.ts';
import { MASKED_UNPARSED, maskAddress } from '../../domain/address/mask.ts';
import { answerKept } from '../../domain/answer/answer-kept.ts';
import { sharedAcceptsAll } from '../../domain/belief/accepts-all.ts';
import { usd } from '../../domain/metering/usage.ts';
import { lossesBody } from '../../domain/router/losses.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import type { Id } from '../../kernel/ids.ts';
import { decimals } from '../../kernel/probability.ts';
import type { AssessedRequest, Basis } from './assess.ts';
import { replayable } from './trace-features.ts';

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
    meantDomain: answer.did_you_mean === undefined ? null : address === null ? '' : (facts.meantDomain ?? facts.domain),
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
        accepts_all_odds: Math.exp(sharedAcceptsAll(inputs.model, inputs.host, known.told)),
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
