import { describe, expect, it } from 'vitest';
import {
  bounceProbabilityOf,
  expectedCounts,
  type HostRates,
  logLikelihood,
  observed,
} from '../../../src/domain/calibration/expectation.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import { ANSWERS, CELLS, columnAt, noCounts, rowsFrom } from '../../../src/domain/calibration/tables.ts';
import type { ServerAnswer } from '../../../src/domain/verification/belief.ts';
import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/verification/provider.ts';
import { type AnswerRows, VERDICTS, type VerdictCounts } from '../../../src/domain/verification/provider-table.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const random = seededRandom(1);
const drawnRow = (): VerdictCounts => random.dirichlet(VERDICTS.map(() => 2)) as unknown as VerdictCounts;
const drawnRows = (): AnswerRows => ({
  accepts: drawnRow(),
  refuses: drawnRow(),
  accepts_all: drawnRow(),
  inconclusive: drawnRow(),
});

/** Rates that no two cells, providers, answers or verdicts have in common: whatever is read at a wrong place differs. */
const ROWS = Object.fromEntries(PROVIDER_IDS.map((id) => [id, drawnRows()])) as Record<ProviderId, AnswerRows>;
const SHARES = random.dirichlet(CELLS.map(() => 5));
const RATES: HostRates = {
  shares: Float64Array.from(SHARES),
  bounceRates: Float64Array.from(CELLS, () => random.between(0.1, 0.9)),
  rows: rowsFrom((provider) => ROWS[provider]),
};

type Traces = Pick<TracePattern, 'answers'> &
  Partial<Pick<TracePattern, 'acceptsAllOdds'>> & {
    readonly bounced?: number;
    readonly landed?: number;
    readonly silent?: number;
  };
const tracesOf = ({ answers, acceptsAllOdds = 1, bounced = 0, landed = 0, silent = 0 }: Traces): TracePattern => ({
  fold: 0,
  host: 'google_business',
  answers,
  acceptsAllOdds,
  weight: bounced + landed + silent,
  bounced: { count: bounced, weight: bounced },
  landed: { count: landed, weight: landed },
});

interface CellChance {
  readonly answer: ServerAnswer;
  readonly hit: number;
  readonly missed: number;
}

/** P(cell, answers and a bounce), and P(cell, answers and none), cell by cell. */
function chancesOf({ answers, acceptsAllOdds = 1 }: Traces): CellChance[] {
  const weights = CELLS.map(({ acceptsAll }, cell) => (SHARES[cell] ?? 0) * (acceptsAll ? acceptsAllOdds : 1));
  const total = sumOf(weights);
  return CELLS.map(({ answer }, cell) => {
    const rate = RATES.bounceRates[cell] ?? 0;
    const said = answers.map(({ provider, verdict }) => ROWS[provider][answer][VERDICTS.indexOf(verdict)] ?? 0);
    const chance = said.reduce((product, each) => product * each, (weights[cell] ?? 0) / total);
    return { answer, hit: chance * rate, missed: chance * (1 - rate) };
  });
}
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const sumsOf = (chances: readonly CellChance[]) => {
  const [hit, missed] = [sumOf(chances.map((cell) => cell.hit)), sumOf(chances.map((cell) => cell.missed))];
  return { hit, missed, either: hit + missed };
};

const ODDS = [0.1, 1, 7] as const;
const KICKBOX = { provider: 'kickbox', verdict: 'catch_all' } as const;
const HUNTER = { provider: 'hunter', verdict: 'risky' } as const;
const REACHER = { provider: 'reacher', verdict: 'unknown' } as const;
const ZEROBOUNCE = { provider: 'zerobounce', verdict: 'deliverable' } as const;

const KINDS = [
  { what: 'outcomes without an answer', traces: { answers: [], bounced: 3, landed: 11, silent: 2 } },
  { what: 'bounces after one answer', traces: { answers: [KICKBOX], bounced: 5 } },
  { what: 'landings after two', traces: { answers: [ZEROBOUNCE, REACHER], landed: 7 } },
  { what: 'three answers without an outcome', traces: { answers: [KICKBOX, HUNTER, REACHER], silent: 13 } },
  { what: 'parts of traces', traces: { answers: [HUNTER], bounced: 1.5, landed: 0.25, silent: 4 } },
] as const satisfies readonly { readonly what: string; readonly traces: Traces }[];
const MIXES = ODDS.flatMap((odds) => {
  const at = (traces: Traces): Traces => ({ ...traces, acceptsAllOdds: odds });
  return [
    ...KINDS.map(({ what, traces }) => ({ what, odds, traces: [at(traces)] })),
    { what: 'all of these together', odds, traces: KINDS.map(({ traces }) => at(traces)) },
  ];
});

/** What the traces of each pattern add to each cell: its posterior probability, to this power. */
function addedUp(traces: readonly Traces[], power: number) {
  const counts = noCounts();
  const add = (to: Float64Array, place: number, by: number): void => {
    to[place] = (to[place] ?? 0) + by;
  };
  for (const each of traces) {
    const chances = chancesOf(each);
    const sums = sumsOf(chances);
    chances.forEach(({ answer, hit, missed }, cell) => {
      const bounced = (each.bounced ?? 0) * (hit / sums.hit) ** power;
      const landed = (each.landed ?? 0) * (missed / sums.missed) ** power;
      const all = bounced + landed + (each.silent ?? 0) * ((hit + missed) / sums.either) ** power;
      add(counts.bounced, cell, bounced);
      add(counts.landed, cell, landed);
      add(counts.shares, cell, all);
      for (const { provider, verdict } of each.answers)
        add(
          counts.rows,
          columnAt(PROVIDER_IDS.indexOf(provider), VERDICTS.indexOf(verdict)) + ANSWERS.indexOf(answer),
          all,
        );
    });
  }
  return counts;
}

describe.each(MIXES)('of $what, where catch-alls have $odds times the usual odds', ({ traces }) => {
  const patterns = traces.map((each) => observed(tracesOf(each)));

  it.each([
    { what: 'every trace’s chances of its cells', power: 1 },
    { what: 'the squares of these chances', power: 2 },
  ])('the counts are $what, added up over the traces', ({ power }) => {
    const found = expectedCounts(RATES, patterns, power === 2);
    const expected = addedUp(traces, power);
    for (const of of ['shares', 'bounced', 'landed', 'rows'] as const)
      found[of].forEach((count, place) => {
        expect(count, `${of} ${place}`).toBeCloseTo(expected[of][place] ?? Number.NaN, 10);
      });
  });

  it('the likelihood is the product of every trace’s probability', () => {
    const logs = traces.map((each) => {
      const { hit, missed, either } = sumsOf(chancesOf(each));
      const [ofBounced, ofLanded, ofSilent] = [Math.log(hit), Math.log(missed), Math.log(either)];
      return (each.bounced ?? 0) * ofBounced + (each.landed ?? 0) * ofLanded + (each.silent ?? 0) * ofSilent;
    });
    expect(logLikelihood(RATES, patterns)).toBeCloseTo(sumOf(logs), 9);
  });

  it('the probability of a bounce is its part of both outcomes', () => {
    traces.forEach((each, at) => {
      const { hit, either } = sumsOf(chancesOf(each));
      expect(bounceProbabilityOf(RATES, patterns[at] ?? observed(tracesOf(each)))).toBeCloseTo(hit / either, 12);
    });
  });
});

describe.each(ODDS)('where catch-alls have %d times the usual odds', (acceptsAllOdds) => {
  const probability = (traces: Omit<Traces, 'acceptsAllOdds'>): number =>
    Math.exp(logLikelihood(RATES, [observed(tracesOf({ ...traces, acceptsAllOdds }))]));
  const PAIRS = VERDICTS.flatMap((one) =>
    VERDICTS.map((other) => [
      { provider: 'kickbox', verdict: one } as const,
      { provider: 'hunter', verdict: other } as const,
    ]),
  );

  it('the probabilities of all that two providers may say, and of what may follow, add up to 1', () => {
    const outcomes = PAIRS.map((answers) => probability({ answers, bounced: 1 }) + probability({ answers, landed: 1 }));
    expect(sumOf(outcomes)).toBeCloseTo(1, 12);
    expect(sumOf(PAIRS.map((answers) => probability({ answers, silent: 1 })))).toBeCloseTo(1, 12);
  });

  it('every trace is counted in one cell, and with each of its answers once', () => {
    for (const answers of PAIRS) {
      const counts = expectedCounts(
        RATES,
        [observed(tracesOf({ answers, acceptsAllOdds, bounced: 2, landed: 3, silent: 4 }))],
        false,
      );
      expect(sumOf([...counts.shares])).toBeCloseTo(9, 10);
      expect(sumOf([...counts.bounced])).toBeCloseTo(2, 10);
      expect(sumOf([...counts.landed])).toBeCloseTo(3, 10);
      expect(sumOf([...counts.rows])).toBeCloseTo(9 * answers.length, 10);
    }
  });
});
