import type { Verification, VerifyRequest } from '../../contract/verification.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { canonicalise, maskAddress } from '../address/index.ts';
import type { Operation } from '../organisation/index.ts';
import { TRACE_VERSION, type TraceRecord } from '../traces/index.ts';
import { CERTAIN_BOUNCE, infer } from './belief.ts';
import { type HostClass, hostClass } from './host-class.ts';
import { gatherLocalFacts, type LocalFacts, type LocalFactsDeps } from './local-facts.ts';
import { PRIOR_TABLE } from './prior-table.ts';
import { recommend } from './recommend.ts';
import { actorClass, emailType, mailboxType, signalsOf } from './signals.ts';
import { verdictOf } from './verdict.ts';

/** What a verification may take when the caller names no ceiling. */
const LATENCY_DEFAULT_MS = 3_500;

/** What comes after the last wait still counts against the ceiling. */
const LATENCY_MARGIN_MS = 10;

/** Masks what could not be parsed: nothing of it is kept. */
const MASKED_UNPARSED = '•••';

export interface VerifyDeps extends LocalFactsDeps {
  readonly now: Clock;
  /** Keyed hash of an address's canonical form within an organisation, 64 hex digits. */
  hashIdentity(organisationId: Id<'org'>, canonical: string): string;
}

/** One address, one calibrated bounce probability. Throws refusals only; every failure of a dependency is in the answer. */
export async function verify(deps: VerifyDeps, op: Operation, request: VerifyRequest): Promise<Verification> {
  const context = request.context ?? {};
  const facts = await gatherLocalFacts(
    deps,
    op,
    request.email,
    op.startedAt + Math.max(0, (context.max_latency_ms ?? LATENCY_DEFAULT_MS) - LATENCY_MARGIN_MS),
  );
  const earlier = facts.admission.reached ? facts.admission.earlier : null;
  if (earlier !== null && earlier.answer !== null) return restore(earlier.answer, request.email);

  const answer = judge(deps, op, facts, request, earlier?.traceId ?? op.traceId);
  const record = traceRecord(op, facts, answer, context);
  const settled = await op.settle({
    trace: { id: answer.trace_id, record: JSON.stringify(record) },
    spendMicros: 0,
    answer: JSON.stringify({ ...answer, email: '' }),
  });
  return settled === null ? answer : restore(settled, request.email);
}

/** A stored answer is kept without the address; the repeat's body is the same, so its address belongs there. */
const restore = (stored: string, email: string): Verification => ({ ...(JSON.parse(stored) as Verification), email });

const hostClassOf = ({ gate, traits, provider }: LocalFacts): HostClass =>
  hostClass(gate, traits, provider.mxProvider, provider.gateway);

/** Everything the answer says follows from the facts; the verdict comes last and nothing reads it. */
function judge(
  deps: VerifyDeps,
  op: Operation,
  facts: LocalFacts,
  request: VerifyRequest,
  traceId: string,
): Verification {
  const { gate, traits, provider, address } = facts;
  const belief = gate.certain ? CERTAIN_BOUNCE : infer(PRIOR_TABLE[hostClassOf(facts)]);
  // Without the object's admission no provider may be asked: where one would have been, the answer is the prior alone.
  const degraded = !facts.admission.reached && gate.terminal === null;
  return {
    email: request.email,
    verdict: verdictOf(belief, degraded),
    bounce_probability: belief.probability,
    confidence_interval: [belief.interval[0], belief.interval[1]],
    calibration: 'prior',
    recommendation: recommend(belief, request.context?.purpose ?? 'outbound', gate.terminal !== null),
    actor_class: actorClass(gate, traits),
    mailbox_type: mailboxType(gate, traits),
    esp: provider.esp,
    email_type: emailType(gate, traits),
    signals: signalsOf(gate, traits, false),
    providers: {},
    disagreement: 0,
    cache: { hit: false, ttl_s: 0 },
    cost_usd: 0,
    latency_ms: Math.max(0, deps.now() - op.startedAt),
    trace_id: traceId,
    reason: gate.reasons[0] ?? null,
    reasons: [...gate.reasons],
    ...(degraded ? { degraded } : {}),
    ...(address === null ? {} : { identity_hash: deps.hashIdentity(op.organisationId, canonicalise(address)) }),
  };
}

function traceRecord(
  op: Operation,
  facts: LocalFacts,
  answer: Verification,
  context: NonNullable<VerifyRequest['context']>,
): TraceRecord {
  const { admission, address, mail, provider } = facts;
  return {
    v: TRACE_VERSION,
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
    verdict: answer.verdict,
    bounceProbability: answer.bounce_probability,
    recommendation: answer.recommendation,
    reason: answer.reason,
    emailType: answer.email_type,
    esp: answer.esp,
    costMicros: 0,
    latencyMs: answer.latency_ms,
    cacheHit: answer.cache.hit,
    degraded: answer.degraded ?? false,
    bulkJobId: null,
    detail: {
      confidenceInterval: answer.confidence_interval,
      signals: answer.signals,
      providers: answer.providers,
      providerFailures: [],
      features: {
        host_class: hostClassOf(facts),
        mx_provider: provider.mxProvider,
        gateway: provider.gateway,
        mail_hosts: mail === null ? 'not_looked_up' : mail.kind === 'found' && mail.implicit ? 'implicit' : mail.kind,
      },
      route: [],
      reasons: answer.reasons,
      disagreement: answer.disagreement,
      calibration: answer.calibration,
      context,
    },
  };
}
