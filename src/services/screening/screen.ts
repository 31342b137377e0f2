import type { ScreeningLabels, ScreeningResult, ScreenRequest } from '../../contract/screening.ts';
import { MASKED_UNPARSED, maskAddress } from '../../domain/address/mask.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { usd } from '../../domain/metering/usage.ts';
import type { ScreeningRecord } from '../../domain/screening/record.ts';
import { checkOutcome } from '../../domain/verification/precheck.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { earlierAnswer, type Operation } from '../operation.ts';
import { gatherLocalFacts, type LocalFacts, type LocalFactsDeps, subjectOf } from '../verification/local-facts.ts';
import { type LabelDeps, type Labelled, label, suggestionAgain } from './label.ts';

/** DNS is all that is waited for before the model; a look-up that takes longer is not resolved. */
const FACTS_MAX_MS = 3_500;
/** The model's time included. */
const ANSWER_MAX_MS = 5_000;

export type ScreenDeps = LocalFactsDeps & LabelDeps & { readonly now: Clock };

/** One address, and a name if there is one: does it look typed right, by who it says? Metered on its own allowance. */
export async function screen(deps: ScreenDeps, op: Operation, request: ScreenRequest): Promise<ScreeningResult> {
  const deadlineMs = op.startedAt + ANSWER_MAX_MS;
  const facts = await gatherLocalFacts(
    deps,
    { ...op, admit: (probe) => op.admit(probe, { deadlineMs }) },
    subjectOf(deps, op, request.email),
    op.startedAt + FACTS_MAX_MS,
  );
  const name = request.name === undefined || request.name === '' ? null : request.name;
  const earlier = earlierAnswer(facts.admission);
  if (earlier !== null) return restore(deps, earlier, request.email, name);

  const model = { ...deps.model, deadlineMs };
  const { organisationId, mode } = op;
  const labelled = await label({ ...deps, model }, { organisationId, email: request.email, name, mode, facts });
  const answer: ScreeningResult = {
    email: request.email,
    domain: checkOutcome(facts.gate).checks,
    screening: labelled.labels,
    cost_usd: usd(labelled.costMicros),
    latency_ms: Math.max(0, deps.now() - op.startedAt),
    trace_id: op.traceId,
  };
  const record = screeningRecord(op, facts, labelled, answer);
  const settled = await op.settle({
    trace: { kind: 'screening', id: record.id, record: JSON.stringify(record), addressHash: record.addressHash },
    spendMicros: labelled.costMicros,
    answer: stored(answer, labelled),
  });
  return settled === null ? answer : restore(deps, settled, request.email, name);
}

/** What a repeat needs of an answer: it has the same body, so neither the address nor a correction of it is kept. */
interface StoredAnswer {
  readonly answer: ScreeningResult;
  readonly suggestedDomain: string | null;
}

function stored(answer: ScreeningResult, { suggestedDomain }: Labelled): string {
  const kept = { ...answer, email: '', screening: { ...answer.screening, typo_suggestion: null } };
  return JSON.stringify({ answer: kept, suggestedDomain } satisfies StoredAnswer);
}

function restore(deps: LabelDeps, text: string, email: string, name: string | null): ScreeningResult {
  const { answer, suggestedDomain } = JSON.parse(text) as StoredAnswer;
  const { screening } = answer;
  const suggestion = screening.typo_source === null ? null : suggestionAgain(deps, email, name, suggestedDomain);
  return { ...answer, email, screening: { ...screening, typo_suggestion: suggestion } };
}

function screeningRecord(
  op: Operation,
  { address, addressHash, admission }: LocalFacts,
  { labels, costMicros }: Labelled,
  { trace_id, latency_ms }: ScreeningResult,
): ScreeningRecord {
  return {
    id: trace_id as Id<'sc'>,
    organisationId: op.organisationId,
    mode: op.mode,
    keyId: admission.reached ? admission.key.id : null,
    createdAt: op.startedAt,
    addressHash,
    display: address === null ? MASKED_UNPARSED : maskAddress(address),
    screening: maskedLabels(labels),
    costMicros,
    latencyMs: latency_ms,
  };
}

/** The suggestion holds the address: masked like the address itself. */
function maskedLabels(labels: ScreeningLabels): ScreeningLabels {
  if (labels.typo_suggestion === null) return labels;
  const parsed = parseAddress(labels.typo_suggestion);
  return { ...labels, typo_suggestion: parsed.ok ? maskAddress(parsed.address) : MASKED_UNPARSED };
}
