import { describe, expect, it } from 'vitest';
import {
  ANSWER_OF_CELL,
  ANSWERS,
  answerRowsFrom,
  CELLS,
  columnAt,
  countsAt,
  priorFrom,
  providerAt,
  ratesOf,
  rowsFrom,
  totalsOf,
} from '../../../src/domain/calibration/tables.ts';
import { rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS } from '../../../src/domain/verification/provider.ts';
import { totalOf, VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const HOSTS = ['google_business', 'yahoo_consumer', 'disposable'] as const;

/** Every provider, verdict and answer, and the place of its number in the rows. */
const PLACES = PROVIDER_IDS.flatMap((id, provider) =>
  VERDICTS.flatMap((_, verdict) =>
    ANSWERS.map((answer, at) => ({ id, provider, verdict, answer, place: columnAt(provider, verdict) + at })),
  ),
);

describe('the rows of providers in one array', () => {
  it('have one place for every provider, verdict and answer, and no other', () => {
    const { rows } = countsAt(SEEDED_MODEL, HOSTS[0]);
    expect(PLACES.map(({ place }) => place).toSorted((one, other) => one - other)).toEqual([...rows.keys()]);
    for (const { provider, place } of PLACES) expect(providerAt(place)).toBe(provider);
  });

  it.each(HOSTS)('hold what the table says of each, its totals and its rates: %s', (host) => {
    const { rows } = countsAt(SEEDED_MODEL, host);
    const [totals, rates] = [totalsOf(rows), ratesOf(rows)];
    for (const { id, verdict, answer, place } of PLACES) {
      const row = rowsAt(SEEDED_MODEL, id, host)[answer];
      expect(rows[place]).toBe(row[verdict]);
      expect(totals[place]).toBeCloseTo(totalOf(row), 12);
      expect(rates[place]).toBeCloseTo((row[verdict] ?? Number.NaN) / totalOf(row), 12);
    }
  });
});

describe('the cells of a host', () => {
  it.each(HOSTS)('are those of the table, each with its own numbers: %s', (host) => {
    const { shares, bounced, landed } = countsAt(SEEDED_MODEL, host);
    expect(CELLS).toHaveLength(SEEDED_MODEL.prior[host].length);
    for (const cell of SEEDED_MODEL.prior[host]) {
      const at = CELLS.findIndex((each) => each.acceptsAll === cell.acceptsAll && each.answer === cell.answer);
      expect(at).toBeGreaterThanOrEqual(0);
      expect([shares[at], bounced[at], landed[at]]).toEqual([cell.alpha, cell.bounced, cell.landed]);
      expect(ANSWERS[ANSWER_OF_CELL[at] ?? Number.NaN]).toBe(cell.answer);
    }
  });
});

/** Digits of a number as it is stored, without the zeros that only say where its point stands. */
const digitsOf = (value: number): number =>
  JSON.stringify(value)
    .replace(/e.*$/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length;

describe('numbers that are stored', () => {
  const random = seededRandom(3);
  const SIZES = [1e-6, 0.01, 1, 30, 5_000, 1e9] as const;

  it.each(SIZES)('keep four digits, about %d', (size) => {
    const drawn = () => Float64Array.from(CELLS, () => size * random.between(0.3, 3));
    const counts = { shares: drawn(), bounced: drawn(), landed: drawn() };
    const expectStored = (stored: number | undefined, count: number | undefined): void => {
      expect(Math.abs((stored ?? Number.NaN) / (count ?? Number.NaN) - 1)).toBeLessThanOrEqual(0.0005);
      expect(digitsOf(stored ?? Number.NaN)).toBeLessThanOrEqual(4);
    };
    priorFrom(counts).forEach(({ acceptsAll, answer, alpha, bounced, landed }, cell) => {
      expect({ acceptsAll, answer }).toEqual(CELLS[cell]);
      expectStored(alpha, counts.shares[cell]);
      expectStored(bounced, counts.bounced[cell]);
      expectStored(landed, counts.landed[cell]);
    });
    const rows = rowsFrom((id) => rowsAt(SEEDED_MODEL, id, HOSTS[0])).map(() => size * random.between(0.3, 3));
    for (const { provider, verdict, answer, place } of PLACES)
      expectStored(answerRowsFrom(rows, provider)[answer][verdict], rows[place]);
  });
});
