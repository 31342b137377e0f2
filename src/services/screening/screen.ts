import { ROUTES } from '../../contract/routes.ts';
import type { ScreeningLabels, ScreeningResult } from '../../contract/screening.ts';
import { MASKED_UNPARSED, maskAddress } from '../../domain/address/mask.ts';
import { parseAddress } from '../../domain/address/parse.ts';
import { type LocalFacts, underRules } from '../../domain/answer/observed.ts';
import { summariseCheck } from '../../domain/answer/precheck.ts';
import { usd } from '../../domain/metering/usage.ts';
import type { ScreeningRecord } from '../../domain/screening/record.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Admission } from '../admission.ts';
import { type Caller, earlierAnswer } from '../caller.ts';
import { verb } from '../verb.ts';
import { lookUp, refuseInSandbox, rulesProbe, subjectOf } from '../verification/observe.ts';
import { type LabelDeps, type Labelled, label, suggestionAgain } from './label.ts';

/** Before the model only DNS takes time. A look-up that takes longer is `mx_unresolved`. */
const FACTS_MAX_MS = 3_500;
/** Includes the model's time. */
const ANSWER_MAX_MS = 5_000;

/** Tells whether an address, with a name or without, looks mistyped or made up. It has an allowance of its own. */
export const screen = verb({
  route: ROUTES.screen,
  parse: ({ body: { email, name } }, caller, deps) => ({
    email,
    name: name === undefined || name === '' ? null : name,
    subject: subjectOf(deps, caller, email),
    deadlineMs: caller.startedAt + ANSWER_MAX_MS,
  }),
  probe: ({ subject, deadlineMs }) => ({ rules: rulesProbe(subject), deadlineMs }),
  begin: ({ subject, name }, caller, deps) =>
    lookUp(deps, caller, { subject, name, deadlineMs: caller.startedAt + FACTS_MAX_MS }),
  run: async (context, { email, name, deadlineMs }, lookedUp) => {
    const { deps, organisationId, mode, admitted } = context;
    refuseInSandbox(lookedUp, context.meter);
    const facts = underRules(lookedUp, admitted.rules);
    const earlier = earlierAnswer(admitted);
    if (earlier !== null) return restore(deps, earlier, email, name);

    const model = { ...deps.model, deadlineMs };
    const labelled = await label(
      { ...deps, model },
      {
        organisationId,
        email,
        name,
        mode,
        facts,
        isReached: admitted.reached,
      },
    );
    const answer: ScreeningResult = {
      email,
      domain: summariseCheck(facts.precheck).checks,
      screening: labelled.labels,
      cost_usd: usd(labelled.costMicros),
      latency_ms: Math.max(0, deps.now() - context.startedAt),
      trace_id: context.traceId,
    };
    const record = screeningRecord(context, facts, labelled, answer);
    const kept = await context.commit({
      trace: { kind: 'screening', id: record.id, record: JSON.stringify(record), addressHash: record.addressHash },
      spendMicros: labelled.costMicros,
      answer: () => stored(answer, labelled),
    });
    return kept === null ? answer : restore(deps, kept, email, name);
  },
});

/**
 * What a repeat needs of an answer. Its body brings the address again, so neither the address nor a correction of it is
 * stored.
 */
interface ScreeningForRepeat {
  readonly answer: ScreeningResult;
  readonly suggestedDomain: string | null;
}

function stored(answer: ScreeningResult, { suggestedDomain }: Labelled): string {
  const kept = { ...answer, email: '', screening: { ...answer.screening, typo_suggestion: null } };
  return JSON.stringify({ answer: kept, suggestedDomain } satisfies ScreeningForRepeat);
}

function restore(deps: LabelDeps, text: string, email: string, name: string | null): ScreeningResult {
  const { answer, suggestedDomain } = JSON.parse(text) as ScreeningForRepeat;
  const { screening } = answer;
  const suggestion = screening.typo_source === null ? null : suggestionAgain(deps, email, name, suggestedDomain);
  return { ...answer, email, screening: { ...screening, typo_suggestion: suggestion } };
}

function screeningRecord(
  caller: Pick<Caller, 'organisationId' | 'mode' | 'startedAt'> & { readonly admitted: Admission },
  { address, addressHash }: LocalFacts,
  { labels, costMicros }: Labelled,
  { trace_id, latency_ms }: ScreeningResult,
): ScreeningRecord {
  return {
    id: trace_id as Id<'sc'>,
    organisationId: caller.organisationId,
    mode: caller.mode,
    keyId: caller.admitted.reached ? caller.admitted.key.id : null,
    createdAt: caller.startedAt,
    addressHash,
    display: address === null ? MASKED_UNPARSED : maskAddress(address),
    screening: maskedLabels(labels),
    costMicros,
    latencyMs: latency_ms,
  };
}

/** The suggestion is masked like the address, most of which it holds. */
function maskedLabels(labels: ScreeningLabels): ScreeningLabels {
  if (labels.typo_suggestion === null) return labels;
  const parsed = parseAddress(labels.typo_suggestion);
  return { ...labels, typo_suggestion: parsed.ok ? maskAddress(parsed.address) : MASKED_UNPARSED };
}
