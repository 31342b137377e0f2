import { describe, expect, it } from 'vitest';
import { type KnownReport, polarityOf } from '../../../src/domain/belief/facts.ts';
import type { HostClass } from '../../../src/domain/belief/host-class.ts';
import {
  Contradictions,
  dayOf,
  periodOf,
  ReportTallies,
  type ReportTally,
  type Scope,
} from '../../../src/domain/belief/trust.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';

const TODAY = 20_000;
const NOW = TODAY * DAY_MS + DAY_MS / 2;
/** Buckets last six hours: this is the third of its day. */
const PERIOD = periodOf(NOW);
const periodAgo = (days: number): number => PERIOD - 4 * days;

const tally = (change: Partial<ReportTally> = {}): ReportTally => ({
  source: 'aaaa',
  host: 'unknown_business',
  period: PERIOD,
  delivered: 0,
  refused: 0,
  ...change,
});
const report = (kind: KnownReport['class'], change: Partial<KnownReport> = {}): KnownReport => ({
  class: kind,
  at: NOW,
  of: ['vr_1'],
  source: 'aaaa',
  ...change,
});
const AT: HostClass = 'google_business';

describe('a source of reports', () => {
  it.each<[what: string, tallies: readonly ReportTally[], isTrusted: boolean]>([
    ['without a report', [], false],
    ['of 19 deliveries', [tally({ delivered: 19 })], false],
    ['of 20 deliveries', [tally({ delivered: 20 })], true],
    ['with two deliveries a refusal', [tally({ delivered: 20, refused: 10 })], true],
    ['with fewer', [tally({ delivered: 20, refused: 11 })], false],
    ['that reports refusals alone', [tally({ refused: 500 })], false],
    ['of 90 days ago', [tally({ delivered: 20, period: periodAgo(90) + 1 })], true],
    ['of six hours more', [tally({ delivered: 20, period: periodAgo(90) })], false],
    ['of the next hours, by a clock that is fast', [tally({ delivered: 20, period: PERIOD + 1 })], false],
    ['beside another one’s deliveries', [tally({ refused: 30 }), tally({ source: 'bbbb', delivered: 500 })], false],
    [
      'whose deliveries are of many days and hosts',
      [tally({ delivered: 10, period: periodAgo(89) }), tally({ host: 'google_consumer', delivered: 10 })],
      true,
    ],
  ])('%s counts beyond the address: %#', (_, tallies, isTrusted) => {
    const gate = new ReportTallies(tallies);
    expect(gate.isTrusted('aaaa', NOW)).toBe(isTrusted);
    expect(gate.scopeOf(report('delivered'), AT, null, NOW)).toBe(isTrusted ? 'all' : 'none');
  });

  it.each<[what: string, kind: KnownReport['class'], host: HostClass, deliveredAt: number | null, scope: Scope]>([
    ['a refusal at a company', 'user_unknown', 'google_business', null, 'given_up'],
    ['… where a delivery was reported, by anybody', 'user_unknown', 'google_business', NOW - DAY_MS, 'none'],
    ['a refusal for another reason', 'refused', 'google_business', null, 'none'],
    ['a refusal at a mailbox provider', 'user_unknown', 'google_consumer', null, 'none'],
    ['a delivery', 'delivered', 'google_business', null, 'none'],
  ])('that is not trusted affects only whether a domain is given up: %s', (_, kind, host, deliveredAt, scope) => {
    const gate = new ReportTallies([tally({ refused: 60 })]);
    expect(gate.scopeOf(report(kind), host, { deliveredAt }, NOW)).toBe(scope);
    if (deliveredAt === null) expect(gate.scopeOf(report(kind), host, null, NOW)).toBe(scope);
  });

  it('makes its account trusted, whatever the others report', () => {
    const bad = tally({ source: 'bbbb', refused: 100 });
    expect(new ReportTallies([bad]).isAnyTrusted(NOW)).toBe(false);
    expect(new ReportTallies([bad, tally({ delivered: 20 })]).isAnyTrusted(NOW)).toBe(true);
  });

  it('is judged by itself, and again each day', () => {
    const gate = new ReportTallies([
      tally({ delivered: 20, period: periodAgo(90) + 4 }),
      tally({ source: 'bbbb', refused: 20 }),
    ]);
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
    gate.add(tally({ refused: -100 }));
    gate.add(tally({ delivered: -1 }));
    expect(gate.isTrusted('aaaa', NOW)).toBe(false);
  });
});

/** Enough elsewhere to tell an outage from a bad list. */
const ELSEWHERE = tally({ delivered: 10 });
/** Two months with these daily refusals and deliveries at Google and elsewhere. */
const past = (
  google: readonly [refused: number, delivered: number],
  others: readonly [number, number],
): ReportTally[] =>
  Array.from({ length: 60 }, (_, ago) => periodAgo(10 + ago)).flatMap((period) => [
    tally({ host: 'google_consumer', period, refused: google[0], delivered: google[1] }),
    tally({ host: 'unknown_business', period, refused: others[0], delivered: others[1] }),
  ]);
const USUAL = past([1, 20], [1, 20]);

describe('refusals at one operator', () => {
  it.each<[what: string, tallies: readonly ReportTally[], isOutage: boolean]>([
    ['as ever', [...USUAL, tally({ host: 'google_consumer', refused: 1, delivered: 20 })], false],
    ['40 within hours', [...USUAL, tally({ host: 'google_consumer', refused: 40 })], true],
    ['… at companies there', [...USUAL, tally({ host: 'google_business', refused: 40 })], true],
    ['… six hours ago', [...USUAL, tally({ host: 'google_consumer', refused: 40, period: PERIOD - 1 })], true],
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
      'of one that reports refusals alone',
      [...past([1, 0], [1, 0]), tally({ host: 'google_consumer', refused: 40 })],
      true,
    ],
    ['of a week ago', [...USUAL, tally({ host: 'google_consumer', refused: 40, period: periodAgo(7) })], false],
  ])('are an outage or not: %s', (_, tallies, isOutage) => {
    const known = [...tallies, ELSEWHERE, tally({ delivered: 10, period: PERIOD - 1 })];
    expect(new ReportTallies(known).isOutage('google_consumer', NOW)).toBe(isOutage);
  });

  /** This many reports now at Google and elsewhere, each with a past a month ago. */
  interface Case {
    readonly now: readonly [refused: number, delivered: number];
    readonly past: readonly [number, number];
    readonly elsewhere: number;
    readonly pastElsewhere: readonly [number, number];
  }
  const isOutageIn = ({ now, past: before, elsewhere, pastElsewhere }: Case): boolean => {
    const google = { host: 'google_consumer' } as const;
    const of = ([refused, delivered]: readonly [number, number]) => ({ refused, delivered });
    return new ReportTallies([
      tally({ ...google, ...of(now) }),
      tally({ ...google, ...of(before), period: periodAgo(30) }),
      tally({ refused: elsewhere, delivered: 10 }),
      tally({ ...of(pastElsewhere), period: periodAgo(30) }),
    ]).isOutage('google_consumer', NOW);
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
  ])('are an outage from one more on than %s', (_, drawn, most) => {
    expect(isOutageIn({ ...drawn, now: [most, drawn.now[1]] })).toBe(false);
    expect(isOutageIn({ ...drawn, now: [most + 1, drawn.now[1]] })).toBe(true);
  });

  it.each([
    [29, false],
    [30, true],
  ])('are judged by a past of 30 reports, whatever they said: %i: %s', (count, isOutage) => {
    const now = [40, 0] as const;
    expect(isOutageIn({ now, past: [0, 0], elsewhere: 0, pastElsewhere: [0, count] })).toBe(isOutage);
    expect(isOutageIn({ now, past: [1, 0], elsewhere: 0, pastElsewhere: [1, count - 2] })).toBe(isOutage);
  });

  it.each([
    [6, false],
    [7, false],
    [8, true],
    [67, true],
    [68, false],
  ])('have their past in the two months that end a week before: reports of %i days ago: %s', (days, isOutage) => {
    const gate = new ReportTallies([
      tally({ host: 'google_consumer', refused: 40 }),
      tally({ delivered: 40, period: periodAgo(days) }),
      ELSEWHERE,
    ]);
    expect(gate.isOutage('google_consumer', NOW)).toBe(isOutage);
  });

  it.each([
    [-12, false],
    [-6, true],
    [0, true],
    [6, true],
    [12, false],
  ])('are an outage for twelve hours around the jump: %i hours from it: %s', (hours, isOutage) => {
    const jump = new ReportTallies([...USUAL, tally({ host: 'google_consumer', refused: 40 }), ELSEWHERE]);
    expect(jump.isOutage('google_consumer', NOW + hours * HOUR_MS)).toBe(isOutage);
  });

  it('are judged by what is known up to now', () => {
    const known = new ReportTallies([...USUAL, ELSEWHERE]);
    expect(known.isOutage('google_consumer', NOW)).toBe(false);
    known.add(tally({ host: 'google_consumer', refused: 40 }));
    expect(known.isOutage('google_consumer', NOW)).toBe(true);
  });

  it.each([
    [9, false],
    [10, true],
  ])('differ from a bad list by reports elsewhere: %i: %s', (count, isOutage) => {
    const gate = new ReportTallies([
      ...past([0, 20], [0, 0]),
      tally({ host: 'google_consumer', refused: 40 }),
      tally({ delivered: count }),
    ]);
    expect(gate.isOutage('google_consumer', NOW)).toBe(isOutage);
  });

  it('are never an outage where many operators are one kind of host', () => {
    expect(new ReportTallies([...USUAL, tally({ refused: 400 })]).isOutage('unknown_business', NOW)).toBe(false);
  });

  describe('that are an outage', () => {
    const gate = new ReportTallies([...USUAL, tally({ host: 'google_business', refused: 40 }), ELSEWHERE]);

    it('never reach the groups; deliveries of the same time do', () => {
      for (const later of [NOW, NOW + 60 * DAY_MS]) {
        expect(gate.scopeOf(report('user_unknown'), AT, null, later)).toBe('none');
        expect(gate.scopeOf(report('delivered'), AT, null, later)).toBe('all');
        expect(gate.scopeOf(report('user_unknown'), 'unknown_business', null, later)).toBe('all');
      }
    });

    it('count for the address itself only once the outage is over', () => {
      const [refusal, delivery] = [report('user_unknown'), report('delivered')];
      expect(gate.isCounted(refusal, AT, NOW)).toBe(false);
      expect(gate.isCounted(refusal, AT, NOW + DAY_MS)).toBe(true);
      expect(gate.isCounted(delivery, AT, NOW)).toBe(true);
      expect(gate.isCounted(refusal, 'unknown_business', NOW)).toBe(true);
    });
  });
});

describe('the errors of a source', () => {
  const errorsOf = (...addresses: (readonly KnownReport[])[]) => {
    const contradictions = new Contradictions();
    for (const reports of addresses) contradictions.note({ reports });
    return contradictions.errors();
  };
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  const refused = report('user_unknown', { at: NOW - 60 * DAY_MS });
  const deliveredAfter = (days: number) => report('delivered', { source: 'bbbb', at: refused.at + days * DAY_MS });

  it('are the share of its refusals that others contradict: those that others confirm are refusals too', () => {
    const confirmed = { ...refused, confirmedBy: ['bbbb'] };
    const errors = errorsOf(...times(1_000, [confirmed]), ...times(20, [refused, deliveredAfter(1)]));
    expect(errors).toEqual({ aaaa: expect.closeTo(0.02, 2) });
  });

  it('are none where the delivery came long after: the mailbox has recovered', () => {
    expect(errorsOf(...times(40, [refused, deliveredAfter(29)]))).toMatchObject({ aaaa: expect.any(Number) });
    expect(errorsOf(...times(40, [refused, deliveredAfter(30)]))).toEqual({});
  });
});

describe('what a report says of its source and its domain', () => {
  it.each<[kind: KnownReport['class'], says: ReturnType<typeof polarityOf>]>([
    ['user_unknown', 'refused'],
    ['refused', 'refused'],
    ['full', null],
    ['soft', null],
    ['delivered', 'delivered'],
    ['complaint', 'delivered'],
  ])('%s: %s', (kind, says) => {
    expect(polarityOf(report(kind))).toBe(says);
  });

  it('is dated by UTC day', () => {
    expect(dayOf(NOW)).toBe(TODAY);
  });
});
