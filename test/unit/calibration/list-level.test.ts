import { describe, expect, it } from 'vitest';
import { withListLevel } from '../../../src/domain/calibration/list-level.ts';
import type { FitRow } from '../../../src/domain/calibration/row-counts.ts';
import type { Levels } from '../../../src/domain/verification/history.ts';
import { tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { believeStranger } from '../../support/beliefs.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';

const { listSpread } = SEEDED_MODEL.history;

/** What is known of a list that lies this far from the table's, in log-odds, give or take .2. */
const listAt = (level: number, isReported = false): Levels => ({
  values: Float32Array.from({ length: 11 }, (_, at) => -0.5 * (((at / 2 - 2.5) * listSpread - level) / 0.2) ** 2),
  at: START_MS,
  isReported,
  stoppedOn: null,
  refused: 0,
  delivered: 0,
});

const rowIn = (list: Levels | null, name: string): FitRow => ({
  fold: 0,
  address: {
    firstSeenAt: START_MS,
    host: 'google_business',
    features: [],
    purpose: 'outbound',
    domain: hashOf('a domain'),
    list: list && hashOf(name),
    answers: [],
    reports: [],
    proofs: [],
    part: null,
  },
  around: { domain: null, list },
});
const rowsOf = (...levels: readonly number[]): FitRow[] =>
  levels.map((level, at) => rowIn(listAt(level), `list ${at}`));
const levelled = (rows: readonly FitRow[]): Model => withListLevel(SEEDED_MODEL, rows, START_MS);
const levelOf = (rows: readonly FitRow[]): number => levelled(rows).history.listLevel;

describe('where an account’s lists lie', () => {
  it.each<[string, FitRow[]]>([
    ['no list', [rowIn(null, '')]],
    ['lists around the table’s', rowsOf(-1, -0.4, 0.1, 0.4, 1)],
    [
      'lists of which nothing is known',
      [1, 2, 3].map((n) => rowIn({ ...listAt(0), values: new Float32Array(11) }, `${n}`)),
    ],
  ])('is where the table’s do: %s', (_, rows) => {
    expect(levelOf(rows)).toBe(0);
  });

  it.each([
    [1.2, 0.8, 1.6],
    [-1.2, -1.6, -0.8],
  ])('is found where five lists lie around %d', (around, least, most) => {
    const level = levelOf(rowsOf(...[-0.4, -0.2, 0, 0.2, 0.4].map((by) => around + by)));
    expect(level).toBeGreaterThan(least);
    expect(level).toBeLessThan(most);
  });

  it.each([-0.8, -0.6, 0.6, 0.8])('is the middle of many lists that differ as the table’s do: %d', (middle) => {
    const quantiles = [-1.64, -1.04, -0.67, -0.39, -0.13, 0.13, 0.39, 0.67, 1.04, 1.64];
    const lists = Array.from({ length: 8 }, () => quantiles.map((quantile) => middle + listSpread * quantile)).flat();
    expect(Math.abs(levelOf(rowsOf(...lists)) - middle)).toBeLessThan(0.1);
  });

  it('hardly follows one list alone, however far out: a stranger who fills one list moves no other', () => {
    for (const far of [-6, -2, 2, 6]) expect(Math.abs(levelOf(rowsOf(far)))).toBeLessThan(0.25);
  });

  it('counts a list once, however many of its addresses are read', () => {
    const [row] = rowsOf(2);
    if (row === undefined) throw new Error('a row for each level');
    expect(levelOf(Array.from({ length: 50 }, () => row))).toBe(levelOf([row]));
  });

  it('is of outcomes only where they have moved a list', () => {
    const model = (isReported: boolean) =>
      levelled([0, 1, 2].map((at) => rowIn(listAt(2, isReported && at === 1), `list ${at}`)));
    expect([model(false), model(true)].map(({ calibration }) => calibration)).toEqual(['prior', 'fitted']);
  });

  it('leaves the table as it is where reported lists lie around it', () => {
    const rows = [-0.4, 0, 0.4].map((level) => rowIn(listAt(level, true), `list ${level}`));
    expect(levelled(rows)).toBe(SEEDED_MODEL);
  });

  it('moves strangers and new lists with it', () => {
    const [clean, table, dirty] = [-2, 0, 2].map(
      (around) =>
        believeStranger(levelled(rowsOf(...Array.from({ length: 5 }, () => around))), 'google_business').probability,
    ) as [number, number, number];
    expect(clean).toBeLessThan(table / 3);
    expect(dirty).toBeGreaterThan(table * 2.5);
  });

  it('moves the outermost level as far out as the lists lie, and no other', () => {
    const shownAt = (model: Model): number[] => [...tablesAt(model, 'google_business').kinds[0].logOdds].slice(0, 11);
    const history = { ...SEEDED_MODEL.history, listLevel: -3.5 };
    const [table, far] = [shownAt(SEEDED_MODEL), shownAt({ ...SEEDED_MODEL, history })] as [number[], number[]];
    expect((far[0] ?? 0) - (table[0] ?? 0)).toBeCloseTo(-3.5 + 2.5 * listSpread, 9);
    expect(far.slice(1)).toEqual(table.slice(1));
  });
});
