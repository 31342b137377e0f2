import { describe, expect, it } from 'vitest';
import { CalibrationReport } from '../../../src/contract/calibration.ts';
import { calibrate, fittedModel, missingOutcomes } from '../../../src/domain/calibration/calibrate.ts';
import { crossValidate } from '../../../src/domain/calibration/cross-validation.ts';
import { fit } from '../../../src/domain/calibration/fit.ts';
import { fittedTables } from '../../../src/domain/calibration/fitted-model.ts';
import { excessLoss, isClearlyLess, logLoss, reliability } from '../../../src/domain/calibration/reliability.ts';
import { SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { drawnAccount, patternOf } from './accounts.ts';

const SAID = { host: 'google_business', answers: [{ provider: 'zerobounce', verdict: 'deliverable' }] } as const;

describe('calibrating', () => {
  it('an account without traces leaves the seeded model', () => {
    const { model, candidate, report } = calibrate([]);
    expect(model).toBe(SEEDED_MODEL);
    expect(candidate).toBeNull();
    expect(report).toEqual({
      version: SEEDED_MODEL.version,
      state: 'prior',
      outcomes: 0,
      hard_bounces: 0,
      log_loss: { prior: null, fitted: null },
      bins: [],
    });
  });

  // Hard bounces and outcomes without, in each of the five folds.
  it.each([
    { what: '200 outcomes, 10 of them hard bounces', bounced: 2, landed: 38, state: 'fitted' },
    { what: '195 outcomes', bounced: 2, landed: 37, state: 'prior' },
    { what: '5 hard bounces', bounced: 1, landed: 999, state: 'prior' },
  ])('$what: $state', ({ bounced, landed, state }) => {
    const { model, candidate, report } = calibrate(patternOf(SAID, bounced, landed));
    expect(report.state).toBe(state);
    expect(model.calibration).toBe(state);
    expect(candidate === null).toBe(state === 'prior');
    expect(model === SEEDED_MODEL).toBe(state === 'prior');
  });

  it('a fit that foretells unseen outcomes worse than the table is not adopted', () => {
    // One fold bounces, and at another host than all the rest: each is foretold from what does not hold for it.
    const strange = patternOf(SAID, 0, 100).map((pattern) =>
      pattern.fold === 0 ? { ...pattern, ...bounces(60), landed: { count: 0, weight: 0 } } : pattern,
    );
    const { model, candidate, report } = calibrate(strange);
    expect(candidate).not.toBeNull();
    expect(report.log_loss.fitted ?? 0).toBeGreaterThan(report.log_loss.prior ?? Infinity);
    expect(model).toBe(SEEDED_MODEL);
    expect(report.version).toBe(SEEDED_MODEL.version);
  });

  it('reports counts as they are, in the form of the contract', () => {
    const patterns = drawnAccount(1, 600);
    const { report } = calibrate(patterns);
    expect(report.outcomes).toBe(600);
    expect(report.bins.reduce((sum, { count }) => sum + count, 0)).toBe(600);
    const bounced = report.bins.reduce((sum, { count, observed }) => sum + count * observed, 0);
    expect(bounced).toBeCloseTo(report.hard_bounces, 6);
    const reach = { sources: [], sends: null, missing: { outcomes: 0, hard_bounces: 0 } };
    expect(CalibrationReport.parse({ ...report, ...reach, computed_at: 1_790_000_000 })).toMatchObject(report);
  });
});

describe('the outcomes that are missing for a fit', () => {
  it.each([
    { seen: [0, 0], missing: [200, 10] },
    { seen: [150, 3], missing: [50, 7] },
    { seen: [200, 10], missing: [0, 0] },
    { seen: [900, 4], missing: [0, 6] },
    { seen: [30, 30], missing: [170, 0] },
  ] as const)('after $seen are $missing', ({ seen: [outcomes, bounced], missing: [more, moreBounced] }) => {
    expect(missingOutcomes({ outcomes, hard_bounces: bounced })).toEqual({
      outcomes: more,
      hard_bounces: moreBounced,
    });
  });
});

describe('how sure a fit is of the table', () => {
  it.each([
    { what: 'as the table has it, of few traces', patterns: drawnAccount(1, 100), heaviest: 10, lightest: 1 },
    { what: 'as the table has it', patterns: drawnAccount(1, 300), heaviest: 10, lightest: 3 },
    { what: 'far from the table', patterns: patternOf(SAID, 60, 60), heaviest: 1, lightest: 1 },
  ])(
    'an account $what: $heaviest times for the rates, $lightest for their widths',
    ({ patterns, heaviest, lightest }) => {
      const likely = (trust: number): number => crossValidate(SEEDED_MODEL, patterns, trust).logLikelihood;
      const best = Math.max(...[1, 3, 10].map(likely));
      for (const trust of [1, 3, 10])
        expect([trust, best - likely(trust) < Math.log(100)]).toEqual([trust, lightest <= trust && trust <= heaviest]);
      const { model, predictions } = fittedModel(SEEDED_MODEL, patterns);
      expect(model).toMatchObject(fittedTables(SEEDED_MODEL, fit(SEEDED_MODEL, patterns, heaviest), lightest));
      expect(predictions).toEqual(crossValidate(SEEDED_MODEL, patterns, heaviest).predictions);
      expect(model.version).toMatch(/^fit-[0-9a-f]{16}$/);
    },
  );
});

function bounces(count: number) {
  return { weight: count, bounced: { count, weight: count } };
}

describe('log loss', () => {
  it('is the mean over outcomes, and null without them', () => {
    expect(logLoss([])).toBeNull();
    expect(logLoss([{ predicted: 0.5, bounced: 3, landed: 4 }])).toBeCloseTo(Math.LN2, 12);
    expect(logLoss([{ predicted: 0.25, bounced: 1, landed: 0 }])).toBeCloseTo(Math.log(4), 12);
  });

  it('is compared outcome by outcome', () => {
    const rows = [
      { predicted: 0.1, bounced: 10, landed: 90 },
      { predicted: 0.6, bounced: 5, landed: 5 },
    ];
    const others = rows.map((row) => ({ ...row, predicted: row.predicted / 2 }));
    const { mean, standardError } = excessLoss(rows, others);
    expect(mean).toBeCloseTo((logLoss(rows) ?? 0) - (logLoss(others) ?? 0), 12);
    expect(standardError).toBeGreaterThan(0);
    expect(excessLoss(rows, rows)).toEqual({ mean: 0, standardError: 0 });
  });
});

describe('a fit', () => {
  it.each([
    { what: 'better by two standard errors', mean: -0.02, standardError: 0.01, clearly: true },
    { what: 'better by one', mean: -0.01, standardError: 0.01, clearly: true },
    { what: 'better by half of one', mean: -0.005, standardError: 0.01, clearly: false },
    { what: 'the same as the table', mean: 0, standardError: 0, clearly: false },
    { what: 'worse by half of one', mean: 0.005, standardError: 0.01, clearly: false },
  ])('$what: adopted $clearly', ({ mean, standardError, clearly }) => {
    expect(isClearlyLess({ mean, standardError })).toBe(clearly);
  });
});

describe('the reliability table', () => {
  it('rises, holds only bins with outcomes, and every interval its observed rate', () => {
    const bins = reliability([
      { predicted: 0.6, bounced: 5, landed: 5 },
      { predicted: 0.003, bounced: 0, landed: 200 },
      { predicted: 0.004, bounced: 2, landed: 98 },
      { predicted: 0.95, bounced: 3, landed: 0 },
    ]);
    expect(bins.map(({ count }) => count)).toEqual([300, 10, 3]);
    expect(bins[0]?.predicted).toBeCloseTo((200 * 0.003 + 100 * 0.004) / 300, 12);
    for (const { observed, ci } of bins) {
      expect(ci[0]).toBeLessThanOrEqual(observed);
      expect(ci[1]).toBeGreaterThanOrEqual(observed);
    }
  });
});
