import { describe, expect, it } from 'vitest';
import { documentOf, modelFrom } from '../../../src/domain/calibration/model-document.ts';
import { modelInForce } from '../../../src/domain/calibration/model-in-force.ts';
import { FOLDS } from '../../../src/domain/calibration/pattern.ts';
import { type FitRow, prepared } from '../../../src/domain/calibration/row-counts.ts';
import { withVarianceFactor } from '../../../src/domain/calibration/variance-factor.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { ANSWERS, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { type Model, rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderId } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { believeStranger } from '../../support/beliefs.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const HOSTS: readonly HostClass[] = ['google_business', 'microsoft_business', 'google_consumer', 'microsoft_consumer'];
const PROVIDERS: readonly ProviderId[] = ['zerobounce', 'bouncer'];
const NOW = START_MS + DAY_MS;

/** What providers say of addresses: by the table's rows, or at each host by the row of another of the server's answers in part. */
function asked(count: number, moved: number): FitRow[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, index) => {
    const host = HOSTS[index % HOSTS.length] as HostClass;
    const { kinds } = tablesAt(SEEDED_MODEL, host);
    const kind = random.uniform() < kinds[1].share ? 1 : 0;
    const bounces = random.uniform() < kinds[kind].bounceRate ? 1 : 0;
    const answer = random.index([...kinds[kind].answers[bounces]]);
    const said = PROVIDERS.map((provider, at) => {
      const other = (HOSTS.indexOf(host) + at) % 2 === 0 ? 'inconclusive' : 'accepts_all';
      const row = random.uniform() < moved ? other : (ANSWERS[answer] ?? 'accepts');
      return {
        provider,
        verdict: VERDICTS[random.index([...rowsAt(SEEDED_MODEL, provider, host)[row]])] ?? 'unknown',
        catch_all: null,
        at: START_MS,
      };
    });
    return {
      fold: index % FOLDS,
      address: {
        firstSeenAt: START_MS,
        host,
        features: [],
        purpose: 'outbound',
        domain: hashOf(`domain ${index}`),
        list: null,
        answers: said,
        reports: [],
        proofs: [],
        part: null,
      },
      around: { domain: null, list: null },
    };
  });
}

const widened = (rows: readonly FitRow[], model: Model = SEEDED_MODEL): Model =>
  withVarianceFactor(model, prepared(rows, NOW));
const factorOf = (rows: readonly FitRow[]): number => widened(rows).history.varianceFactor;
const at = (history: Partial<Model['history']>): Model => ({
  ...SEEDED_MODEL,
  history: { ...SEEDED_MODEL.history, ...history },
});

describe('how wide an account’s intervals are', () => {
  it('is what the table says where providers said nothing', () => {
    expect(widened([])).toBe(SEEDED_MODEL);
    expect(widened(asked(300, 0).map((row) => ({ ...row, address: { ...row.address, answers: [] } })))).toBe(
      SEEDED_MODEL,
    );
  });

  it('is less where providers say what the table says, the surer the more they said', () => {
    const [few, some, many] = [10, 100, 1_000].map((count) => factorOf(asked(count, 0))) as [number, number, number];
    expect(few).toBeGreaterThan(0.8);
    expect(some).toBeLessThanOrEqual(few);
    expect(many).toBeLessThan(0.7);
  });

  it('is more where they say something else at each host', () => {
    expect(factorOf(asked(1_000, 0.4))).toBeGreaterThan(1.3);
  });

  it('is more where lists or catch-alls lie far from the table’s', () => {
    const rows = asked(1_000, 0);
    for (const far of [{ listLevel: -1.5 }, { acceptsAllLevel: 1.5 }])
      expect(widened(rows, at(far)).history.varianceFactor).toBeGreaterThan(factorOf(rows) + 0.3);
  });

  // A priori a factor of four, or a quarter, is two thirds as likely as the table's own: what few addresses show outweighs that.
  it.each([
    { what: 'more where providers say something else', count: 16, moved: 1, from: 1.7, to: 2 },
    { what: 'less where providers are like the table', count: 100, moved: 0, from: 0.5, to: 0.76 },
  ])('is $what after $count addresses, over five draws', ({ count, moved, from, to }) => {
    const rows = asked(5 * count, moved);
    const draws = Array.from({ length: 5 }, (_, draw) => factorOf(rows.slice(draw * count, (draw + 1) * count)));
    const mean = draws.reduce((sum, factor) => sum + factor, 0) / draws.length;
    expect(mean).toBeGreaterThan(from);
    expect(mean).toBeLessThanOrEqual(to);
  });

  it('is the same, but for a step, whether what providers left `unknown` is kept or not', () => {
    const rows = asked(400, 0);
    const told = rows.map((row) => ({
      ...row,
      address: { ...row.address, answers: row.address.answers.filter(({ verdict }) => verdict !== 'unknown') },
    }));
    expect(Math.abs(factorOf(told) - factorOf(rows))).toBeLessThan(0.3);
  });

  it('does not follow one company, however often it is asked about', () => {
    const usual = asked(400, 0);
    const odd = asked(40, 1).map((row) => ({
      ...row,
      address: { ...row.address, host: 'unknown_business' as const, domain: hashOf('an odd company') },
    }));
    expect(factorOf([...usual, ...odd])).toBeLessThanOrEqual(factorOf(usual) + 0.2);
    expect(factorOf([...odd, ...usual])).toBeLessThanOrEqual(factorOf(usual) + 0.2);
  });

  it('is of what providers said, however many addresses stand before that of which they said nothing', () => {
    const rows = asked(400, 0);
    const unasked = rows.map((row) => ({ ...row, address: { ...row.address, answers: [] } }));
    const before = Array.from({ length: 4 }, () => unasked).flat();
    expect(factorOf([...before, ...rows])).toBe(factorOf(rows));
  });

  it('is of the first 1,000 addresses', () => {
    const rows = asked(1_000, 0);
    expect(factorOf([...rows, ...asked(1_200, 0.9)])).toBe(factorOf(rows));
  });

  it('goes up by a quarter where lists lie 1 away, as near as its steps', () => {
    const rows = asked(200, 0);
    const by = widened(rows, at({ listLevel: 1 })).history.varianceFactor - factorOf(rows);
    expect(by).toBeGreaterThan(0.04);
    expect(by).toBeLessThan(0.46);
  });

  it('stays between a half and twice the table’s', () => {
    expect(widened(asked(1_000, 0.9), at({ listLevel: 4 })).history.varianceFactor).toBe(2);
    expect(factorOf(asked(4_000, 0))).toBeGreaterThanOrEqual(0.5);
  });

  it('moves the interval alone, and leaves the number', () => {
    const [narrow, usual, wide] = [0.5, 1, 2].map((varianceFactor) =>
      believeStranger(at({ varianceFactor }), 'google_business'),
    ) as [ReturnType<typeof believeStranger>, ReturnType<typeof believeStranger>, ReturnType<typeof believeStranger>];
    expect(narrow.probability).toBe(usual.probability);
    expect(wide.probability).toBe(usual.probability);
    const widthOf = ({ interval: [low, high] }: typeof usual): number => high - low;
    expect(widthOf(narrow)).toBeLessThan(0.85 * widthOf(usual));
    expect(widthOf(wide)).toBeGreaterThan(1.15 * widthOf(usual));
  });

  it('is in force from the next night, is no fit, and is read back from a stored model', () => {
    const table = widened(asked(1_000, 0));
    const model = modelInForce(SEEDED_MODEL, { fitted: null, isAdopted: false, sources: {}, table });
    expect(model.history.varianceFactor).toBe(table.history.varianceFactor);
    expect(model.calibration).toBe('prior');
    expect(model.version).not.toBe(SEEDED_MODEL.version);
    expect(modelFrom(JSON.parse(JSON.stringify(documentOf(model))))).toEqual(model);
  });
});
