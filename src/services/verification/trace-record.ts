import type { Verification, VerifyRequest } from '../../contract/verification.ts';
import { MASKED_UNPARSED, maskAddress } from '../../domain/address/mask.ts';
import { usd } from '../../domain/metering/usage.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { answerKept } from '../../domain/verification/answer-kept.ts';
import type { PosteriorInputs } from '../../domain/verification/conclusion.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AssessContext, type Findings, reckonedTo } from './assess.ts';

/** Λ is kept to a quarter of its logarithm: by more, traces that say the same would not be counted together. */
const LN_ODDS_STEPS = 4;

/** What the nightly fit reads of a trace; nothing where no belief was formed. `answers`: `hunter:deliverable kickbox:risky`. */
function patternOf(grounds: PosteriorInputs): Pick<TraceRecord, 'hostClass' | 'answers' | 'lnOdds'> {
  if (grounds.certain) return { hostClass: null, answers: null, lnOdds: null };
  const answers = [...grounds.known, ...grounds.fresh].map(({ provider, verdict }) => `${provider}:${verdict}`);
  return {
    hostClass: grounds.host,
    answers: answers.sort().join(' '),
    lnOdds: Math.round(Math.log(grounds.acceptsAllOdds) * LN_ODDS_STEPS) / LN_ODDS_STEPS,
  };
}

/** The decision as it is kept, without the address. */
export function traceRecord(
  op: Pick<AssessContext, 'organisationId' | 'mode' | 'startedAt' | 'begunAt'>,
  { facts, known, consultation, grounds }: Findings,
  answer: Verification,
  context: NonNullable<VerifyRequest['context']>,
): TraceRecord {
  const { admission, address, mail, provider } = facts;
  return {
    id: answer.trace_id as Id<'vr'>,
    organisationId: op.organisationId,
    verificationId: null,
    kind: 'verify',
    mode: op.mode,
    keyId: admission.reached ? admission.key.id : null,
    createdAt: op.startedAt,
    addressHash: facts.addressHash,
    display: address === null ? MASKED_UNPARSED : maskAddress(address),
    domain: address === null ? '' : address.domain,
    ...answerKept(answer),
    costMicros: consultation.spendMicros,
    latencyMs: answer.latency_ms,
    cacheHit: answer.cache.hit,
    degraded: answer.degraded ?? false,
    bulkJobId: null,
    policyDecision: null,
    ...patternOf(grounds),
    detail: {
      confidenceInterval: answer.confidence_interval,
      signals: answer.signals,
      providers: answer.providers,
      providerFailures: consultation.failures.map(({ owedMicros, ...failure }) => ({
        ...failure,
        may_cost_usd: usd(owedMicros),
      })),
      features: {
        model_version: grounds.model.version,
        host_class: grounds.host,
        mx_provider: provider.mxProvider,
        gateway: provider.gateway,
        mail_hosts: mail === null ? 'not_looked_up' : mail.kind === 'found' && mail.implicit ? 'implicit' : mail.kind,
        known_answers: known.answers.map(({ at, ...said }) => ({
          provider: said.provider,
          verdict: said.verdict,
          age_s: Math.max(0, (reckonedTo(op) - at) / SECOND_MS),
        })),
        accepts_all_odds: grounds.acceptsAllOdds,
      },
      route: consultation.steps.map((step) => ({
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
