import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';

/** Which of the organisation's per-minute counters a request counts against. */
export const RATE_CLASSES = ['verify', 'read', 'outcome', 'events'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];

/** `/v1/outcome` and `/v1/events` have a ceiling of their own; the others the organisation's setting, each class apart. */
export const FEEDBACK_RATE_PER_MINUTE = 6_000;

/** Two one-minute buckets: the running minute and the one before it. */
export interface RateWindow {
  /** The running minute, counted from the epoch. */
  readonly minute: number;
  readonly current: number;
  readonly previous: number;
}

/** What the response headers say: requests left now, and whole seconds until the running minute ends. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}

export type RateDecision =
  | { readonly allowed: true; readonly window: RateWindow; readonly status: RateStatus }
  | { readonly allowed: false; readonly window: RateWindow; readonly status: RateStatus; readonly retryAfterS: number };

/** The window as it stands at `nowMs`: buckets move on by the minutes passed. A clock that went back changes nothing. */
export function rollWindow(window: RateWindow, nowMs: number): RateWindow {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (minute <= window.minute) return window;
  return { minute, current: 0, previous: minute === window.minute + 1 ? window.current : 0 };
}

/**
 * Takes one request from a sliding window: the previous bucket counts by the part of it that the last 60 seconds still
 * overlap. A refused request is not counted.
 */
export function takeRequest(before: RateWindow, limit: number, nowMs: number): RateDecision {
  const window = rollWindow(before, nowMs);
  const room = limit - used(window, nowMs);
  if (room < 1) {
    const status = { ...rateStatus(window, limit, nowMs), remaining: 0 };
    return { allowed: false, window, status, retryAfterS: secondsUntilRoom(window, limit, nowMs) };
  }
  const taken = { ...window, current: window.current + 1 };
  return { allowed: true, window: taken, status: rateStatus(taken, limit, nowMs) };
}

export function rateStatus(window: RateWindow, limit: number, nowMs: number): RateStatus {
  const remaining = Math.max(0, Math.floor(limit - used(window, nowMs)));
  return { limit, remaining, resetS: Math.max(1, Math.ceil((MINUTE_MS - elapsedMs(window, nowMs)) / SECOND_MS)) };
}

const elapsedMs = (window: RateWindow, nowMs: number): number =>
  Math.min(MINUTE_MS, Math.max(0, nowMs - window.minute * MINUTE_MS));

const used = (window: RateWindow, nowMs: number): number =>
  window.current + window.previous * (1 - elapsedMs(window, nowMs) / MINUTE_MS);

/** Whole seconds until one more request fits; at least 1. */
function secondsUntilRoom(window: RateWindow, limit: number, nowMs: number): number {
  const elapsed = elapsedMs(window, nowMs);
  const overlapLeft = (limit - 1 - window.current) / window.previous;
  const waitMs =
    overlapLeft >= 0
      ? (1 - overlapLeft) * MINUTE_MS - elapsed
      : (1 - Math.max(0, limit - 1) / window.current) * MINUTE_MS + MINUTE_MS - elapsed;
  return Math.max(1, Math.ceil(waitMs / SECOND_MS));
}
