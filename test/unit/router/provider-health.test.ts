import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FailureKind, ProviderHealthTracker } from '../../../src/domain/router/provider-health.ts';

const NEW = { typicalMs: 500, latencyMs: 1_500, open: false };

/** A book after `count` calls that each took `ms`, the last at time `at`. */
function after(count: number, failure: FailureKind | null, ms = 200, at = 0): ProviderHealthTracker {
  const book = new ProviderHealthTracker();
  for (let i = 0; i < count; i += 1) book.note('kickbox', ms, failure, at);
  return book;
}
/** A day of 2026. */
const TODAY_MS = 20_500 * 86_400_000;

const OPENS: [kind: FailureKind, ms: number, calls: number, untilMs: number][] = [
  ['server_error', 200, 5, 30_000],
  ['unreachable', 1, 5, 30_000],
  ['rate_limited', 50, 5, 30_000],
  ['malformed', 50, 5, 30_000],
  ['too_large', 50, 5, 30_000],
  // One and a half times as long as it usually takes.
  ['timeout', 2_250, 5, 30_000],
  ['abandoned', 2_250, 5, 30_000],
  // An account is not filled up in half a minute.
  ['no_credit', 50, 1, 300_000],
  ['unauthorized', 50, 1, 300_000],
];
const LEAVES_SHUT: [kind: FailureKind, ms: number][] = [
  // About the address, or a question asked too soon again.
  ['refused', 100],
  ['pending', 100],
  // The caller's limit was short; the vendor wasn't slow.
  ['timeout', 1_499],
  ['abandoned', 100],
];

describe('the health of a provider', () => {
  it('is assumed while nothing is known', () => {
    expect(new ProviderHealthTracker().healthOf('kickbox', 0)).toMatchObject({ ...NEW, failureRate: 0.02 });
  });

  it.each(OPENS)('%s after %i ms: %i in a row open the circuit, until %i ms later', (kind, ms, calls, untilMs) => {
    expect(after(calls - 1, kind, ms).healthOf('kickbox', 0).open).toBe(false);
    const book = after(calls, kind, ms);
    expect(book.healthOf('kickbox', untilMs - 1).open).toBe(true);
    expect(book.healthOf('kickbox', untilMs).open).toBe(false);
    expect(book.healthOf('bouncer', 0).open).toBe(false);
  });

  it.each(LEAVES_SHUT)('%s after %i ms says nothing of the vendor, however often', (kind, ms) => {
    expect(after(40, kind, ms).healthOf('kickbox', 0)).toMatchObject({ ...NEW, failureRate: 0.02 });
  });

  it('an answer in between starts the count again', () => {
    const book = after(4, 'server_error');
    book.note('kickbox', 200, null, 0);
    for (let i = 0; i < 4; i += 1) book.note('kickbox', 200, 'server_error', 0);
    expect(book.healthOf('kickbox', 0).open).toBe(false);
  });

  it('after an open circuit one trial call is made, and no other beside it', () => {
    const book = after(5, 'server_error');
    book.begin('kickbox', 30_000);
    expect(book.healthOf('kickbox', 30_001).open).toBe(true);
    book.note('kickbox', 300, null, 30_300);
    expect(book.healthOf('kickbox', 30_301).open).toBe(false);
  });

  it('a call that begins while the circuit is closed leaves it closed', () => {
    const book = after(4, 'server_error');
    book.begin('kickbox', 0);
    expect(book.healthOf('kickbox', 1).open).toBe(false);
  });

  it('a trial that fails opens it again', () => {
    const book = after(5, 'server_error');
    book.begin('kickbox', 30_000);
    book.note('kickbox', 300, 'server_error', 30_300);
    expect(book.healthOf('kickbox', 60_299).open).toBe(true);
    expect(book.healthOf('kickbox', 60_300).open).toBe(false);
  });

  it('a bad spell is forgotten five minutes after it', () => {
    for (const at of [0, TODAY_MS])
      for (const book of [after(30, 'server_error', 200, at), after(30, null, 5_000, at)]) {
        expect(book.healthOf('kickbox', at + 299_999)).not.toMatchObject({ ...NEW, failureRate: 0.02 });
        expect(book.healthOf('kickbox', at + 300_000)).toMatchObject({ ...NEW, failureRate: 0.02 });
      }
  });

  it.each([
    [0, 1],
    [30_000, 1 / 2],
    [60_000, 1 / 4],
    [90_000, 1 / 8],
    // A clock that was set back.
    [-30_000, 1],
  ])('a call counts half as much every half minute: %i ms after it, %d', (ageMs, counts) => {
    const rate = (failure: FailureKind | null) =>
      after(1, failure, 200, TODAY_MS).healthOf('kickbox', TODAY_MS + ageMs).failureRate;
    // Beside ten calls of which .2 failed.
    expect(rate('server_error')).toBeCloseTo((0.2 + counts) / (10 + counts), 9);
    expect(rate(null)).toBeCloseTo(0.2 / (10 + counts), 9);
  });

  it('knows how long answers take: half of them, and nine in ten', () => {
    const times = Array.from({ length: 30 }, (_, at) => 100 * (at + 1));
    fc.assert(
      fc.property(fc.shuffledSubarray(times, { minLength: 30 }), (shuffled) => {
        const book = new ProviderHealthTracker();
        for (const ms of shuffled) book.note('kickbox', ms, null, 0);
        expect(book.healthOf('kickbox', 0)).toMatchObject({ typicalMs: 1_600, latencyMs: 2_700 });
      }),
    );
  });

  it('learns nothing of how long answers take from a call that fails', () => {
    expect(after(3, 'server_error', 9).healthOf('kickbox', 0)).toMatchObject(NEW);
    expect(after(3, 'timeout', 9_000).healthOf('kickbox', 0)).toMatchObject(NEW);
  });

  it('takes the only answer’s time for the usual one', () => {
    expect(after(1, null, 4_000).healthOf('kickbox', 0)).toMatchObject({ typicalMs: 4_000, latencyMs: 4_000 });
  });

  it('a silence a little longer than usual is slowness: it moves the times and never opens the circuit', () => {
    const book = after(30, 'timeout', 1_600);
    expect(book.healthOf('kickbox', 0)).toMatchObject({ typicalMs: 1_600, latencyMs: 1_600, open: false });
    expect(book.healthOf('kickbox', 0).failureRate).toBeGreaterThan(0.5);
  });

  it('looks back on thirty calls', () => {
    const book = after(30, 'server_error');
    for (let i = 0; i < 30; i += 1) book.note('kickbox', 200, null, 0);
    expect(book.healthOf('kickbox', 0).failureRate).toBeLessThan(0.02);
  });
});

it('a provider that usually answers sooner is at fault sooner when it is silent', () => {
  const [quick, usual] = [new ProviderHealthTracker<'a'>(1_000), new ProviderHealthTracker<'a'>()];
  for (let call = 1; call <= 5; call += 1) for (const book of [quick, usual]) book.note('a', 2_000, 'timeout', call);
  expect(quick.healthOf('a', 6).open).toBe(true);
  expect(usual.healthOf('a', 6).open).toBe(false);
});
