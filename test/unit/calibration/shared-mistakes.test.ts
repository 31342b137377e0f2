import { describe, expect, it } from 'vitest';
import { documentOf, modelFrom } from '../../../src/domain/calibration/model-document.ts';
import { FOLDS } from '../../../src/domain/calibration/pattern.ts';
import { calibrateRows } from '../../../src/domain/calibration/row-calibration.ts';
import {
  type FitRow,
  logLikelihoodOf,
  type PreparedRow,
  prepared,
} from '../../../src/domain/calibration/row-counts.ts';
import { sharedMistakes } from '../../../src/domain/calibration/shared-mistakes.ts';
import type { DeliveryClass } from '../../../src/domain/verification/history.ts';
import type { Seen } from '../../../src/domain/verification/history-table.ts';
import { ANSWERS, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { type Model, rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { believeStranger } from '../../support/beliefs.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const HOST = 'google_business';
const { kinds } = tablesAt(SEEDED_MODEL, HOST);
const CLASSES = Object.entries(SEEDED_MODEL.history.reports) as [DeliveryClass, Seen][];
const VENDORS = ['zerobounce', 'neverbounce', 'bouncer'] as const;
const MISTAKES = ANSWERS.filter((answer) => answer !== 'inconclusive');

/** Addresses of which three vendors spoke and which were mailed twice; of this share all three saw another answer. */
function rowsOf(count: number, mistaken: number, seed = 1): FitRow[] {
  const draws = seededRandom(seed);
  return Array.from({ length: count }, (_, index): FitRow => {
    const bounces = draws.uniform() < kinds[0].bounceRate ? 1 : 0;
    const own = ANSWERS[draws.index([...kinds[0].answers[bounces]])] ?? 'accepts';
    const other = MISTAKES[Math.floor(draws.uniform() * MISTAKES.length)] ?? 'accepts';
    const seen = draws.uniform() < mistaken ? other : own;
    const at = START_MS - 10 * DAY_MS;
    const report = () => CLASSES[draws.index(CLASSES.map(([, of]) => (bounces === 1 ? of.bounces : of.lands)))]?.[0];
    return {
      fold: index % FOLDS,
      address: {
        firstSeenAt: at,
        host: HOST,
        features: [],
        purpose: 'outbound',
        domain: hashOf(`domain ${index}`),
        list: null,
        answers: VENDORS.map((provider) => ({
          provider,
          verdict: VERDICTS[draws.index([...rowsAt(SEEDED_MODEL, provider, HOST)[seen]])] ?? 'unknown',
          catch_all: null,
          at,
        })),
        reports: [0, 1].map((day) => ({ class: report() ?? 'soft', at: at + day * DAY_MS, source: 'aaaa' })),
        proofs: [],
        part: null,
      },
      around: { domain: null, list: null },
    };
  });
}
const learnt = (rows: readonly FitRow[]): number => sharedMistakes(SEEDED_MODEL, prepared(rows, START_MS));
const withShare = (mistaken: number): Model => ({ ...SEEDED_MODEL, history: { ...SEEDED_MODEL.history, mistaken } });

describe('the share of addresses of which all vendors are mistaken', () => {
  it('is found where it is 2 %', () => {
    const share = learnt(rowsOf(1_500, 0.02));
    expect(share).toBeGreaterThanOrEqual(0.01);
    expect(share).toBeLessThanOrEqual(0.04);
  });

  it('is 0 where vendors are mistaken one by one alone', () => {
    for (const seed of [1, 2, 3]) expect(learnt(rowsOf(1_000, 0, seed))).toBe(0);
  });

  it.each<[what: string, rows: FitRow[]]>([
    [
      'by answers without a report',
      rowsOf(1_000, 0).map((row) => ({
        ...row,
        address: { ...row.address, answers: row.address.answers.slice(0, 1), reports: [] },
      })),
    ],
    ['without an address', []],
  ])('is 0 %s', (_, rows) => {
    expect(learnt(rows)).toBe(0);
  });

  const [whole] = prepared(rowsOf(1, 0), START_MS) as [PreparedRow];
  /** One address: what each vendor said of it, and what its reports said. */
  const addressWith = (verdicts: readonly ProviderVerdict[], classes: readonly DeliveryClass[]): PreparedRow => {
    const at = START_MS - 10 * DAY_MS;
    const answers = verdicts.map((verdict, place) => ({
      provider: VENDORS[place] ?? 'bouncer',
      verdict,
      catch_all: null,
      at,
    }));
    const reports = classes.map((kind, day) => ({ class: kind, at: at + day * DAY_MS, source: 'aaaa' }));
    return { ...whole, address: { ...whole.address, answers, reports } };
  };
  const often = (count: number, row: PreparedRow): PreparedRow[] => Array.from({ length: count }, () => row);
  const MISTAKEN = addressWith(['undeliverable', 'undeliverable', 'undeliverable'], ['delivered', 'delivered']);
  const RIGHT = addressWith(['deliverable', 'deliverable', 'deliverable'], ['delivered', 'delivered']);

  /** What so many such addresses make of each share, as the logarithm of its odds against none: a priori it lies around none with a mean of 1 %. */
  const oddsOf = (share: number, seen: readonly (readonly [count: number, row: PreparedRow])[]): number =>
    seen.reduce(
      (sum, [count, row]) =>
        sum + count * (logLikelihoodOf(withShare(share), row) - logLikelihoodOf(SEEDED_MODEL, row)),
      -share / 0.01,
    );
  const FOUND = [0.0025, 0.005, 0.01, 0.02, 0.04];

  it.each([0, 20, 60, 200])(
    'is the likeliest where that is twenty times as likely as none, beside %d in order',
    (right) => {
      const found = new Set<number>();
      for (let mistaken = 0; mistaken <= 12; mistaken += 1) {
        const share = sharedMistakes(SEEDED_MODEL, [...often(mistaken, MISTAKEN), ...often(right, RIGHT)]);
        const odds = FOUND.map((each) =>
          oddsOf(each, [
            [mistaken, MISTAKEN],
            [right, RIGHT],
          ]),
        );
        if (share === 0) expect(Math.max(...odds)).toBeLessThan(Math.log(20));
        else {
          expect(odds[FOUND.indexOf(share)]).toBe(Math.max(...odds));
          expect(Math.max(...odds)).toBeGreaterThan(Math.log(20));
        }
        found.add(share);
      }
      expect(found.size).toBeGreaterThan(1);
    },
  );

  it.each<[what: string, row: PreparedRow]>([
    ['one answer', addressWith(['undeliverable'], [])],
    ['reports without an answer', addressWith([], ['delivered', 'user_unknown'])],
  ])('does not follow from %s, however often', (_, row) => {
    expect(sharedMistakes(SEEDED_MODEL, often(1_000, row))).toBe(0);
  });

  it('is of the first 5,000 addresses that tell something', () => {
    const silent = often(6_000, addressWith([], ['delivered', 'delivered']));
    expect(sharedMistakes(SEEDED_MODEL, [...silent, ...often(12, MISTAKEN)])).toBeGreaterThan(0);
    expect(sharedMistakes(SEEDED_MODEL, [...often(5_000, RIGHT), ...often(1_000, MISTAKEN)])).toBe(0);
  });

  it('is part of a fit, which takes enough outcomes', () => {
    const mistakenOf = (count: number) =>
      calibrateRows(SEEDED_MODEL, rowsOf(count, 0.3), START_MS).fitted?.history.mistaken;
    expect(mistakenOf(90)).toBeUndefined();
    expect(mistakenOf(400)).toBeGreaterThan(0);
  });
});

describe('a model under which all vendors may be mistaken', () => {
  const refused = VENDORS.map((provider) => ({ provider, verdict: 'undeliverable' as const }));

  it('is less sure of what they all say', () => {
    const sure = believeStranger(SEEDED_MODEL, HOST, refused).probability;
    const unsure = believeStranger(withShare(0.02), HOST, refused).probability;
    expect(sure).toBeGreaterThan(unsure);
    expect(unsure).toBeGreaterThan(0.5);
  });

  it('says the same of an address that no vendor has seen', () => {
    expect(believeStranger(withShare(0.02), HOST).probability).toBeCloseTo(
      believeStranger(SEEDED_MODEL, HOST).probability,
      12,
    );
  });

  it('is the same after it was stored', () => {
    const model: Model = { ...withShare(0.02), version: 'rows-1', calibration: 'fitted' };
    expect(modelFrom(JSON.parse(JSON.stringify(documentOf(model))))).toEqual(model);
  });
});
