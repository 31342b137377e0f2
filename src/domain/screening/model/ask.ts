import type { ScreeningLabels } from '../../../contract/screening.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { LATE, within } from '../../../kernel/deadline.ts';
import { err, type Result } from '../../../kernel/result.ts';
import type { FactStore } from '../../dns/fact-store.ts';
import type { ModelBackend, ModelFault } from './backend.ts';
import type { ModelCircuit } from './circuit.ts';
import { readDomainLabel, writeDomainLabel } from './domain-cache.ts';
import { modelName } from './name-shape.ts';
import { DOMAIN_CHECK, type DomainLabel, FAKE_NAME, type Question } from './questions.ts';

/** Of each request alone. */
const TIMEOUT_MS = 1_500;

export interface AskModelDeps {
  /** Null: no model, nothing is asked. */
  readonly backend: ModelBackend | null;
  /** Shared by the requests of an isolate. */
  readonly circuit: ModelCircuit;
  readonly cache: FactStore;
  /** Listed anywhere: never asked about. Lower-case A-labels. */
  readonly isKnownDomain: (domain: string) => boolean;
  readonly now: Clock;
  /** Service time by which an answer has to be there; without one only the requests' own time limits them. */
  readonly deadlineMs?: number;
  /** Lets work go on behind the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Why a request brought no label. `circuit_open`: not sent, for those before failed; `unreadable`: no label in the answer. */
export type ModelRequestFault = ModelFault | 'circuit_open' | 'unreadable';

export interface ModelAnswers {
  readonly fakeName: ScreeningLabels['fake_name'];
  readonly domainCheck: ScreeningLabels['domain_check'];
  /** Of the requests made, in micros; of a failed one what may have been billed. */
  readonly costMicros: number;
  /** A request that should have been made failed. */
  readonly degraded: boolean;
  readonly faults: readonly { readonly request: 'fake_name' | 'domain_check'; readonly kind: ModelRequestFault }[];
}

interface Asked<Label> {
  readonly result: Result<Label, ModelRequestFault>;
  readonly costMicros: number;
}

const leftOf = (deadlineMs: number | undefined, now: number): number =>
  Math.min(TIMEOUT_MS, (deadlineMs ?? Number.POSITIVE_INFINITY) - now);

async function ask<Label extends string>(
  { circuit, now, deadlineMs }: AskModelDeps,
  backend: ModelBackend,
  question: Question<Label>,
  datum: string,
): Promise<Asked<Label>> {
  if (circuit.isOpen(now())) return { result: err('circuit_open'), costMicros: 0 };
  const leftMs = leftOf(deadlineMs, now());
  if (leftMs <= 0) return { result: err('timeout'), costMicros: 0 };
  const reply = await backend.complete(question.promptFor(datum), leftMs);
  const fault = reply.ok ? null : reply.error.kind;
  // Given up before its time: that says nothing of the back end.
  if (fault !== 'timeout' || leftMs === TIMEOUT_MS) circuit.note(fault, now());
  if (!reply.ok) return { result: err(reply.error.kind), costMicros: reply.error.costMicros };
  const label = question.read(reply.value);
  return { result: label === null ? err('unreadable') : { ok: true, value: label }, costMicros: backend.priceMicros };
}

async function askDomain(deps: AskModelDeps, backend: ModelBackend, domain: string): Promise<Asked<DomainLabel>> {
  const kept = await within(readDomainLabel(deps.cache, domain), Math.max(0, leftOf(deps.deadlineMs, deps.now())));
  if (kept !== null && kept !== LATE) return { result: { ok: true, value: kept }, costMicros: 0 };
  const asked = await ask(deps, backend, DOMAIN_CHECK, domain);
  if (asked.result.ok) deps.defer(writeDomainLabel(deps.cache, domain, asked.result.value));
  return asked;
}

/**
 * Asks the model about a name and about a domain, side by side, in two requests neither of which carries the other's datum.
 * Null: nothing to ask about. Never rejects.
 */
export async function askModel(
  deps: AskModelDeps,
  { name, domain }: { readonly name: string | null; readonly domain: string | null },
): Promise<ModelAnswers> {
  const { backend } = deps;
  const nameAsked = modelName(name ?? '');
  const [fakeName, domainCheck] = await Promise.all([
    backend === null || nameAsked === '' ? null : ask(deps, backend, FAKE_NAME, nameAsked),
    backend === null || domain === null || deps.isKnownDomain(domain) ? null : askDomain(deps, backend, domain),
  ]);
  const faults = [
    ...(fakeName?.result.ok === false ? [{ request: 'fake_name', kind: fakeName.result.error } as const] : []),
    ...(domainCheck?.result.ok === false ? [{ request: 'domain_check', kind: domainCheck.result.error } as const] : []),
  ];
  return {
    fakeName: fakeName?.result.ok ? fakeName.result.value : 'not_checked',
    domainCheck: domainCheck?.result.ok ? domainCheck.result.value : 'not_checked',
    costMicros: (fakeName?.costMicros ?? 0) + (domainCheck?.costMicros ?? 0),
    degraded: faults.length > 0,
    faults,
  };
}
