import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';

/** Which per-minute counter of the organisation a request uses; decisions count as `verify`. */
export const RATE_CLASSES = ['verify', 'check', 'screen', 'read', 'analysis', 'outcome', 'events'] as const;
export type RateClass = (typeof RATE_CLASSES)[number];

/** Classes with a fixed rate; the others each have the organisation's setting. `analysis` reads many traces. */
export const RATES_PER_MINUTE: Readonly<Partial<Record<RateClass, number>>> = {
  outcome: 6_000,
  events: 6_000,
  analysis: 30,
};

/** Single calls a minute about domains new to the service: each costs a look-up and a write. */
export const NEW_DOMAINS_PER_MINUTE = 600;

/**
 * `refused`: refused requests, one window for each reason and rate class, so that one key's loop does not hide other
 * refusals. Test keys have windows of their own.
 */
export type WindowName = `${'' | 'test:'}${RateClass | 'domains'}` | RefusedWindowName;
type RefusedWindowName = `${'' | 'test:'}refused:${RateClass}:${string}`;

/** Two one-minute buckets: the current minute and the one before it. */
export interface RateWindow {
  /** The current minute, counted from the epoch. */
  readonly minute: number;
  readonly current: number;
  readonly previous: number;
}

/** Unused windows are absent. */
export type RateWindows = Readonly<Partial<Record<WindowName, RateWindow>>>;

const NEVER_COUNTED: RateWindow = { minute: 0, current: 0, previous: 0 };

export const windowOf = (windows: RateWindows, name: WindowName): RateWindow => windows[name] ?? NEVER_COUNTED;

/** Drops past windows of refusals, which can be many. */
export function withoutPast(windows: RateWindows, nowMs: number): RateWindows {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const kept = Object.entries(windows).filter(
    ([name, window]) => !name.includes('refused') || (window !== undefined && window.minute >= minute - 1),
  );
  return Object.fromEntries(kept);
}

/** For response headers: requests left now, and whole seconds until there are more. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetS: number;
}

export type RateDecision =
  | { readonly allowed: true; readonly window: RateWindow; readonly status: RateStatus }
  | { readonly allowed: false; readonly window: RateWindow; readonly status: RateStatus; readonly retryAfterS: number };

/** The window at `nowMs`. A clock that goes back changes nothing. */
export function rollWindow(window: RateWindow, nowMs: number): RateWindow {
  const minute = Math.floor(nowMs / MINUTE_MS);
  if (minute <= window.minute) return window;
  return { minute, current: 0, previous: minute === window.minute + 1 ? window.current : 0 };
}

/**
 * Takes one request from a sliding window: the previous bucket counts by its overlap with the last 60 seconds. A
 * refused request is not counted. Counts are weighted in whole request-milliseconds, so that the wait is exact.
 */
export function takeRequest(before: RateWindow, limit: number, nowMs: number): RateDecision {
  const window = rollWindow(before, nowMs);
  if (window.previous * overlapMs(window, nowMs) > (limit - 1 - window.current) * MINUTE_MS) {
    const retryAfterS = Math.ceil(waitMs(window, limit, nowMs) / SECOND_MS);
    return { allowed: false, window, status: { limit, remaining: 0, resetS: retryAfterS }, retryAfterS };
  }
  const taken = { ...window, current: window.current + 1 };
  return { allowed: true, window: taken, status: rateStatus(taken, limit, nowMs) };
}

export function rateStatus(window: RateWindow, limit: number, nowMs: number): RateStatus {
  const overlap = overlapMs(window, nowMs);
  const used = window.current + Math.ceil((window.previous * overlap) / MINUTE_MS);
  return { limit, remaining: Math.max(0, limit - used), resetS: Math.max(1, Math.ceil(overlap / SECOND_MS)) };
}

/** The previous bucket's overlap with the last 60 seconds. */
const overlapMs = (window: RateWindow, nowMs: number): number =>
  Math.min(MINUTE_MS, Math.max(0, (window.minute + 1) * MINUTE_MS - nowMs));

/** Milliseconds until one more request fits, in this minute or the next. */
function waitMs(window: RateWindow, limit: number, nowMs: number): number {
  const overlap = overlapMs(window, nowMs);
  const room = limit - 1 - window.current;
  if (room >= 0) return overlap - Math.floor((room * MINUTE_MS) / window.previous);
  return overlap + MINUTE_MS - Math.floor((Math.max(0, limit - 1) * MINUTE_MS) / window.current);
}
