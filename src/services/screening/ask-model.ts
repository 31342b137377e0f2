import type { ScreeningLabels } from '../../contract/screening.ts';
import type { ModelBackend, ModelFault } from '../../domain/screening/model/backend.ts';
import type { ModelCircuit } from '../../domain/screening/model/circuit.ts';
import {
  DOMAIN_CHECK,
  type DomainLabel,
  FAKE_NAME,
  type ModelQuestion,
} from '../../domain/screening/model/questions.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import type { Id } from '../../kernel/ids.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { type DomainLabelKey, readDomainLabel, writeDomainLabel } from '../../storage/domain-answers.ts';
import type { FactStore } from '../../storage/kv.ts';

/** Of each request alone. */
const TIMEOUT_MS = 1_500;

export interface AskModelDeps {
  /** Null: no model, nothing is asked. */
  readonly backend: ModelBackend | null;
  /** Shared by the requests of an isolate. */
  readonly circuit: ModelCircuit;
  readonly cache: FactStore;
  readonly counters: ModelCounters;
  readonly now: Clock;
  /** Service time by which an answer has to be there; without one only the requests' own time limits them. */
  readonly deadlineMs?: number;
  /** Lets work go on behind the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Where the service counts how its model does. `label`: the request, with the kind of its failure. */
export interface ModelCounters {
  add(name: 'model_ms' | 'model_failed' | 'model_spend_micros', value: number, label: string): void;
}

/** What to ask about; null: nothing. */
export interface ModelSubjects {
  readonly organisationId: Id<'org'>;
  /** As `modelName` gives it. */
  readonly name: string | null;
  /** Lower-case A-labels, listed nowhere. */
  readonly domain: string | null;
}

/**
 * Why a request brought no label. Not sent: `circuit_open`, for those before failed; `unadmitted`, for nobody could say
 * that it may be paid. `unreadable`: no label in the answer.
 */
export type ModelRequestFault = ModelFault | 'circuit_open' | 'unadmitted' | 'unreadable';

export interface ModelAnswers {
  readonly fakeName: ScreeningLabels['fake_name'];
  readonly domainCheck: ScreeningLabels['domain_check'];
  /** Of the requests made, in micros; of a failed one what may have been billed. */
  readonly costMicros: number;
  /** A request that should have been made failed. */
  readonly degraded: boolean;
}

interface Asked<Label> {
  readonly result: Result<Label, ModelRequestFault>;
  readonly costMicros: number;
}

const leftOf = (deadlineMs: number | undefined, now: number): number =>
  Math.min(TIMEOUT_MS, (deadlineMs ?? Number.POSITIVE_INFINITY) - now);

async function ask<Label extends string>(
  { backend, circuit, counters, now, deadlineMs }: AskModelDeps & { readonly backend: ModelBackend },
  question: ModelQuestion<Label>,
  datum: string,
  isAdmitted: boolean,
): Promise<Asked<Label>> {
  const failed = (kind: ModelRequestFault, costMicros: number): Asked<Label> => {
    counters.add('model_failed', 1, `${question.request}:${kind}`);
    if (costMicros > 0) counters.add('model_spend_micros', costMicros, question.request);
    return { result: err(kind), costMicros };
  };
  if (!isAdmitted) return failed('unadmitted', 0);
  const startedAt = now();
  if (circuit.isOpen(startedAt)) return failed('circuit_open', 0);
  const leftMs = leftOf(deadlineMs, startedAt);
  if (leftMs <= 0) return failed('timeout', 0);
  const reply = await backend.complete(question.promptFor(datum), leftMs);
  const fault = reply.ok ? null : reply.error.kind;
  // Given up before its time: that says nothing of the back end.
  if (fault !== 'timeout' || leftMs === TIMEOUT_MS) circuit.note(fault, now());
  if (!reply.ok) return failed(reply.error.kind, reply.error.costMicros);
  const label = question.read(reply.value);
  if (label === null) return failed('unreadable', backend.priceMicros);
  counters.add('model_ms', Math.max(0, now() - startedAt), question.request);
  counters.add('model_spend_micros', backend.priceMicros, question.request);
  return { result: ok(label), costMicros: backend.priceMicros };
}

async function askDomain(
  deps: AskModelDeps & { readonly backend: ModelBackend },
  key: DomainLabelKey,
  isAdmitted: boolean,
): Promise<Asked<DomainLabel>> {
  const kept = await within(readDomainLabel(deps.cache, key), Math.max(0, leftOf(deps.deadlineMs, deps.now())));
  if (kept !== null && kept !== LATE) return { result: ok(kept), costMicros: 0 };
  const asked = await ask(deps, DOMAIN_CHECK, key.domain, isAdmitted);
  if (asked.result.ok) deps.defer(writeDomainLabel(deps.cache, key, asked.result.value));
  return asked;
}

export const NOTHING_ASKED: ModelAnswers = {
  fakeName: 'not_checked',
  domainCheck: 'not_checked',
  costMicros: 0,
  degraded: false,
};

/**
 * Asks the model about a name and about a domain, side by side, in two requests neither of which carries the other's datum.
 * Not admitted: no request is made, and only what the cache has is answered. Never rejects.
 */
export async function askModel(
  { backend, ...others }: AskModelDeps,
  { organisationId, name, domain }: ModelSubjects,
  isAdmitted: boolean,
): Promise<ModelAnswers> {
  if (backend === null) return NOTHING_ASKED;
  const deps = { backend, ...others };
  const [fakeName, domainCheck] = await Promise.all([
    name === null ? null : ask(deps, FAKE_NAME, name, isAdmitted),
    domain === null ? null : askDomain(deps, { organisationId, domain }, isAdmitted),
  ]);
  return {
    fakeName: fakeName?.result.ok ? fakeName.result.value : 'not_checked',
    domainCheck: domainCheck?.result.ok ? domainCheck.result.value : 'not_checked',
    costMicros: (fakeName?.costMicros ?? 0) + (domainCheck?.costMicros ?? 0),
    degraded: fakeName?.result.ok === false || domainCheck?.result.ok === false,
  };
}
