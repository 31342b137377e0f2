import type { BenchRow } from '../../scripts/bench/measure.ts';
import { type Count, fitPrior, rateOf } from '../../src/domain/insights/rate.ts';
import { findWeakSegments, type WeeklyCount } from '../../src/domain/insights/recommend.ts';
import type { SegmentKey } from '../../src/domain/insights/segments.ts';
import { type SeededRandom, seededRandom } from '../../test/support/seeded-random.ts';

const WEEKS = 13;

function binomial(draws: SeededRandom, trials: number, rate: number): number {
  let hits = 0;
  for (let trial = 0; trial < trials; trial += 1) hits += draws.uniform() < rate ? 1 : 0;
  return hits;
}

/** Segments with rates drawn from the interval's own prior. */
export function coverageRows(segments: number): BenchRow[] {
  const draws = seededRandom(1);
  const overall: Count = { exposures: 100_000, events: 10_000 };
  const prior = fitPrior(overall, []);
  let held = 0;
  for (let segment = 0; segment < segments; segment += 1) {
    const rate = draws.beta(prior.mean * prior.weight, (1 - prior.mean) * prior.weight);
    const exposures = 30 + Math.floor(draws.uniform() * 970);
    const [low, high] = rateOf({ exposures, events: binomial(draws, exposures, rate) }, prior).ci;
    held += low <= rate && rate <= high ? 1 : 0;
  }
  const value = (held / segments) * 100;
  const note = `${segments} segments`;
  return [
    { name: 'hold the rate', value, unit: '%', target: { atLeast: 89 }, note },
    { name: 'and not too often', value, unit: '%', target: { atMost: 91 } },
  ];
}

/** Values of each dimension, and how their shares fall. */
const DIMENSIONS: Readonly<Record<string, number>> = {
  mailbox_type: 3,
  esp: 5,
  actor_class: 4,
  'signals.disposable': 2,
  'signals.role_account': 2,
  'company.industry': 12,
  'company.country': 15,
  'icp.fit': 4,
  'attributes.plan': 4,
  'attributes.source': 10,
};

/**
 * The last 13 weeks of a year of an account with this rate. `weak`: the share of exposures in the segment `attributes.weak`,
 * which has half the rate.
 */
function account(draws: SeededRandom, exposures: number, rate: number, weak: number): WeeklyCount[] {
  const cells = new Map<string, { key: SegmentKey; exposures: number[]; events: number[] }>();
  const count = (key: SegmentKey, week: number, hasEvent: boolean): void => {
    const text = JSON.stringify(key);
    const cell = cells.get(text) ?? { key, exposures: Array(WEEKS).fill(0), events: Array(WEEKS).fill(0) };
    cells.set(text, cell);
    cell.exposures[week] = (cell.exposures[week] ?? 0) + 1;
    if (hasEvent) cell.events[week] = (cell.events[week] ?? 0) + 1;
  };
  for (let exposure = 0; exposure < exposures; exposure += 1) {
    const week = Math.floor(draws.uniform() * WEEKS);
    const isWeak = draws.uniform() < weak;
    // The newest weeks had less time for an event.
    const matured = Math.min(1, 0.4 + week * 0.2);
    const hasEvent = draws.uniform() < rate * matured * (isWeak ? 0.5 : 1);
    const values: [string, string][] = Object.entries(DIMENSIONS).map(([dimension, size]) => [
      dimension,
      `v${Math.floor(size * draws.uniform() ** 2)}`,
    ]);
    if (weak > 0) values.push(['attributes.weak', isWeak ? 'yes' : 'no']);
    count({}, week, hasEvent);
    for (const [place, a] of values.entries()) {
      count({ [a[0]]: a[1] }, week, hasEvent);
      if (a[0].startsWith('attributes.')) continue;
      for (const b of values.slice(place + 1))
        if (!b[0].startsWith('attributes.')) count({ [a[0]]: a[1], [b[0]]: b[1] }, week, hasEvent);
    }
  }
  return [...cells.values()];
}

export function noEffectRows(runs: number, rate: number): BenchRow[] {
  const draws = seededRandom(2);
  let showing = 0;
  for (let run = 0; run < runs; run += 1) {
    showing += findWeakSegments(account(draws, 3_000, rate, 0)).length > 0 ? 1 : 0;
  }
  const value = (showing / runs) * 100;
  return [
    { name: 'show a recommendation', value, unit: '%', target: { atMost: 6 }, note: `${runs} accounts, rate ${rate}` },
  ];
}

export const powerRows = (runs: number, rate: number): BenchRow[] =>
  [3_000, 10_000].map((exposures) => {
    const draws = seededRandom(exposures);
    let found = 0;
    for (let run = 0; run < runs; run += 1) {
      found += findWeakSegments(account(draws, exposures, rate, 0.1)).some(
        ({ key }) => key['attributes.weak'] === 'yes',
      )
        ? 1
        : 0;
    }
    const value = (found / runs) * 100;
    return { name: `is found among ${exposures} exposures`, value, unit: '%', note: `${runs} accounts, rate ${rate}` };
  });
