import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type RateWindow,
  type RateWindows,
  rateStatus,
  rollWindow,
  takeRequest,
  withoutPast,
} from '../../../src/domain/metering/rate.ts';

const MINUTE_MS = 60_000;
const START_MS = 1_800_000_000_000;
const EMPTY: RateWindow = { minute: 0, current: 0, previous: 0 };
/** Tolerance for rounding. */
const EPSILON = 1e-6;

/** Requests that come in bursts: each waits some milliseconds after the one before, then comes several times. */
const TRAFFIC = fc.array(
  fc.record({ waitMs: fc.oneof(fc.nat(500), fc.nat(20_000), fc.nat(150_000)), times: fc.integer({ min: 1, max: 30 }) }),
  { minLength: 1, maxLength: 60 },
);
const LIMIT = fc.integer({ min: 1, max: 40 });

/** The weighted count, from the times of the authorized requests alone. */
function weighted(authorizedAt: readonly number[], nowMs: number): number {
  const minute = Math.floor(nowMs / MINUTE_MS);
  const inMinute = (wanted: number) => authorizedAt.filter((at) => Math.floor(at / MINUTE_MS) === wanted).length;
  return inMinute(minute) + inMinute(minute - 1) * (1 - (nowMs % MINUTE_MS) / MINUTE_MS);
}

describe('takeRequest', () => {
  it('authorizes while the last minute, the bucket before weighted by its overlap, has room for one more, and only then', () => {
    fc.assert(
      fc.property(TRAFFIC, LIMIT, fc.nat(MINUTE_MS), (traffic, limit, startOffset) => {
        let window = EMPTY;
        let nowMs = START_MS + startOffset;
        const authorizedAt: number[] = [];
        for (const { waitMs, times } of traffic) {
          nowMs += waitMs;
          for (let i = 0; i < times; i += 1) {
            const room = limit - weighted(authorizedAt, nowMs);
            const decision = takeRequest(window, limit, nowMs);
            window = decision.window;
            if (decision.allowed) authorizedAt.push(nowMs);
            if (Math.abs(room - 1) > EPSILON) expect(decision.allowed).toBe(room > 1);
            expect(weighted(authorizedAt, nowMs)).toBeLessThanOrEqual(limit + EPSILON);
          }
        }
      }),
    );
  });

  it('does not count what it refuses', () => {
    fc.assert(
      fc.property(LIMIT, fc.nat(MINUTE_MS - 1), fc.integer({ min: 1, max: 500 }), (limit, offset, refusals) => {
        const nowMs = START_MS + offset;
        let window = { minute: Math.floor(nowMs / MINUTE_MS), current: limit, previous: 0 };
        const full = window;
        for (let i = 0; i < refusals; i += 1) {
          const decision = takeRequest(window, limit, nowMs);
          expect(decision.allowed).toBe(false);
          window = decision.window;
        }
        expect(window).toEqual(full);
      }),
    );
  });

  it('says what is left after the request it has just taken', () => {
    const first = takeRequest(EMPTY, 3, START_MS);
    const second = takeRequest(first.window, 3, START_MS);
    expect([first.status.remaining, second.status.remaining]).toEqual([2, 1]);
  });

  it('says that nothing is left when it refuses, though a part of a request may be', () => {
    // Half of 3 is 1.5: with 2 more taken, 0.5 of 4 is free.
    const window = { minute: START_MS / MINUTE_MS, current: 2, previous: 3 };
    const decision = takeRequest(window, 4, START_MS + 30_000);
    expect(decision).toMatchObject({ allowed: false, status: { limit: 4, remaining: 0, resetS: 10 }, retryAfterS: 10 });
  });

  it('gives the full limit again after two silent minutes', () => {
    let window: RateWindow = { minute: START_MS / MINUTE_MS, current: 7, previous: 7 };
    for (let i = 0; i < 7; i += 1) {
      const decision = takeRequest(window, 7, START_MS + 2 * MINUTE_MS);
      expect(decision.allowed).toBe(true);
      window = decision.window;
    }
    expect(takeRequest(window, 7, START_MS + 2 * MINUTE_MS).allowed).toBe(false);
  });
});

/** Windows as traffic leaves them, including ones above a lowered limit. */
const WINDOW = fc.record({
  minute: fc.constant(START_MS / MINUTE_MS),
  current: fc.nat(10_000),
  previous: fc.nat(10_000),
});

describe('Retry-After', () => {
  it('is whole seconds, at least one, and never more than two minutes', () => {
    fc.assert(
      fc.property(WINDOW, fc.integer({ min: 1, max: 10_000 }), fc.nat(MINUTE_MS - 1), (window, limit, offset) => {
        const decision = takeRequest(window, limit, START_MS + offset);
        if (decision.allowed) return;
        expect(Number.isInteger(decision.retryAfterS)).toBe(true);
        expect(decision.retryAfterS).toBeGreaterThanOrEqual(1);
        expect(decision.retryAfterS).toBeLessThanOrEqual(120);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is enough, and no second more: one request is authorized after that long, none a second before', () => {
    const minute = START_MS / MINUTE_MS;
    const wrong: object[] = [];
    for (let limit = 1; limit <= 24; limit += 1) {
      for (let current = 0; current <= 24; current += 1) {
        for (let previous = 0; previous <= 24; previous += 1) {
          for (const offset of [0, 500, 15_000, 59_999]) {
            const nowMs = START_MS + offset;
            const decision = takeRequest({ minute, current, previous }, limit, nowMs);
            if (decision.allowed) continue;
            const authorizedAfter = (seconds: number) =>
              takeRequest(decision.window, limit, nowMs + seconds * 1_000).allowed;
            const isShortest = decision.retryAfterS === 1 || !authorizedAfter(decision.retryAfterS - 1);
            if (!authorizedAfter(decision.retryAfterS) || !isShortest) wrong.push({ limit, current, previous, offset });
          }
        }
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it.each([
    ['none: there is room', { current: 3, previous: 0 }, 4, 45_000, null],
    ['a fifth of the minute has to pass', { current: 0, previous: 5 }, 5, 0, 12],
    ['the running bucket is full', { current: 4, previous: 0 }, 4, 45_000, 30],
    ['one a minute', { current: 1, previous: 0 }, 1, 0, 120],
    ['a limit lowered to a tenth', { current: 100, previous: 100 }, 10, 30_000, 85],
  ])('%s', (_, counts, limit, offset, retryAfterS) => {
    const decision = takeRequest({ minute: START_MS / MINUTE_MS, ...counts }, limit, START_MS + offset);
    expect(decision.allowed ? null : decision.retryAfterS).toBe(retryAfterS);
  });
});

describe('a clock that goes back', () => {
  it('neither empties the window nor makes the count negative', () => {
    fc.assert(
      fc.property(WINDOW, LIMIT, fc.integer({ min: 1, max: 10 * MINUTE_MS }), (window, limit, back) => {
        const nowMs = START_MS - back;
        expect(rollWindow(window, nowMs)).toBe(window);
        const status = rateStatus(window, limit, nowMs);
        expect(status.remaining).toBe(Math.max(0, limit - window.current - window.previous));
        expect(status.resetS).toBe(60);
        expect(takeRequest(window, limit, nowMs).allowed).toBe(window.current + window.previous < limit);
      }),
    );
  });

  it('continues counting in the same bucket when it comes forward again', () => {
    const first = takeRequest(EMPTY, 2, START_MS);
    const back = takeRequest(first.window, 2, START_MS - 5_000);
    const forward = takeRequest(back.window, 2, START_MS + 5_000);
    expect([first.allowed, back.allowed, forward.allowed]).toEqual([true, true, false]);
  });
});

describe('rollWindow', () => {
  const window: RateWindow = { minute: 100, current: 5, previous: 3 };
  it.each([
    ['within the minute: as it is', 100, window],
    ['one minute on: the running bucket becomes the one before', 101, { minute: 101, current: 0, previous: 5 }],
    ['two minutes on: nothing is left', 102, { minute: 102, current: 0, previous: 0 }],
    ['years on: nothing is left', 10_000_000, { minute: 10_000_000, current: 0, previous: 0 }],
  ])('%s', (_, minute, expected) => {
    expect(rollWindow(window, minute * MINUTE_MS + 59_999)).toEqual(expected);
  });
});

describe('rateStatus', () => {
  it.each([
    ['at the start of a minute', 0, 60],
    ['a millisecond in', 1, 60],
    ['in the middle', 30_000, 30],
    ['in the last millisecond', 59_999, 1],
  ])('tells whole seconds to the end of the minute %s', (_, offset, resetS) => {
    expect(rateStatus({ minute: START_MS / MINUTE_MS, current: 0, previous: 0 }, 10, START_MS + offset).resetS).toBe(
      resetS,
    );
  });

  it('never reports less than zero left', () => {
    fc.assert(
      fc.property(WINDOW, LIMIT, fc.nat(MINUTE_MS), (window, limit, offset) => {
        const { remaining } = rateStatus(window, limit, START_MS + offset);
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(remaining).toBeLessThanOrEqual(limit);
      }),
    );
  });
});

describe('withoutPast', () => {
  const minute = START_MS / MINUTE_MS;
  const windowOf = (at: number): RateWindow => ({ minute: at, current: 1, previous: 0 });
  const REFUSED = 'refused:verify:invalid_request';

  it.each([
    ['of the running minute', REFUSED, minute, true],
    ['of the minute before, which the last 60 seconds overlap', REFUSED, minute - 1, true],
    ['of two minutes ago', REFUSED, minute - 2, false],
    ['of a test key, two minutes ago', `test:${REFUSED}`, minute - 2, false],
  ] as const)('keeps a window of refusals as long as it counts: %s', (_, name, at, isKept) => {
    const windows: RateWindows = { [name]: windowOf(at) };
    expect(withoutPast(windows, START_MS + 59_999)).toEqual(isKept ? windows : {});
  });

  it('keeps what was authorized, however long ago: these windows are few', () => {
    const windows: RateWindows = { verify: windowOf(minute - 1_000), 'test:read': windowOf(0) };
    expect(withoutPast(windows, START_MS)).toEqual(windows);
  });

  it('drops a window of refusals that was never used', () => {
    expect(withoutPast({ [REFUSED]: undefined }, START_MS)).toEqual({});
  });
});
