import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { ProviderFailure, ProviderId } from '../belief/provider.ts';

/** Share of calls that fail in normal operation. */
export const USUAL_FAILURE_RATE = 0.02;

export interface ProviderHealth {
  /** Median latency of an answer, in ms. */
  readonly typicalMs: number;
  /** 90th percentile. */
  readonly latencyMs: number;
  /** Share of calls without an answer, 0 to 1. */
  readonly failureRate: number;
  /** The circuit is open: too many failures. */
  readonly open: boolean;
}

export interface Askable {
  readonly id: ProviderId;
  readonly priceMicros: number;
  readonly billsUnknown: boolean;
  readonly health: ProviderHealth;
}

/**
 * Whether an `unknown` is billed. NeverBounce bills each call, whatever the result. Bouncer does not publish it, so it
 * counts as billed. Hunter's is free, but most `unknown` here are its `webmail`, which is billed. The others refund it.
 */
export const BILLS_UNKNOWN: Readonly<Record<ProviderId, boolean>> = {
  zerobounce: false,
  neverbounce: true,
  kickbox: false,
  emailable: false,
  bouncer: true,
  hunter: true,
  reacher: true,
};

/** Calls remembered: enough for a quantile, few enough to forget a bad spell. */
const CALLS_KEPT = 30;
const CALLS_LAST_MS = 5 * MINUTE_MS;
/** Before the first call: vendors say that most answers take between 0.3 and 2 s. */
const TYPICAL_ASSUMED_MS = 500;
const LATENCY_ASSUMED_MS = 1_500;
const LATENCY_QUANTILE = 0.9;
/** One failure among a few calls says little, so the rate starts as after this many usual calls. */
const PRIOR_CALLS = 10;
/** A failure's half-life: a blip is soon forgotten, and asking again shows whether it is over. */
const HALF_LIFE_MS = 30 * SECOND_MS;

/** Failures in a row that open the circuit, for how long. Then one call tries again. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30 * SECOND_MS;
/** An empty account or a wrong key needs an operator, so the circuit stays open longer. */
const OPEN_LONG_MS = 5 * MINUTE_MS;
/** A silent vendor is at fault after this many times its usual latency; before that it may just be slow. */
const SILENCE_FACTOR = 1.5;

export type FailureKind = ProviderFailure['kind'] | 'abandoned';

/**
 * What a failed call says about the vendor. `address`: nothing, it is about this address. `silence`: we stopped
 * waiting, which is the vendor's fault only after a long time. `account`: every call will fail.
 */
const MEANING: Readonly<Record<FailureKind, 'address' | 'silence' | 'fault' | 'account'>> = {
  refused: 'address',
  pending: 'address',
  timeout: 'silence',
  abandoned: 'silence',
  unreachable: 'fault',
  rate_limited: 'fault',
  server_error: 'fault',
  malformed: 'fault',
  too_large: 'fault',
  no_credit: 'account',
  unauthorized: 'account',
};

interface Call {
  readonly at: number;
  /** The latency, or a lower bound; null if the call does not show it. */
  readonly ms: number | null;
  readonly failed: boolean;
}

interface CallHistory {
  calls: Call[];
  failuresInARow: number;
  /** When an open circuit closes; null while closed. */
  openUntil: number | null;
}

/**
 * The providers' health as this isolate has seen it. Safe to share between requests, because only ended calls are
 * recorded.
 */
export class ProviderHealthTracker<Id extends string = ProviderId> {
  private readonly histories = new Map<Id, CallHistory>();
  private readonly assumedMs: number;

  /** `assumedMs`: the latency of nine in ten answers, assumed before the first call. */
  constructor(assumedMs: number = LATENCY_ASSUMED_MS) {
    this.assumedMs = assumedMs;
  }

  healthOf(id: Id, now: number): ProviderHealth {
    const { calls, openUntil } = this.historyOf(id);
    const recent = calls.filter(({ at }) => now - at < CALLS_LAST_MS);
    let [weight, failed] = [PRIOR_CALLS, PRIOR_CALLS * USUAL_FAILURE_RATE];
    for (const call of recent) {
      const faded = 0.5 ** (Math.max(0, now - call.at) / HALF_LIFE_MS);
      weight += faded;
      if (call.failed) failed += faded;
    }
    const times = recent.flatMap(({ ms }) => (ms === null ? [] : [ms]));
    return {
      typicalMs: times.length === 0 ? TYPICAL_ASSUMED_MS : quantile(times, 0.5),
      latencyMs: quantile([this.assumedMs, ...times], LATENCY_QUANTILE),
      failureRate: failed / weight,
      open: openUntil !== null && openUntil > now,
    };
  }

  /** Starts a call. While the circuit is open this is the single trial call. */
  begin(id: Id, now: number): void {
    const history = this.historyOf(id);
    if (history.openUntil !== null) history.openUntil = now + OPEN_MS;
  }

  /** Records an ended call, answered (null) or failed, that took `ms`. */
  note(id: Id, ms: number, failure: FailureKind | null, now: number): void {
    const history = this.historyOf(id);
    const meaning = failure && MEANING[failure];
    if (meaning === 'address') return;
    const { latencyMs } = this.healthOf(id, now);
    // Abandoned before its usual latency, which is not the provider's fault.
    if (meaning === 'silence' && ms < latencyMs) return;
    const isSlow = meaning === 'silence' && ms < SILENCE_FACTOR * latencyMs;
    const took = failure === null || isSlow ? ms : null;
    history.calls = [...history.calls.slice(1 - CALLS_KEPT), { at: now, ms: took, failed: failure !== null }];
    if (failure === null) {
      history.failuresInARow = 0;
      history.openUntil = null;
    } else if (meaning === 'account') {
      history.openUntil = now + OPEN_LONG_MS;
    } else if (!isSlow) {
      history.failuresInARow += 1;
      if (history.failuresInARow >= FAILURES_TO_OPEN) history.openUntil = now + OPEN_MS;
    }
  }

  private historyOf(id: Id): CallHistory {
    const known = this.histories.get(id);
    if (known) return known;
    const history: CallHistory = { calls: [], failuresInARow: 0, openUntil: null };
    this.histories.set(id, history);
    return history;
  }
}

/** @param share below 1 */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? 0;
}

type VendorFailureKind = ProviderFailure['kind'];

/** Whether a retry may succeed. */
export const RETRYABLE: ReadonlySet<VendorFailureKind> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'pending',
  'server_error',
]);

/**
 * 404, 405 and 410: the endpoint does not exist. Any other 4xx refuses this one question, like Hunter's 451 for a
 * person who objected to processing.
 */
const KIND_BY_STATUS: Readonly<Record<number, VendorFailureKind>> = {
  401: 'unauthorized',
  402: 'no_credit',
  403: 'unauthorized',
  404: 'unreachable',
  405: 'unreachable',
  410: 'unreachable',
  429: 'rate_limited',
};

/** The failure behind a vendor's status other than 200, unless the vendor documents another meaning. */
export function kindOfStatus(status: number): VendorFailureKind {
  // Emailable's 249 and Hunter's 202: still at work, ask again. Other vendors use no 2xx but 200.
  if (status < 300) return 'pending';
  if (status < 400) return 'unreachable';
  if (status < 500) return KIND_BY_STATUS[status] ?? 'refused';
  return 'server_error';
}
