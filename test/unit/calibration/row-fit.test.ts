import { describe, expect, it } from 'vitest';
import { documentOf, modelFrom } from '../../../src/domain/calibration/model-document.ts';
import { FOLDS } from '../../../src/domain/calibration/pattern.ts';
import { calibrateRows } from '../../../src/domain/calibration/row-calibration.ts';
import { type FitRow, prepared } from '../../../src/domain/calibration/row-counts.ts';
import { fitRows, moved } from '../../../src/domain/calibration/row-fit.ts';
import type { DeliveryClass } from '../../../src/domain/verification/history.ts';
import { ANSWERS, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { type Model, rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';

const HOST = 'google_business';
const PROVIDERS = ['zerobounce', 'bouncer'] as const;
const NOW = START_MS;

interface Drawing {
  readonly isReported: boolean;
  readonly isAsked: boolean;
}

/** An address that was asked about and mailed ten days ago, in a world of this model. */
function drawnRow(truth: Model, index: number, draws: SeededRandom, { isReported, isAsked }: Drawing): FitRow {
  const { kinds } = tablesAt(truth, HOST);
  const kind = draws.uniform() < kinds[1].share ? 1 : 0;
  const bounces = draws.uniform() < kinds[kind].bounceRate ? 1 : 0;
  const answer = ANSWERS[draws.index([...kinds[kind].answers[bounces]])] ?? 'accepts';
  const at = NOW - 10 * DAY_MS;
  const classes = Object.entries(truth.history.reports) as [DeliveryClass, { lands: number; bounces: number }][];
  const report = classes[draws.index(classes.map(([, rates]) => (bounces === 1 ? rates.bounces : rates.lands)))]?.[0];
  return {
    fold: index % FOLDS,
    address: {
      firstSeenAt: at,
      host: HOST,
      features: [],
      purpose: 'outbound',
      domain: hashOf(`domain ${index}`),
      list: hashOf('a list'),
      answers: (isAsked ? PROVIDERS : []).map((provider) => ({
        provider,
        verdict: VERDICTS[draws.index([...rowsAt(truth, provider, HOST)[answer]])] ?? 'unknown',
        catch_all: null,
        at,
      })),
      reports: isReported && report !== undefined ? [{ class: report, at, source: '0000' }] : [],
      proofs: [],
      part: null,
    },
    around: { domain: null, list: null },
  };
}

const drawnRows = (
  truth: Model,
  seed: number,
  count: number,
  { isReported = true, isAsked = true }: Partial<Drawing> = {},
): FitRow[] => {
  const draws = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => drawnRow(truth, index, draws, { isReported, isAsked }));
};

/** A stranger bounces three times as often, the table's purposes aside. */
const dirtier: Model = (() => {
  const prior = {
    ...SEEDED_MODEL.prior,
    [HOST]: SEEDED_MODEL.prior[HOST].map((cell) =>
      cell.answer === 'refuses' ? { ...cell, alpha: cell.alpha * 4 } : cell,
    ),
  };
  const history = { ...SEEDED_MODEL.history, purposes: { signup: 0, outbound: 0, list_hygiene: 0 } };
  return { ...SEEDED_MODEL, prior, centre: prior, history };
})();
const usual: Model = { ...SEEDED_MODEL, history: dirtier.history };

const strangerRate = (model: Model): number => {
  const { kinds } = tablesAt(model, HOST);
  return kinds[0].share * kinds[0].bounceRate + kinds[1].share * kinds[1].bounceRate;
};

/** Shares of the server's answers at the host, those that occur: where mail lands and where it bounces, by kind of domain. */
const answersOf = (model: Model): number[] =>
  tablesAt(model, HOST).kinds.flatMap(({ answers }) =>
    answers.flatMap((shares) => [...shares].filter((share) => share > 0)),
  );

/** Half of all strangers bounce; servers answer as the table says where mail lands, and where it bounces. */
const halfDead: Model = (() => {
  const { kinds } = tablesAt(usual, HOST);
  const cells = SEEDED_MODEL.prior[HOST].map((cell) => {
    const { share, answers } = kinds[cell.acceptsAll ? 1 : 0];
    const [landed, bounced] = answers.map((shares) => (shares[ANSWERS.indexOf(cell.answer)] ?? 0) / 2) as [
      number,
      number,
    ];
    return { ...cell, alpha: 40 * share * (landed + bounced), bounced: 40 * bounced, landed: 40 * landed };
  });
  const prior = { ...SEEDED_MODEL.prior, [HOST]: cells };
  return { ...usual, prior, centre: prior };
})();

describe('shares with a log-normal prior', () => {
  it.each([4, 0])('stay where nothing was counted, with a precision of %d', (precision) => {
    const shares = [0.5, 0.375, 0.125];
    expect(moved(shares, [0, 0, 0], precision)).toEqual(shares);
  });

  it('add up to 1, whatever the weights do', () => {
    const weights = [14, 4, 2];
    expect(moved(weights, [0, 0, 0], 4)).toEqual([0.7, 0.2, 0.1]);
    moved(weights, [3, 1, 8], 4).forEach((share, at) => {
      expect(share).toBeCloseTo(moved([0.7, 0.2, 0.1], [3, 1, 8], 4)[at] ?? 0, 12);
    });
  });

  it('are those that were counted, where much was', () => {
    const shares = moved([0.7, 0.2, 0.1], [1e6, 2e6, 7e6], 4);
    [0.1, 0.2, 0.7].forEach((share, at) => {
      expect(shares[at]).toBeCloseTo(share, 3);
    });
  });

  it('lie between both otherwise, and add up to 1', () => {
    const shares = moved([0.9, 0.1], [5, 5], 4);
    expect(shares[0]).toBeLessThan(0.9);
    expect(shares[0]).toBeGreaterThan(0.5);
    expect((shares[0] ?? 0) + (shares[1] ?? 0)).toBeCloseTo(1, 12);
  });

  it('move a rare rate by a factor, not by the one case that was seen', () => {
    expect(moved([0.99, 0.01], [19, 1], 1 / 0.25 ** 2)[1]).toBeLessThan(0.02);
  });
});

describe('a fit of rows', () => {
  it('finds how often strangers bounce', () => {
    const fitted = fitRows(usual, prepared(drawnRows(dirtier, 1, 1_000), NOW), 1);
    const [before, truth, after] = [usual, dirtier, fitted].map((model) => Math.log(strangerRate(model))) as [
      number,
      number,
      number,
    ];
    expect(Math.abs(after - truth)).toBeLessThan(0.35 * Math.abs(before - truth));
  });

  it('learns nothing of reports from addresses without one', () => {
    const { reports } = fitRows(usual, prepared(drawnRows(dirtier, 2, 300, { isReported: false }), NOW), 1).history;
    for (const [name, { lands, bounces }] of Object.entries(usual.history.reports)) {
      expect(reports[name as DeliveryClass].lands).toBeCloseTo(lands, 4);
      expect(reports[name as DeliveryClass].bounces).toBeCloseTo(bounces, 4);
    }
  });

  it('reads nothing of a source that reports bounces alone', () => {
    const rows = drawnRows(dirtier, 14, 300);
    const refusals = rows.map((row) => ({
      ...row,
      address: {
        ...row.address,
        reports: row.address.reports.map((report) => ({ ...report, class: 'refused' as const })),
      },
    }));
    expect(prepared(refusals, NOW).flatMap(({ address }) => address.reports)).toEqual([]);
    expect(prepared(rows, NOW).flatMap(({ address }) => address.reports)).not.toEqual([]);
  });

  it('stays nearer to the table the more it is trusted', () => {
    const rows = prepared(drawnRows(dirtier, 3, 300), NOW);
    /** Of what the server answers where mail lands and where it bounces. */
    const awayBy = (trust: number): number => {
      const [fitted, table] = [fitRows(usual, rows, trust), usual].map((model) => answersOf(model)) as [
        number[],
        number[],
      ];
      return fitted.reduce((sum, share, at) => sum + Math.abs(Math.log(share / (table[at] ?? 0))), 0);
    };
    expect(awayBy(10)).toBeLessThan(awayBy(1));
  });

  it('takes a list that is half dead for that, and not for servers that answer otherwise', () => {
    const fitted = fitRows(usual, prepared(drawnRows(halfDead, 15, 600), NOW), 1);
    expect(strangerRate(fitted)).toBeGreaterThan(0.3);
    answersOf(fitted).forEach((share, at) => {
      expect(Math.abs(share - (answersOf(usual)[at] ?? 0))).toBeLessThan(0.1);
    });
  });

  it('counts levels from its own rates, also after it was stored', () => {
    const fitted = { ...fitRows(SEEDED_MODEL, prepared(drawnRows(dirtier, 4, 300), NOW), 1), version: 'rows-1' };
    expect(fitted.centre).toBe(fitted.prior);
    const read = modelFrom(JSON.parse(JSON.stringify(documentOf(fitted))));
    expect(read?.prior).toEqual(fitted.prior);
    expect(read?.centre).toEqual(fitted.centre);
    expect(read?.history.reports).toEqual(fitted.history.reports);
    expect(read?.history.features).toEqual(fitted.history.features);
  });
});

describe('calibrating rows', () => {
  it('fits nothing to fewer than 200 outcomes', () => {
    const { fitted, isAdopted } = calibrateRows(SEEDED_MODEL, drawnRows(dirtier, 5, 150), NOW);
    expect({ fitted, isAdopted }).toEqual({ fitted: null, isAdopted: false });
  });

  it('adopts a fit that is clearly better on addresses that it has not seen', () => {
    const { isAdopted, excess, fitted } = calibrateRows(usual, drawnRows(dirtier, 6, 800, { isAsked: false }), NOW);
    expect(excess?.mean).toBeLessThan(0);
    expect(isAdopted).toBe(true);
    expect(fitted?.calibration).toBe('fitted');
  });

  it('adopts, where the table is right, none that is far from it', () => {
    const adopted = [7, 8, 9, 10, 11, 12].flatMap((seed) => {
      const { isAdopted, fitted } = calibrateRows(usual, drawnRows(usual, seed, 260), NOW);
      return isAdopted && fitted !== null ? [fitted] : [];
    });
    // One in six is better by a standard error by chance.
    expect(adopted.length).toBeLessThan(4);
    for (const fitted of adopted) {
      const ratio = strangerRate(fitted) / strangerRate(usual);
      expect(Math.abs(Math.log(ratio))).toBeLessThan(0.3);
      answersOf(fitted).forEach((share, at) => {
        expect(Math.abs(share - (answersOf(usual)[at] ?? 0))).toBeLessThan(0.03);
      });
    }
  });

  it('names the same rows’ model the same', () => {
    const [one, other] = [1, 2].map(() => calibrateRows(usual, drawnRows(dirtier, 11, 260), NOW).fitted?.version);
    expect(one).toMatch(/^rows-[0-9a-f]{16}$/);
    expect(one).toBe(other);
  });

  it('says what history is worth only where something was reported', () => {
    expect(calibrateRows(usual, drawnRows(usual, 12, 50, { isReported: false }), NOW).worth).toBeNull();
    const { worth } = calibrateRows(usual, drawnRows(usual, 13, 300), NOW);
    // Without levels, and with one report an address, there is no history to gain from.
    expect(worth?.all).toBeCloseTo(worth?.without ?? 0, 9);
  });
});
