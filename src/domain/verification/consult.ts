import type { Purpose } from '../../contract/vocabulary.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { type Call, costLeft } from './ceiling.ts';
import type { Answer } from './evidence.ts';
import type { HostClass } from './host-class.ts';
import type { Model } from './model.ts';
import type { Provider, ProviderAnswer, ProviderFailure, ProviderId } from './provider.ts';
import type { ProviderHealthBook } from './provider-health.ts';
import { BILLS_UNKNOWN } from './provider-terms.ts';
import { type RouteStep, route } from './router.ts';

export interface ConsultDeps {
  /** Every provider that is on. */
  readonly providers: readonly Provider[];
  readonly health: ProviderHealthBook;
  readonly now: Clock;
  readonly counters: ProviderCounters;
}

/** Where the service counts how its providers do. `label`: the provider, with the kind of its failure. */
export interface ProviderCounters {
  add(name: 'provider_ms' | 'provider_failed' | 'provider_spend_micros', value: number, label: string): void;
}

export interface ConsultInput {
  readonly email: string;
  readonly model: Model;
  readonly host: HostClass;
  readonly purpose: Purpose;
  /** What stored evidence says of this address, and how old its newest telling answer is. */
  readonly known: readonly Answer[];
  readonly knownAgeMs: number;
  readonly acceptsAllOdds: number;
  readonly maxCostUsd: number;
  /** Service time by which the answer has to leave. */
  readonly deadlineMs: number;
}

/** One provider's answer of this request. */
export interface Receipt {
  readonly provider: ProviderId;
  readonly answer: ProviderAnswer;
  readonly ms: number;
}

export interface Consultation {
  readonly receipts: readonly Receipt[];
  /** Calls that gave no answer; `abandoned`: given up when no longer worth waiting for. */
  readonly failures: readonly { readonly provider: ProviderId; readonly kind: ProviderFailure['kind'] | 'abandoned' }[];
  readonly steps: readonly RouteStep[];
  readonly spendMicros: number;
}

interface OpenCall {
  readonly controller: AbortController;
  /** Settles when the call does; never rejects. */
  readonly settled: Promise<void>;
}

/**
 * Asks providers one by one while the router finds another worth its price. A provider slower than it is wont to be is not
 * waited for alone: the router may ask a second beside it. What is still out when asking ends is abandoned. Never rejects;
 * neither ceiling is passed, with every call out counted at its full price.
 */
export async function consult(deps: ConsultDeps, input: ConsultInput): Promise<Consultation> {
  const receipts: Receipt[] = [];
  const failures: Consultation['failures'][number][] = [];
  const steps: RouteStep[] = [];
  const calls = new Map<ProviderId, Call>();
  const open = new Map<ProviderId, OpenCall>();

  const step = (): RouteStep => {
    const now = deps.now();
    return route({
      model: input.model,
      host: input.host,
      purpose: input.purpose,
      answers: [...input.known, ...receipts.map(({ provider, answer }) => ({ provider, verdict: answer.verdict }))],
      answersAgeMs: receipts.some(({ answer }) => answer.verdict !== 'unknown') ? 0 : input.knownAgeMs,
      acceptsAllOdds: input.acceptsAllOdds,
      providers: deps.providers.map(({ id, priceMicros }) => ({
        id,
        priceMicros,
        billsUnknown: BILLS_UNKNOWN[id],
        health: deps.health.healthOf(id, now),
      })),
      asked: new Set([...input.known.map(({ provider }) => provider), ...calls.keys()]),
      left: {
        costMicros: costLeft(input.maxCostUsd, [...calls.values()]),
        timeMs: Math.max(0, input.deadlineMs - now),
      },
    });
  };

  const settle = async (provider: Provider, controller: AbortController, startedAt: number): Promise<void> => {
    const { id, priceMicros } = provider;
    const result = await provider.ask(input.email, Math.max(1, input.deadlineMs - startedAt), controller.signal);
    // Abandoned meanwhile: entered as a failure already, and still owed.
    if (!open.delete(id)) return;
    const ms = Math.max(0, deps.now() - startedAt);
    deps.health.note(id, ms, !result.ok, deps.now());
    calls.set(id, { priceMicros, costMicros: result.ok ? result.value.costMicros : result.error.costMicros });
    if (!result.ok) return fail(id, result.error.kind);
    receipts.push({ provider: id, answer: result.value, ms });
    deps.counters.add('provider_ms', ms, id);
    deps.counters.add('provider_spend_micros', result.value.costMicros, id);
  };

  const fail = (provider: ProviderId, kind: Consultation['failures'][number]['kind']): void => {
    failures.push({ provider, kind });
    deps.counters.add('provider_failed', 1, `${provider}:${kind}`);
  };

  const begin = (provider: Provider): void => {
    const controller = new AbortController();
    calls.set(provider.id, { priceMicros: provider.priceMicros, costMicros: null });
    open.set(provider.id, { controller, settled: settle(provider, controller, deps.now()) });
  };

  for (;;) {
    const next = step();
    steps.push(next);
    const provider = deps.providers.find(({ id }) => id === next.choice);
    if (provider) begin(provider);
    // Nothing more is worth asking. What is out was worth it when it was asked; an answer since may have settled the matter.
    else if (open.size === 0 || receipts.length > 0) break;
    const leftMs = input.deadlineMs - deps.now();
    if (leftMs <= 0) break;
    const patienceMs = provider ? Math.min(leftMs, deps.health.healthOf(provider.id, deps.now()).latencyMs) : leftMs;
    await within(Promise.race([...open.values()].map((call) => call.settled)), patienceMs);
  }

  for (const [id, call] of open) {
    open.delete(id);
    call.controller.abort();
    fail(id, 'abandoned');
  }
  const spendMicros = receipts.reduce((sum, { answer }) => sum + answer.costMicros, 0);
  return { receipts, failures, steps, spendMicros };
}
