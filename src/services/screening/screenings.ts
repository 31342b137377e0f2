import { ROUTES } from '../../contract/routes.ts';
import type { ScreeningLabels, ScreeningResult } from '../../contract/screening.ts';
import { writtenBy } from '../../domain/access/keys.ts';
import { MASKED_UNPARSED, maskAddress, parseAddress } from '../../domain/address/parse.ts';
import { type LocalFacts, underRules } from '../../domain/answer/observed.ts';
import { summariseCheck } from '../../domain/answer/precheck.ts';
import { usd } from '../../domain/metering/usage.ts';
import { type Labelled, type ScreeningRecord, screeningRow } from '../../domain/screening/record.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import * as store from '../../storage/postgres/screening.ts';
import { findScreening } from '../../storage/postgres/screening.ts';
import { type Caller, earlierAnswer } from '../caller.ts';
import type { Authorization } from '../authorization.ts';
import { pageOf, readCursor } from '../request-values.ts';
import { flush } from '../traces.ts';
import { reaching } from '../switched-off.ts';
import { meteredVerb, verb } from '../verb.ts';
import { lookUp, refuseInSandbox, rulesLookup, subjectOf } from '../verification/observe.ts';
import { label, type LabelDeps, suggestionAgain } from './label.ts';

/** Before the model only DNS takes time. A longer look-up is `mx_unresolved`. */
const FACTS_MAX_MS = 3_500;
/** Includes the model's time. */
const ANSWER_MAX_MS = 5_000;

/** Screens an address, with or without a name, for typos and invention. It has its own allowance. */
export const screen = meteredVerb({
  route: ROUTES.screen,
  parse: ({ body: { email, name } }) => ({ email, name: name || null }),
  serve: async (request, { email, name }, deps) => {
    const { organisationId, mode, meter, startedAt } = request;
    const subject = subjectOf(deps, request, email);
    const deadlineMs = startedAt + ANSWER_MAX_MS;
    const lookedUp = await lookUp(deps, request, { subject, name, deadlineMs: startedAt + FACTS_MAX_MS });
    // The look-up comes first: the object counts domains new to the service.
    const authorized = await request.authorize(rulesLookup(subject), { deadlineMs });
    refuseInSandbox(lookedUp, meter);
    const facts = underRules(lookedUp, authorized.rules);
    const earlier = earlierAnswer(authorized);
    if (earlier !== null) return restore(deps, earlier, email, name);

    const { model } = reaching(deps, authorized);
    const asked = { organisationId, email, name, mode, facts, isReached: authorized.reached };
    const labelled = await label({ ...deps, model: { ...model, deadlineMs } }, asked);
    const answer: ScreeningResult = {
      email,
      domain: summariseCheck(facts.precheck).checks,
      screening: labelled.labels,
      cost_usd: usd(labelled.costMicros),
      latency_ms: Math.max(0, deps.now() - startedAt),
      trace_id: request.traceId,
    };
    const record = screeningRecord(request, authorized, facts, labelled, answer);
    const kept = await request.commit({
      trace: { kind: 'screening', id: record.id, record: JSON.stringify(record), addressHash: record.addressHash },
      spendMicros: labelled.costMicros,
      answer: () => stored(answer, labelled),
    });
    return kept === null ? answer : restore(deps, kept, email, name);
  },
});

/** The stored answer for a repeat, whose body brings the address again: neither that nor its correction is stored. */
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
  caller: Pick<Caller, 'organisationId' | 'mode' | 'startedAt'>,
  authorized: Authorization,
  { address, addressHash }: LocalFacts,
  { labels, costMicros }: Labelled,
  { trace_id, latency_ms }: ScreeningResult,
): ScreeningRecord {
  return {
    id: trace_id as Id<'sc'>,
    organisationId: caller.organisationId,
    mode: caller.mode,
    keyId: authorized.reached ? authorized.key.id : null,
    createdAt: caller.startedAt,
    addressHash,
    display: address === null ? MASKED_UNPARSED : maskAddress(address),
    screening: maskedLabels(labels),
    costMicros,
    latencyMs: latency_ms,
  };
}

/** The suggestion is masked like the address, most of which it contains. */
function maskedLabels(labels: ScreeningLabels): ScreeningLabels {
  if (labels.typo_suggestion === null) return labels;
  const parsed = parseAddress(labels.typo_suggestion);
  return { ...labels, typo_suggestion: parsed.ok ? maskAddress(parsed.address) : MASKED_UNPARSED };
}

/** Newest first. A key sees the screenings of the keys whose traces it sees. */
export const listScreenings = verb({
  route: ROUTES.screenings,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'sc') }),
  run: async (context, { query, before }) => {
    const { deps, organisationId, authorized } = context;
    const { key } = authorized;
    const { limit, from, to, recommendation, reason, domain } = query;
    const by = writtenBy(key, query.key_id);
    if (by === 'none') return { screenings: [], cursor: null };

    await flush(deps, context, null);
    const filter = {
      mode: key.mode,
      keyId: by,
      fromMs: from === undefined ? null : from * SECOND_MS,
      toMs: to === undefined ? null : to * SECOND_MS,
      facets: { recommendation, reason, domain },
    };
    const page = await store.listScreenings(deps.db, organisationId, filter, limit + 1, before);
    const { shown, cursor } = pageOf(page.screenings, limit, ({ id }) => id);
    return { screenings: shown.map(screeningRow), cursor: cursor ?? page.examinedTo };
  },
});

const NO_SCREENING = new DomainError('not_found', 'This screening does not exist.');

/** Reads a screening by its `sc_` id. A key sees those in its list. */
export const readScreening = verb({
  route: ROUTES.screening,
  run: async (context, { params: { trace_id: id } }) => {
    const { deps, organisationId, authorized } = context;
    const { key } = authorized;
    const known = parseId('sc', id);
    const by = writtenBy(key, undefined);
    if (known === null || by === 'none') throw NO_SCREENING;

    await flush(deps, context, null);
    const found = await findScreening(deps.db, organisationId, { mode: key.mode, keyId: by }, known);
    if (found === null) throw NO_SCREENING;
    return { screening: screeningRow(found) };
  },
});
