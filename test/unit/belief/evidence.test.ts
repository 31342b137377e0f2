import { describe, expect, it } from 'vitest';
import { countedAnswers, observedIn, type SourceErrors } from '../../../src/domain/belief/evidence.ts';
import { EVIDENCE_TABLE, type EvidenceTable } from '../../../src/domain/belief/evidence-table.ts';
import {
  type DatedAnswer,
  type DatedReport,
  type DeliveryClass,
  type Facts,
  NO_FACTS,
} from '../../../src/domain/belief/facts.ts';
import { MODEL, type Model, VARIANCE_MAX } from '../../../src/domain/belief/model.ts';
import type { VerdictCounts } from '../../../src/domain/belief/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';

const NOW = 1_000;
const seen = (facts: Partial<Facts>, model: Model = MODEL, errors: SourceErrors = {}) =>
  observedIn(model, 'google_business', { ...NO_FACTS, ...facts }, NOW, errors);

describe('what was seen of an address', () => {
  it('is in order of time, each piece as its own kind, none later than now', () => {
    const observed = seen({
      answers: [{ provider: 'kickbox', verdict: 'deliverable', at: 7 }],
      reports: [{ class: 'delivered', at: 9 * NOW }],
      proofs: [{ class: 'paid', at: 3 }],
    });
    expect(observed.map(({ kind, at }) => [kind, at])).toEqual([
      ['proof', 3],
      ['answer', 7],
      ['report', NOW],
    ]);
  });
});

describe('a provider’s answer', () => {
  /** Kickbox with this many observations where the server accepts. */
  const knowing = (accepts: VerdictCounts): Model => {
    const { anyHost } = MODEL.providers.kickbox;
    const kickbox = { ...MODEL.providers.kickbox, hosts: {}, anyHost: { ...anyHost, accepts } };
    return { ...MODEL, providers: { ...MODEL.providers, kickbox } };
  };
  const said = (accepts: VerdictCounts) => {
    const [first] = seen({ answers: [{ provider: 'kickbox', verdict: 'deliverable', at: 0 }] }, knowing(accepts));
    if (first?.kind !== 'answer') throw new Error('no answer was seen');
    return { likely: first.byAnswer?.[0] ?? Number.NaN, variance: first.variance[0] ?? Number.NaN };
  };

  it('is as likely as it was among those known', () => {
    expect(said([90, 5, 3, 1, 1]).likely).toBeCloseTo(0.9, 9);
  });

  it('is certain where no other answer was ever observed', () => {
    expect(said([50, 0, 0, 0, 0])).toEqual({ likely: 1, variance: 0 });
  });

  it('has the variance of the logarithm of a share of that sample size', () => {
    // Binomial: Var ln p ≈ (1 − p) / (p n).
    for (const [count, total] of [
      [900, 1_000],
      [500, 1_000],
      [20, 50],
    ] as const) {
      const share = count / total;
      expect(said([count, total - count, 0, 0, 0]).variance).toBeCloseTo((1 - share) / (share * total), 9);
    }
  });

  it('is off by a bounded factor, however few observations there are', () => {
    for (const rare of [0, 0.1, 1]) expect(said([rare, 1_000, 0, 0, 0]).variance).toBe(VARIANCE_MAX);
  });
});

describe('a delivery report', () => {
  const CLASSES = Object.keys(EVIDENCE_TABLE.reports) as DeliveryClass[];
  const reported = (
    report: Omit<DatedReport, 'at'>,
    change: Partial<EvidenceTable> = {},
    errors: SourceErrors = {},
  ) => {
    const [first] = seen(
      { reports: [{ ...report, at: 0 }] },
      { ...MODEL, evidence: { ...EVIDENCE_TABLE, ...change } },
      errors,
    );
    if (first?.kind !== 'report') throw new Error('no report was seen');
    return first;
  };
  /** A source with this share of wrong reports. */
  const by = (kind: DeliveryClass, wrong: number) => reported({ class: kind, source: 'ab12' }, {}, { ab12: wrong });

  it.each(CLASSES)('%s is worth what the table says without a source, and from one that does not err', (kind) => {
    const table = EVIDENCE_TABLE.reports[kind];
    expect(reported({ class: kind }, {}, { ab12: 1 })).toMatchObject(table);
    expect(reported({ class: kind, source: 'ffff' }, {}, { ab12: 1 })).toMatchObject(table);
    expect(by(kind, 0)).toMatchObject(table);
  });

  it.each(CLASSES)(
    '%s says nothing from a source that errs every other time, and the contrary from one that always does',
    (kind) => {
      const { lands, bounces } = EVIDENCE_TABLE.reports[kind];
      const half = by(kind, 0.5);
      expect(half.lands).toBeCloseTo(half.bounces, 12);
      const always = by(kind, 1);
      expect([always.lands, always.bounces]).toEqual([bounces, lands]);
    },
  );

  it.each(CLASSES)('%s says less, the more often its source errs, and is made as often in all', (kind) => {
    const { lands, bounces } = EVIDENCE_TABLE.reports[kind];
    const strength = (wrong: number) => Math.abs(Math.log(by(kind, wrong).lands / by(kind, wrong).bounces));
    for (const wrong of [0.1, 0.2, 0.4]) {
      expect(strength(wrong)).toBeLessThan(strength(wrong / 2));
      expect(by(kind, wrong).lands + by(kind, wrong).bounces).toBeCloseTo(lands + bounces, 12);
    }
  });

  it('is more certain with more observations behind the table, within a bound', () => {
    const variance = (kind: DeliveryClass, reportWeight: number) =>
      reported({ class: kind }, { reportWeight }).variance;
    for (const kind of CLASSES) {
      expect(variance(kind, 1e6)).toBeGreaterThan(0);
      expect(variance(kind, 2e6)).toBeCloseTo(variance(kind, 1e6) / 2, 12);
      expect(variance(kind, 1e-3)).toBe(VARIANCE_MAX);
    }
    expect(variance('complaint', 1e6)).toBeGreaterThan(variance('delivered', 1e6));
  });

  it('is as sure whichever of its two rates is the larger', () => {
    const reports = (lands: number, bounces: number) => ({ ...EVIDENCE_TABLE.reports, soft: { lands, bounces } });
    const variance = (lands: number, bounces: number) =>
      reported({ class: 'soft' }, { reports: reports(lands, bounces), reportWeight: 1e4 }).variance;
    expect(variance(0.1, 0.4)).toBeCloseTo(variance(0.4, 0.1), 12);
  });
});

describe('a full mailbox', () => {
  const full = (provider: DatedAnswer['provider'], at: number): DatedAnswer => ({
    provider,
    verdict: 'risky',
    full: true,
    at,
  });
  const reported = (at: number): DatedReport => ({ class: 'full', at });

  it.each<[what: string, facts: Partial<Facts>, times: readonly number[]]>([
    ['two providers at once', { answers: [full('kickbox', 9), full('bouncer', 9)] }, [9]],
    ['a provider and a report, the newer', { answers: [full('kickbox', 3)], reports: [reported(9)] }, [9]],
    [
      'a report and three providers, the newest',
      {
        answers: [full('hunter', 7), full('kickbox', 8), full('bouncer', 9)],
        reports: [reported(3)],
      },
      [9],
    ],
    ['two, a week apart', { answers: [full('kickbox', 9 - 7 * DAY_MS)], reports: [reported(9)] }, [9 - 7 * DAY_MS, 9]],
  ])('is one fact within a week, whoever says it: %s', (_, facts, times) => {
    const observed = seen(facts);
    expect(observed.map(({ at }) => at)).toEqual(times);
    for (const each of observed) expect(each).toMatchObject(EVIDENCE_TABLE.reports.full);
  });
});

describe('answers count', () => {
  const said = (provider: DatedAnswer['provider'], verdict: DatedAnswer['verdict'], days: number): DatedAnswer => ({
    provider,
    verdict,
    at: NOW - days * DAY_MS,
  });

  it.each<[what: string, answers: readonly DatedAnswer[], counted: readonly DatedAnswer['provider'][]]>([
    [
      '`unknown`, while nobody says anything else',
      [said('kickbox', 'unknown', 0), said('bouncer', 'unknown', 9)],
      ['kickbox', 'bouncer'],
    ],
    [
      '`unknown` not beside a word, however old that is',
      [said('kickbox', 'unknown', 0), said('bouncer', 'risky', 300)],
      ['bouncer'],
    ],
    ['each engine’s', [said('kickbox', 'deliverable', 0), said('bouncer', 'undeliverable', 0)], ['kickbox', 'bouncer']],
  ])('%s', (_, answers, counted) => {
    expect(countedAnswers(answers).map(({ provider }) => provider)).toEqual(counted);
  });

  it.each([
    [29, 1],
    [30, 2],
  ])('of one engine %i days apart as %i', (days, count) => {
    const twice = [said('kickbox', 'deliverable', days), said('kickbox', 'undeliverable', 0)];
    expect(countedAnswers(twice)).toEqual(twice.slice(-count));
  });

  it('as a report of a full mailbox where the provider says that it is full', () => {
    const [full] = seen({ answers: [{ ...said('kickbox', 'risky', 0), full: true }] });
    expect(full).toMatchObject({ kind: 'report', ...EVIDENCE_TABLE.reports.full });
  });
});
