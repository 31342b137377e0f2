import { describe, expect, it } from 'vitest';
import {
  formatDollars,
  formatEstimate,
  formatGrowth,
  formatPoints,
  formatRelative,
  formatShare,
} from '../../../dashboard/app/lib/format.ts';
import { apartFrom, overruledBy, thresholdsOf } from '../../../dashboard/app/lib/thresholds.ts';
import { changeOf, endsAt } from '../../../dashboard/app/screens/overview/figures.ts';

describe('a number as it is shown', () => {
  it.each([
    [0, '<0.1%'],
    [0.000_4, '<0.1%'],
    [0.004, '0.4%'],
    [0.31, '31%'],
    [0.995, '99.5%'],
    [1, '>99.9%'],
  ])('an estimate of %d is %s: never none, never all', (probability, shown) => {
    expect(formatEstimate(probability)).toBe(shown);
  });

  it.each([
    [0, '0%'],
    [0.004, '0.4%'],
    [1, '100%'],
  ])('a share of %d is %s', (share, shown) => {
    expect(formatShare(share)).toBe(shown);
  });

  it.each([
    [0, '$0.00'],
    [0.000_004_2, '$0.000004'],
    [0.0042, '$0.0042'],
    [0.05, '$0.05'],
    [0.0123, '$0.012'],
    [0.4, '$0.40'],
    [12.5, '$12.50'],
  ])('%d dollars are %s', (amount, shown) => {
    expect(formatDollars(amount)).toBe(shown);
  });

  it.each([
    [-30, '30 sec. ago'],
    [-180, '3 min. ago'],
    [2 * 86_400, 'in 2 days'],
  ])('%d seconds from now are %s', (seconds, shown) => {
    expect(formatRelative(1_000_000 + seconds, 1_000_000_000)).toBe(shown);
  });
});

describe('a number beside its thresholds', () => {
  const THRESHOLDS = { send: 0.14, drop: 0.8824 };

  it.each([
    [0.879, '87.9%', '88.2%'],
    [0.8821, '88.21%', '88.24%'],
    [0.5, '50%', '88%'],
    [0.8824, '88%', '88%'],
  ])('of %d is written apart from the one for dropping', (probability, shown, drop) => {
    const write = apartFrom(probability, THRESHOLDS);
    expect([probability, THRESHOLDS.send, THRESHOLDS.drop].map(write)).toEqual([shown, '14%', drop]);
  });

  it.each([
    [{ send: 0.0006, drop: 0.9 }, 0.000_04, '<0.1%', '0.1%'],
    [{ send: 0.000_02, drop: 0.9 }, 0.000_04, '0.004%', '0.002%'],
    [{ send: 0.9993, drop: 0.9993 }, 0.9997, '>99.9%', '99.9%'],
  ])('is never none and never all, beside %j', (thresholds, probability, shown, send) => {
    expect([probability, thresholds.send].map(apartFrom(probability, thresholds))).toEqual([shown, send]);
  });

  it.each([
    ['drop', 0.18, ['disposable_domain'], /^Disposable addresses are offered at this domain\. That always means drop/],
    ['drop', 0.95, ['disposable_domain'], null],
    ['challenge', 0.95, [], /isn’t enough evidence/],
    ['challenge', 0.5, ['disposable_suspected'], null],
    ['send', 0.02, [], null],
  ])('says of %s at %d why it is not the zone’s', (recommendation, probability, reasons, said) => {
    const found = overruledBy({ probability, recommendation, reasons }, THRESHOLDS);
    if (said === null) expect(found).toBeNull();
    else expect(found).toMatch(said);
  });
});

describe('where the recommendation changes', () => {
  const LOSSES = { bounce: 1, contact_lost: 0.5, held_good: 0.05, held_bad: 0.05 };
  const cost = ({ bounce, contact_lost: lost, held_good: good, held_bad: bad }: typeof LOSSES, p: number) => ({
    send: p * bounce,
    drop: (1 - p) * lost,
    hold: (1 - p) * good + p * bad,
  });

  it.each([
    LOSSES,
    { ...LOSSES, bounce: 0.1 },
    { ...LOSSES, held_good: 0.3 },
    { ...LOSSES, contact_lost: 0.01 },
    { ...LOSSES, bounce: 0 },
    { ...LOSSES, bounce: 0, contact_lost: 0 },
    { bounce: 0, contact_lost: 0, held_good: 0, held_bad: 0 },
  ])('is where the cheapest action does, with losses %j', (losses) => {
    const { send, drop } = thresholdsOf(losses);
    const places = Array.from({ length: 100 }, (_, at) => 0.005 + at / 100);
    const isNear = (p: number) => [send, drop].some((edge) => Math.abs(edge - p) < 0.011);
    const wrong = places.filter((p) => {
      const { send: sent, drop: dropped, hold } = cost(losses, p);
      const cheapest = dropped < Math.min(sent, hold) ? 'drop' : sent <= hold ? 'send' : 'hold';
      return !isNear(p) && cheapest !== (p > drop ? 'drop' : p <= send ? 'send' : 'hold');
    });
    expect(wrong).toEqual([]);
  });
});

describe('when a quota ends at this pace', () => {
  const month = { from: 0, to: 30 * 86_400 };
  it.each([
    ['nothing was used', 10, 0, null],
    ['the month has hardly begun', 0.5, 900, null],
    ['it lasts', 10, 300, null],
    ['it ends midway', 10, 500, 20 * 86_400],
    ['it is spent', 10, 1_000, 10 * 86_400],
  ])('%s', (_, days, used, end) => {
    expect(endsAt(month, used, 1_000, days * 86_400)).toBe(end);
  });
});

describe('a period beside the one before', () => {
  const seriesOf = (...series: (readonly [term: string, ...counts: number[]])[]) => ({
    days: [0, 1, 2],
    series: series.map(([term, ...counts]) => ({ term, counts })),
  });

  it('leaves out today, and as many days of the other', () => {
    const now = seriesOf(['send', 30, 10, 900], ['drop', 10, 0, 900]);
    const before = seriesOf(['send', 900, 10, 8], ['hold', 900, 1, 1]);
    expect(changeOf(now, before)).toEqual({
      calls: { now: 25, before: 10 },
      shares: [
        { term: 'send', now: 0.8, before: 0.9 },
        { term: 'drop', now: 0.2, before: 0 },
      ],
    });
  });

  it('is not compared with nothing', () => {
    const some = seriesOf(['send', 1, 1, 1]);
    expect(changeOf(some, seriesOf())).toBeNull();
    expect(changeOf(seriesOf(['send', 0, 0, 7]), some)).toBeNull();
  });

  it('has its changes with a sign, of a share in points', () => {
    expect([formatGrowth(25, 10), formatGrowth(9, 10), formatGrowth(10, 10)]).toEqual(['+150%', '−10%', '0%']);
    expect([formatPoints(0.8, 0.9), formatPoints(0.204, 0.2)]).toEqual(['−10 points', '+0.4 points']);
  });
});
