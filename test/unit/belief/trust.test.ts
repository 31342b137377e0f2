import { describe, expect, it } from 'vitest';
import type { AddressFacts, KnownReport } from '../../../src/domain/belief/facts.ts';
import type { Levels } from '../../../src/domain/verification/history.ts';
import type { HostClass } from '../../../src/domain/belief/host-class.ts';
import { ReportTallies, type ReportTally, dayOf } from '../../../src/domain/belief/trust.ts';
import { standingOf } from '../../../src/domain/verification/report-gate.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';

const TODAY = 20_000;
const NOW = TODAY * DAY_MS + DAY_MS / 2;

const tally = (change: Partial<ReportTally> = {}): ReportTally => ({
  source: 'aaaa',
  host: 'unknown_business',
  day: TODAY,
  delivered: 0,
  refused: 0,
  ...change,
});
const report = (kind: KnownReport['class'], change: Partial<KnownReport> = {}): KnownReport => ({
  class: kind,
  at: NOW,
  source: 'aaaa',
  ...change,
});
type Subject = Pick<AddressFacts, 'host' | 'reports' | 'answers'>;
const address = (change: Partial<Subject> = {}): Subject => ({
  host: 'google_business',
  reports: [],
  answers: [],
  ...change,
});
const domainOf = (refused: number, delivered: number): Levels => ({
  values: new Float32Array(16),
  at: NOW,
  isReported: true,
  stoppedOn: null,
  refused,
  delivered,
});

describe('a source of reports', () => {
  it.each<[what: string, tallies: readonly ReportTally[], isTrusted: boolean]>([
    ['without a report', [], false],
    ['of 19 deliveries', [tally({ delivered: 19 })], false],
    ['of 20 deliveries', [tally({ delivered: 20 })], true],
    ['with two deliveries a refusal', [tally({ delivered: 20, refused: 10 })], true],
    ['with fewer', [tally({ delivered: 20, refused: 11 })], false],
    ['that reports refusals alone', [tally({ refused: 500 })], false],
    ['of 90 days ago', [tally({ delivered: 20, day: TODAY - 90 })], true],
    ['of 90 days and one ago', [tally({ delivered: 20, day: TODAY - 91 })], false],
    ['of tomorrow, by a clock that is fast', [tally({ delivered: 20, day: TODAY + 1 })], false],
    ['beside another one’s deliveries', [tally({ refused: 30 }), tally({ source: 'bbbb', delivered: 500 })], false],
    [
      'whose deliveries are of many days and hosts',
      [tally({ delivered: 10, day: TODAY - 89 }), tally({ host: 'google_consumer', delivered: 10 })],
      true,
    ],
  ])('%s counts beyond the address: %#', (_, tallies, isTrusted) => {
    const gate = new ReportTallies(tallies);
    expect(gate.isTrusted('aaaa', NOW)).toBe(isTrusted);
    expect(gate.reachOf(report('delivered'), address(), null, NOW)).toBe(isTrusted ? 'all' : 'none');
  });

  it.each<[what: string, kind: KnownReport['class'], host: HostClass, domain: Levels | null, reach: string]>([
    ['a refusal at a company of which five were refused', 'user_unknown', 'google_business', domainOf(5, 0), 'domain'],
    ['… four', 'user_unknown', 'google_business', domainOf(4, 0), 'none'],
    ['… and one was reached', 'user_unknown', 'google_business', domainOf(50, 1), 'none'],
    ['a refusal at a mailbox provider', 'user_unknown', 'google_consumer', domainOf(50, 0), 'none'],
    ['a delivery', 'delivered', 'google_business', domainOf(50, 0), 'none'],
    ['a refusal at a domain of which nothing is known', 'refused', 'google_business', null, 'none'],
  ])('that is not trusted reaches a domain that is given up, and no list: %s', (_, kind, host, domain, reach) => {
    expect(new ReportTallies([tally({ refused: 60 })]).reachOf(report(kind), address({ host }), domain, NOW)).toBe(
      reach,
    );
  });

  it('is judged by itself, and anew each day', () => {
    const gate = new ReportTallies([tally({ delivered: 20, day: TODAY - 90 }), tally({ source: 'bbbb', refused: 20 })]);
    const trusted = (source: string, days: number) => gate.isTrusted(source, NOW + days * DAY_MS);
    expect([trusted('aaaa', 0), trusted('bbbb', 0), trusted('aaaa', 1), trusted('aaaa', 0)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('is judged by what it has reported up to now', () => {
    const gate = new ReportTallies([tally({ delivered: 20 })]);
    expect(gate.isTrusted('aaaa', NOW)).toBe(true);
    gate.add(tally({ refused: 11 }));
    expect(gate.isTrusted('aaaa', NOW)).toBe(false);
    gate.add(tally({ refused: -1 }));
    expect(gate.isTrusted('aaaa', NOW)).toBe(true);
  });
});

/** Two months in which so many of a day's messages to Google, and to others, were refused and delivered. */
const past = (
  google: readonly [refused: number, delivered: number],
  others: readonly [number, number],
): ReportTally[] =>
  Array.from({ length: 60 }, (_, ago) => TODAY - 10 - ago).flatMap((day) => [
    tally({ host: 'google_consumer', day, refused: google[0], delivered: google[1] }),
    tally({ host: 'unknown_business', day, refused: others[0], delivered: others[1] }),
  ]);
const USUAL = past([1, 20], [1, 20]);

describe('refusals at one host', () => {
  it.each<[what: string, tallies: readonly ReportTally[], isHeld: boolean]>([
    ['as ever', [...USUAL, tally({ host: 'google_consumer', refused: 1, delivered: 20 })], false],
    ['of an outage', [...USUAL, tally({ host: 'google_consumer', refused: 40 })], true],
    ['of an outage at companies there', [...USUAL, tally({ host: 'google_business', refused: 40 })], true],
    [
      'of an outage that began yesterday',
      [...USUAL, tally({ host: 'google_consumer', refused: 40, day: TODAY - 1 })],
      true,
    ],
    ['fewer than ten', [...USUAL, tally({ host: 'google_consumer', refused: 9 })], false],
    [
      'of a bad list, refused everywhere',
      [...USUAL, tally({ host: 'google_consumer', refused: 40 }), tally({ refused: 40 })],
      false,
    ],
    [
      'of a large mailing that is delivered',
      [...USUAL, tally({ host: 'google_consumer', refused: 40, delivered: 800 })],
      false,
    ],
    ['of an account without a past', [tally({ host: 'google_consumer', refused: 40 })], false],
    [
      'of one that reports refusals alone, in an outage',
      [...past([1, 0], [1, 0]), tally({ host: 'google_consumer', refused: 40 })],
      true,
    ],
    ['of a week ago', [...USUAL, tally({ host: 'google_consumer', refused: 40, day: TODAY - 7 })], false],
  ])('%s are held back: %#', (_, tallies, isHeld) => {
    expect(new ReportTallies(tallies).isHeld('google_consumer', TODAY)).toBe(isHeld);
  });

  /** So many reports at Google now, and elsewhere; the past of each, a month ago. */
  interface Case {
    readonly now: readonly [refused: number, delivered: number];
    readonly past: readonly [number, number];
    readonly elsewhere: number;
    readonly pastElsewhere: readonly [number, number];
  }
  const isHeldIn = ({ now, past: before, elsewhere, pastElsewhere }: Case): boolean => {
    const google = { host: 'google_consumer' } as const;
    const of = ([refused, delivered]: readonly [number, number]) => ({ refused, delivered });
    return new ReportTallies([
      tally({ ...google, ...of(now) }),
      tally({ ...google, ...of(before), day: TODAY - 30 }),
      tally({ refused: elsewhere }),
      tally({ ...of(pastElsewhere), day: TODAY - 30 }),
    ]).isHeld('google_consumer', TODAY);
  };

  it.each<[what: string, drawn: Case, most: number]>([
    // With one more of each, as of what is rare: 4 here to 2 elsewhere in the past, so 4 here beside 2 elsewhere now.
    [
      'three times what those elsewhere make likely',
      { now: [0, 0], past: [3, 0], elsewhere: 1, pastElsewhere: [1, 40] },
      12,
    ],
    [
      '… where as many were refused here as elsewhere in the past',
      { now: [0, 0], past: [4, 0], elsewhere: 5, pastElsewhere: [4, 40] },
      18,
    ],
    ['ten, where none is likely', { now: [0, 0], past: [0, 0], elsewhere: 0, pastElsewhere: [0, 40] }, 9],
    // Of 20 reports 10 are no more than half.
    ['half of the reports', { now: [0, 20], past: [0, 200], elsewhere: 0, pastElsewhere: [0, 0] }, 20],
    ['… as many reports as in the past', { now: [0, 30], past: [0, 30], elsewhere: 0, pastElsewhere: [0, 0] }, 30],
    // 20 of 80 were refused in the past, with one more and 20 reports more: three times that is three of four.
    ['three times the share of the past', { now: [0, 10], past: [19, 41], elsewhere: 0, pastElsewhere: [9, 0] }, 30],
  ])('are held back from one more on than %s', (_, drawn, most) => {
    expect(isHeldIn({ ...drawn, now: [most, drawn.now[1]] })).toBe(false);
    expect(isHeldIn({ ...drawn, now: [most + 1, drawn.now[1]] })).toBe(true);
  });

  it.each([
    [29, false],
    [30, true],
  ])('are told by a past of 30 reports, whatever they said: %i: %s', (count, isHeld) => {
    const now = [40, 0] as const;
    expect(isHeldIn({ now, past: [0, 0], elsewhere: 0, pastElsewhere: [0, count] })).toBe(isHeld);
    expect(isHeldIn({ now, past: [1, 0], elsewhere: 0, pastElsewhere: [1, count - 2] })).toBe(isHeld);
  });

  it.each([
    [-6, false],
    [-7, false],
    // The two days that begin yesterday have their past until a week before yesterday, those that begin today a day longer.
    [-8, true],
    [-67, true],
    [-68, true],
    [-69, false],
  ])('have their past in the two months that end a week before: reports of day %i: %s', (day, isHeld) => {
    const gate = new ReportTallies([
      tally({ host: 'google_consumer', refused: 40 }),
      tally({ delivered: 40, day: TODAY + day }),
    ]);
    expect(gate.isHeld('google_consumer', TODAY)).toBe(isHeld);
  });

  it.each([
    [-2, false],
    [-1, true],
    [0, true],
    [1, true],
    [2, false],
  ])('are held back in a jump of two days, the report’s own among them: %i days from it: %s', (days, isHeld) => {
    const jump = new ReportTallies([...USUAL, tally({ host: 'google_consumer', refused: 40, day: TODAY })]);
    expect(jump.isHeld('google_consumer', TODAY + days)).toBe(isHeld);
  });

  it('are held back by what is known up to now', () => {
    const known = new ReportTallies(USUAL);
    expect(known.isHeld('google_consumer', TODAY)).toBe(false);
    known.add(tally({ host: 'google_consumer', refused: 40 }));
    expect(known.isHeld('google_consumer', TODAY)).toBe(true);
  });

  it('are never held back where many operators are one kind of host', () => {
    const gate = new ReportTallies([...USUAL, tally({ refused: 400 })]);
    expect(gate.isHeld('unknown_business', TODAY)).toBe(false);
  });

  const gate = new ReportTallies([...USUAL, tally({ host: 'google_business', refused: 40, day: TODAY - 3 })]);
  const then = report('user_unknown', { at: NOW - 3 * DAY_MS });

  it('reach neither domain nor list while they are held back; deliveries do', () => {
    expect(gate.reachOf(then, address({ reports: [then] }), null, NOW)).toBe('none');
    expect(gate.reachOf(report('delivered', { at: then.at }), address(), null, NOW)).toBe('all');
    expect(gate.reachOf(then, address({ host: 'unknown_business', reports: [then] }), null, NOW)).toBe('all');
  });

  it.each<[what: string, later: Partial<Subject>, reach: string]>([
    ['the address is refused again later', { reports: [then, report('refused')] }, 'all'],
    ['… in the same outage', { reports: [then, report('refused', { at: then.at + 1 })] }, 'none'],
    ['… or was refused before', { reports: [report('refused', { at: NOW - 30 * DAY_MS }), then] }, 'none'],
    ['… or is reached', { reports: [then, report('delivered')] }, 'none'],
    [
      'a provider refuses it later',
      { answers: [{ provider: 'kickbox', verdict: 'undeliverable', catch_all: null, at: NOW }] },
      'all',
    ],
    [
      '… or refused it before',
      { answers: [{ provider: 'kickbox', verdict: 'undeliverable', catch_all: null, at: then.at - 1 }] },
      'none',
    ],
    [
      '… or refused it at that moment',
      { answers: [{ provider: 'kickbox', verdict: 'undeliverable', catch_all: null, at: then.at }] },
      'none',
    ],
    [
      '… or accepts it later',
      { answers: [{ provider: 'kickbox', verdict: 'deliverable', catch_all: null, at: NOW }] },
      'none',
    ],
  ])('are confirmed where %s', (_, later, reach) => {
    expect(gate.reachOf(then, address({ reports: [then], ...later }), null, NOW)).toBe(reach);
  });
});

describe('how an address stands', () => {
  it.each<[reports: readonly KnownReport['class'][], stands: ReturnType<typeof standingOf>]>([
    [[], null],
    [['soft', 'full'], null],
    [['user_unknown', 'soft'], 'refused'],
    [['user_unknown', 'delivered'], 'delivered'],
    [['complaint', 'refused'], 'refused'],
  ])('after %j: %s', (classes, stands) => {
    expect(standingOf(classes.map((kind, at) => report(kind, { at })))).toBe(stands);
  });

  it('is of a UTC day', () => {
    expect(dayOf(NOW)).toBe(TODAY);
  });
});
