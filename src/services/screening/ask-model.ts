import type { ScreeningLabels } from '../../contract/screening.ts';
import {
  type ModelBackend,
  type ModelCircuit,
  type ModelFault,
  DOMAIN_CHECK,
  type DomainLabel,
  FAKE_NAME,
  type ModelQuestion,
} from '../../domain/screening/model.ts';
import { type Clock, LATE, within } from '../../kernel/clock.ts';
import { err, ok, type Result } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { FactStore } from '../../storage/kv.ts';
import { type OwnDomain, readDomainLabel, writeDomainLabel } from '../../storage/domain-facts.ts';

/** For each request to the model. */
const TIMEOUT_MS = 1_500;

export interface AskModelDeps {
  /** Null means no model is configured. */
  readonly backend: ModelBackend | null;
  /** Shared by the requests of an isolate. */
  readonly circuit: ModelCircuit;
  readonly cache: FactStore;
  readonly counters: ModelCounters;
  readonly now: Clock;
  /** Service time by which answers are needed; if absent, only `TIMEOUT_MS` applies. */
  readonly deadlineMs?: number;
  /** Defers work until after the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}

/** `label`: the request, with the kind of its failure. */
interface ModelCounters {
  add(name: 'model_ms' | 'model_failed' | 'model_spend_micros', value: number, label: string): void;
}

/** The model is asked about each that is not null. */
interface ModelSubjects {
  readonly organisationId: Id<'org'>;
  /** From `modelName`. */
  readonly name: string | null;
  /** Lower-case A-labels of a domain that is on no list. */
  readonly domain: string | null;
}

/**
 * Why a request brought no label. Two kinds were never sent: `circuit_open`, after earlier failures, and
 * `unauthorized`, while the object is unreachable. `unreadable`: the answer has no label.
 */
export type ModelRequestFault = ModelFault | 'circuit_open' | 'unauthorized' | 'unreadable';

export interface ModelAnswers {
  readonly fakeName: ScreeningLabels['fake_name'];
  readonly domainCheck: ScreeningLabels['domain_check'];
  /** In micros, including failed requests that may be billed. */
  readonly costMicros: number;
  /** A request failed. */
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
  isAuthorized: boolean,
): Promise<Asked<Label>> {
  const failed = (kind: ModelRequestFault, costMicros: number): Asked<Label> => {
    counters.add('model_failed', 1, `${question.request}:${kind}`);
    if (costMicros > 0) counters.add('model_spend_micros', costMicros, question.request);
    return { result: err(kind), costMicros };
  };
  if (!isAuthorized) return failed('unauthorized', 0);
  const startedAt = now();
  if (circuit.isOpen(startedAt)) return failed('circuit_open', 0);
  const leftMs = leftOf(deadlineMs, startedAt);
  if (leftMs <= 0) return failed('timeout', 0);
  const reply = await backend.complete(question.promptFor(datum), leftMs);
  const fault = reply.ok ? null : reply.error.kind;
  // Cut short by the deadline, which is no fault of the back end.
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
  key: OwnDomain,
  isAuthorized: boolean,
): Promise<Asked<DomainLabel>> {
  const kept = await within(readDomainLabel(deps.cache, key), Math.max(0, leftOf(deps.deadlineMs, deps.now())));
  if (kept !== null && kept !== LATE) return { result: ok(kept), costMicros: 0 };
  const asked = await ask(deps, DOMAIN_CHECK, key.domain, isAuthorized);
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
 * Asks the model about a name and a domain in parallel: two requests, so that neither contains both. Without an
 * authorization only the cache answers. Never rejects.
 */
export async function askModel(
  { backend, ...others }: AskModelDeps,
  { organisationId, name, domain }: ModelSubjects,
  isAuthorized: boolean,
): Promise<ModelAnswers> {
  if (backend === null) return NOTHING_ASKED;
  const deps = { backend, ...others };
  const [fakeName, domainCheck] = await Promise.all([
    name === null ? null : ask(deps, FAKE_NAME, name, isAuthorized),
    domain === null ? null : askDomain(deps, { organisationId, domain }, isAuthorized),
  ]);
  return {
    fakeName: fakeName?.result.ok ? fakeName.result.value : 'not_checked',
    domainCheck: domainCheck?.result.ok ? domainCheck.result.value : 'not_checked',
    costMicros: (fakeName?.costMicros ?? 0) + (domainCheck?.costMicros ?? 0),
    degraded: fakeName?.result.ok === false || domainCheck?.result.ok === false,
  };
}
