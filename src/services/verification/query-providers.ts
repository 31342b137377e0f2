import { warningIn } from '../../domain/answer/answer-shown.ts';
import { type DatedAnswer, type KnownAnswer, newestOfEach } from '../../domain/belief/facts.ts';
import type { BeliefInput } from '../../domain/belief/posterior.ts';
import type { Provider, ProviderId } from '../../domain/belief/provider.ts';
import { type Call, costLeft } from '../../domain/router/ceiling.ts';
import type { FailureKind, ProviderHealthTracker } from '../../domain/router/provider-health.ts';
import type { FailedCall, ProviderQueries, ProviderResult } from '../../domain/router/provider-queries.ts';
import { BILLS_UNKNOWN } from '../../domain/router/provider-terms.ts';
import { type RouteInput, type RouteStep, route } from '../../domain/router/router.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Counters } from '../../kernel/counters.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import type { ReserveBudget } from '../reservation.ts';

export interface QueryDeps {
  /** The providers that are switched on. */
  readonly providers: readonly Provider[];
  readonly health: ProviderHealthTracker;
  readonly now: Clock;
  readonly counters: Counters;
}

/** What is left of the budget, and how to reserve of it before a call. */
export interface ProviderBudget {
  /** Below 0 of a budget of 0. */
  readonly leftMicros: number;
  readonly reserve: ReserveBudget;
}

export interface QueryInput extends Pick<RouteInput, 'stakes' | 'isFile' | 'isCatchAll' | 'isRuled'> {
  readonly email: string;
  /** What the probability follows from, with these answers: stored and of this request, at most one of each provider. */
  readonly inputsWith: (answers: readonly DatedAnswer[]) => BeliefInput;
  /** The stored answers. */
  readonly known: readonly KnownAnswer[];
  readonly maxCostUsd: number;
  /** The month's provider budget; null: unlimited. */
  readonly budget: ProviderBudget | null;
  /** Service time: the answer leaves by then. */
  readonly deadlineMs: number;
}

interface OpenCall {
  readonly startedAt: number;
  readonly controller: AbortController;
  /** Ends with the call. Never rejects. */
  readonly settled: Promise<void>;
}

/** The stored answers with those of this request, which are of `now`. */
export const withResults = (
  stored: readonly DatedAnswer[],
  results: readonly ProviderResult[],
  now: number,
): DatedAnswer[] =>
  newestOfEach([
    ...stored,
    ...results.map(({ provider, answer: { verdict, mailboxFull } }) => ({
      provider,
      verdict,
      at: now,
      ...(mailboxFull === true && { full: true as const }),
    })),
  ]);

/** A provider is late beyond its 90th percentile, and no longer waited for alone beyond twice that. */
const HEDGE_FACTOR = 2;

/**
 * Asks providers one by one while the router finds another worth its price. Beside one that is slower than usual the router
 * may ask a second. Calls still open in the end are abandoned. Open calls count at their full price, so that both ceilings
 * hold. Rejects in an attempt alone, before it asks any.
 */
export async function queryProviders(deps: QueryDeps, input: QueryInput): Promise<ProviderQueries> {
  const beganAt = input.inputsWith(input.known).now;
  const results: ProviderResult[] = [];
  const failures: FailedCall[] = [];
  const steps: RouteStep[] = [];
  const calls = new Map<ProviderId, Call>();
  const open = new Map<Provider, OpenCall>();
  let budgetMicros = input.budget?.leftMicros ?? null;
  /** The object gave no answer to a reservation: who should have been asked counts as failed. */
  let isUnreached = false;

  /** What this request may be billed so far. */
  const owed = (): number => [...calls.values()].reduce((sum, call) => sum + (call.costMicros ?? call.priceMicros), 0);

  const step = (): RouteStep => {
    const now = deps.now();
    const inputs = input.inputsWith(withResults(input.known, results, beganAt));
    return route({
      ...inputs,
      stakes: input.stakes,
      isFile: input.isFile,
      isCatchAll: input.isCatchAll,
      isRuled: input.isRuled,
      warning: warningIn({ answers: input.known, reports: inputs.reports }, results),
      providers: deps.providers.map(({ id, priceMicros }) => ({
        id,
        priceMicros,
        billsUnknown: BILLS_UNKNOWN[id],
        health: deps.health.healthOf(id, now),
      })),
      ...(budgetMicros !== null && { budgetMicros: budgetMicros - owed() }),
      asked: new Set(calls.keys()),
      left: {
        costMicros: costLeft(input.maxCostUsd, [...calls.values()]),
        timeMs: Math.max(0, input.deadlineMs - now),
      },
    });
  };

  const fail = (provider: Provider, kind: FailureKind, ms: number, owedMicros: number): void => {
    const { id } = provider;
    failures.push({ provider: id, kind, ms, owedMicros });
    calls.set(id, { priceMicros: provider.priceMicros, costMicros: owedMicros });
    deps.health.note(id, ms, kind, deps.now());
    deps.counters.add('provider_failed', 1, `${id}:${kind}`);
    if (owedMicros > 0) deps.counters.add('provider_owed_micros', owedMicros, id);
  };

  const settle = async (provider: Provider, controller: AbortController, startedAt: number): Promise<void> => {
    const { id, priceMicros } = provider;
    const result = await provider.ask(input.email, Math.max(1, input.deadlineMs - startedAt), controller.signal);
    // It was abandoned meanwhile and counts as a failure already.
    if (!open.delete(provider)) return;
    const ms = Math.max(0, deps.now() - startedAt);
    if (!result.ok) return fail(provider, result.error.kind, ms, result.error.costMicros);
    calls.set(id, { priceMicros, costMicros: result.value.costMicros });
    results.push({ provider: id, answer: result.value, ms });
    deps.health.note(id, ms, null, deps.now());
    deps.counters.add('provider_ms', ms, id);
    deps.counters.add('provider_spend_micros', result.value.costMicros, id);
  };

  const begin = (provider: Provider): void => {
    const controller = new AbortController();
    const startedAt = deps.now();
    deps.health.begin(provider.id, startedAt);
    calls.set(provider.id, { priceMicros: provider.priceMicros, costMicros: null });
    open.set(provider, { startedAt, controller, settled: settle(provider, controller, startedAt) });
  };

  /** How long to wait for a call before asking another provider is considered. */
  const patienceFor = (provider: Provider, leftMs: number): number => {
    const now = deps.now();
    const { latencyMs } = deps.health.healthOf(provider.id, now);
    const others = deps.providers.filter(({ id }) => !calls.has(id));
    const quickest = Math.min(...others.map(({ id }) => deps.health.healthOf(id, now).latencyMs));
    // Asking another costs money: only when this one is late, and then as late as leaves time for the other's answer.
    return Math.min(leftMs, Math.max(latencyMs, Math.min(HEDGE_FACTOR * latencyMs, leftMs - quickest)));
  };

  for (;;) {
    const next = step();
    const provider = deps.providers.find(({ id }) => id === next.choice);
    if (provider && input.budget !== null) {
      const reserving = input.budget.reserve(owed() + provider.priceMicros);
      const answer = await within(reserving, Math.max(0, input.deadlineMs - deps.now()));
      const reserved = answer === LATE ? 'failed' : answer;
      if (reserved !== 'granted') {
        // Requests beside this one have taken what was left, or a part of it. Without an answer nothing may be spent.
        budgetMicros = owed() + (reserved === 'refused' ? provider.priceMicros : 0) - 1;
        isUnreached = reserved === 'failed';
        continue;
      }
    }
    steps.push(isUnreached ? { ...next, missed: true } : next);
    if (provider) begin(provider);
    // No further provider is worth asking. Open calls are waited for until an answer says more than `unknown`.
    else if (open.size === 0 || results.some(({ answer }) => answer.verdict !== 'unknown')) break;
    const leftMs = input.deadlineMs - deps.now();
    if (leftMs <= 0) break;
    const patienceMs = provider ? patienceFor(provider, leftMs) : leftMs;
    await within(Promise.race([...open.values()].map((call) => call.settled)), patienceMs);
  }

  for (const [provider, { controller, startedAt }] of open) {
    open.delete(provider);
    controller.abort();
    fail(provider, 'abandoned', Math.max(0, deps.now() - startedAt), provider.priceMicros);
  }
  const spendMicros = results.reduce((sum, { answer }) => sum + answer.costMicros, 0);
  return { results, failures, steps, spendMicros };
}
