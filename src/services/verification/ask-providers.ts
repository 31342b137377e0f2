import { nextStep, owedMicros } from '../../domain/answer/assess.ts';
import type { Prepared } from '../../domain/answer/prepared.ts';
import type { Provider, ProviderId } from '../../domain/belief/provider.ts';
import type { Call, RouteStep } from '../../domain/router/router.ts';
import {
  type Askable,
  BILLS_UNKNOWN,
  type FailureKind,
  type ProviderHealthTracker,
} from '../../domain/router/provider-health.ts';
import type { FailedCall, ProviderQueries, ProviderResult } from '../../domain/router/provider-queries.ts';
import { type Clock, LATE, within } from '../../kernel/clock.ts';
import type { Counters } from '../../kernel/log.ts';
import type { ReserveBudget } from '../reservation.ts';

export interface AskDeps {
  readonly providers: readonly Provider[];
  readonly health: ProviderHealthTracker;
  readonly now: Clock;
  readonly counters: Counters;
}

export const askable = ({ providers, health }: Pick<AskDeps, 'providers' | 'health'>, now: number): Askable[] =>
  providers.map(({ id, priceMicros }) => ({
    id,
    priceMicros,
    billsUnknown: BILLS_UNKNOWN[id],
    health: health.healthOf(id, now),
  }));

interface OpenCall {
  readonly startedAt: number;
  readonly controller: AbortController;
  /** Settles with the call. Never rejects. */
  readonly settled: Promise<void>;
}

/** A provider is late beyond its 90th percentile, and no longer waited for alone beyond twice that. */
const HEDGE_FACTOR = 2;

/**
 * Asks providers one by one while the router finds another worth its price. Beside a slow one it may ask a second. Open
 * calls are abandoned at the end, and count at their full price, so that both ceilings hold. `reserve`: of the month's
 * budget, before a call. Never rejects.
 */
export async function askProviders(
  deps: AskDeps,
  prepared: Prepared,
  reserve: ReserveBudget,
): Promise<ProviderQueries> {
  const { deadlineMs } = prepared.request;
  const { address } = prepared.facts;
  const email = address === null ? '' : `${address.local}@${address.domain}`;
  const results: ProviderResult[] = [];
  const failures: FailedCall[] = [];
  const steps: RouteStep[] = [];
  const calls = new Map<ProviderId, Call>();
  const open = new Map<Provider, OpenCall>();
  let budgetMicros = prepared.account?.providerLeftMicros ?? null;
  const isLimited = budgetMicros !== null;
  /** The object did not answer a reservation: its provider counts as failed. */
  let isUnreached = false;

  const owed = (): number => owedMicros(calls);
  const step = (): RouteStep => {
    const now = deps.now();
    return nextStep(prepared, askable(deps, now), { results, calls, budgetMicros }, now);
  };

  const fail = (provider: Provider, kind: FailureKind, ms: number, mostMicros: number): void => {
    const { id } = provider;
    failures.push({ provider: id, kind, ms, owedMicros: mostMicros });
    calls.set(id, { priceMicros: provider.priceMicros, costMicros: mostMicros });
    deps.health.note(id, ms, kind, deps.now());
    deps.counters.add('provider_failed', 1, `${id}:${kind}`);
    if (mostMicros > 0) deps.counters.add('provider_owed_micros', mostMicros, id);
  };

  const settle = async (provider: Provider, controller: AbortController, startedAt: number): Promise<void> => {
    const { id, priceMicros } = provider;
    const result = await provider.ask(email, Math.max(1, deadlineMs - startedAt), controller.signal);
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

  /** How long to wait for a call before considering another provider. */
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
    if (provider && isLimited) {
      const reserving = reserve(owed() + provider.priceMicros);
      const answer = await within(reserving, Math.max(0, deadlineMs - deps.now()));
      const reserved = answer === LATE ? 'failed' : answer;
      if (reserved !== 'granted') {
        // Concurrent requests have taken the rest, or part of it. Without an answer nothing may be spent.
        budgetMicros = owed() + (reserved === 'refused' ? provider.priceMicros : 0) - 1;
        isUnreached = reserved === 'failed';
        continue;
      }
    }
    steps.push(isUnreached ? { ...next, missed: true } : next);
    if (provider) begin(provider);
    // No further provider is worth asking. Open calls are awaited until an answer says more than `unknown`.
    else if (open.size === 0 || results.some(({ answer }) => answer.verdict !== 'unknown')) break;
    const leftMs = deadlineMs - deps.now();
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
