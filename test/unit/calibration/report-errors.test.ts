import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FOLDS } from '../../../src/domain/calibration/pattern.ts';
import { reportErrors, some } from '../../../src/domain/calibration/report-errors.ts';
import { type FitRow, prepared } from '../../../src/domain/calibration/row-counts.ts';
import type { DeliveryClass } from '../../../src/domain/verification/history.ts';
import type { Seen } from '../../../src/domain/verification/history-table.ts';
import { ANSWERS, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { rowsAt, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const HOST = 'google_business';
const { kinds } = tablesAt(SEEDED_MODEL, HOST);
const CLASSES = Object.entries(SEEDED_MODEL.history.reports) as [DeliveryClass, Seen][];

/** Who reports of every so many-th address, and in what share of cases the wrong way round. */
interface Reporter {
  readonly source: string;
  readonly wrong: number;
  readonly bouncesOnly?: boolean;
}
/** An account that the table describes, or one half of whose addresses bounce. */
type Account = 'usual' | 'half dead';

/** Addresses that two vendors answered about and that were mailed. */
function rowsOf(count: number, reporters: readonly Reporter[], seed = 1, account: Account = 'usual'): FitRow[] {
  const draws = seededRandom(seed);
  return Array.from({ length: count }, (_, index): FitRow => {
    const bounces = draws.uniform() < (account === 'usual' ? kinds[0].bounceRate : 0.5) ? 1 : 0;
    const answer = ANSWERS[draws.index([...kinds[0].answers[bounces]])] ?? 'accepts';
    const at = START_MS - 10 * DAY_MS;
    const verdict = (provider: 'zerobounce' | 'bouncer') =>
      VERDICTS[draws.index([...rowsAt(SEEDED_MODEL, provider, HOST)[answer]])] ?? 'unknown';
    const reporter = reporters[index % reporters.length];
    const told = CLASSES[draws.index(CLASSES.map(([, rates]) => (bounces === 1 ? rates.bounces : rates.lands)))]?.[0];
    const isWrong = draws.uniform() < (reporter?.wrong ?? 0);
    const said = isWrong ? (told === 'delivered' ? 'user_unknown' : 'delivered') : (told ?? 'soft');
    const isKept = reporter?.bouncesOnly === true && (said === 'delivered' || said === 'complaint');
    return {
      fold: index % FOLDS,
      address: {
        firstSeenAt: at,
        host: HOST,
        features: [],
        purpose: 'outbound',
        domain: hashOf(`domain ${index}`),
        list: null,
        answers: (['zerobounce', 'bouncer'] as const).map((provider) => ({
          provider,
          verdict: verdict(provider),
          catch_all: null,
          at,
        })),
        reports: isKept ? [] : [{ class: said, at, source: reporter?.source ?? '' }],
        proofs: [],
        part: null,
      },
      around: { domain: null, list: null },
    };
  });
}
const errorsOf = (rows: readonly FitRow[]) => reportErrors(SEEDED_MODEL, prepared(rows, START_MS));
const HONEST: Reporter = { source: 'aaaa', wrong: 0 };

describe('how often a source errs', () => {
  it('is found where it says the wrong thing in half of its reports, beside one that does not', () => {
    const { bbbb, ...others } = errorsOf(rowsOf(800, [HONEST, { source: 'bbbb', wrong: 0.5 }]));
    expect(bbbb).toBeGreaterThanOrEqual(0.35);
    expect(others).toEqual({});
  });

  it('is found where it says the wrong thing in 5 of 100', () => {
    const { aaaa } = errorsOf(rowsOf(1_000, [{ source: 'aaaa', wrong: 0.05 }]));
    expect(aaaa).toBeGreaterThanOrEqual(0.02);
    expect(aaaa).toBeLessThanOrEqual(0.1);
  });

  it('is never, of a source that the table describes', () => {
    for (const seed of [1, 2, 3]) expect(errorsOf(rowsOf(600, [HONEST], seed))).toEqual({});
  });

  it('is never, where half of the account’s addresses bounce', () => {
    for (const seed of [1, 2]) expect(errorsOf(rowsOf(600, [HONEST], seed, 'half dead'))).toEqual({});
  });

  it.each([1, 2, 3, 4, 5, 6])('is never, where vendors choose what is mailed: seed %i', (seed) => {
    const isMailed = ({ answers }: FitRow['address']) => answers.every(({ verdict }) => verdict === 'deliverable');
    const rows = rowsOf(2_500, [HONEST], seed).map((row): FitRow =>
      isMailed(row.address) ? row : { ...row, address: { ...row.address, reports: [] } },
    );
    expect(errorsOf(rows)).toEqual({});
  });

  it('is found wherever in the rows the wrong reports stand', () => {
    const rows = [...rowsOf(150, [HONEST]), ...rowsOf(250, [{ ...HONEST, wrong: 0.35 }], 2)];
    for (const order of [rows, rows.toReversed()]) expect(errorsOf(order)['aaaa']).toBeGreaterThanOrEqual(0.1);
  });

  it('is found where vendors choose what is mailed, too', () => {
    const isMailed = ({ answers }: FitRow['address']) => answers.every(({ verdict }) => verdict !== 'undeliverable');
    const rows = rowsOf(2_500, [{ source: 'aaaa', wrong: 0.1 }]).map((row): FitRow =>
      isMailed(row.address) ? row : { ...row, address: { ...row.address, reports: [] } },
    );
    const { aaaa } = errorsOf(rows);
    expect(aaaa).toBeGreaterThanOrEqual(0.05);
  });

  it.each([1, 2, 3])(
    'is never, where no vendor was asked of a list that bounces, beside another that is not mailed: seed %i',
    (seed) => {
      const unasked = rowsOf(300, [HONEST], seed, 'half dead').map((row): FitRow => ({
        ...row,
        address: { ...row.address, answers: [] },
      }));
      const unmailed = rowsOf(1_000, [HONEST], seed + 10).map((row): FitRow => ({
        ...row,
        address: { ...row.address, reports: [] },
      }));
      expect(errorsOf([...unasked, ...unmailed])).toEqual({});
    },
  );

  it.each<[what: string, rows: FitRow[]]>([
    ['with few reports', rowsOf(39, [{ source: 'aaaa', wrong: 0.5 }])],
    [
      'that reports refusals alone: what it keeps to itself would count as mistakes',
      rowsOf(900, [{ ...HONEST, bouncesOnly: true }]),
    ],
    ['without a report', []],
  ])('is not looked for in a source %s', (_, rows) => {
    expect(errorsOf(rows)).toEqual({});
  });

  /** Addresses that both vendors call deliverable, by what the source says of them. */
  const calledDeliverable = (counts: Readonly<Partial<Record<DeliveryClass, number>>>): FitRow[] => {
    const [usual] = rowsOf(1, [HONEST]) as [FitRow];
    const at = START_MS - 10 * DAY_MS;
    const answers = usual.address.answers.map((answer) => ({ ...answer, verdict: 'deliverable' as const }));
    return (Object.entries(counts) as [DeliveryClass, number][]).flatMap(([kind, count]) =>
      Array.from({ length: count }, () => ({
        ...usual,
        address: { ...usual.address, answers, reports: [{ class: kind, at, source: 'aaaa' }] },
      })),
    );
  };

  it.each<[what: string, counts: Partial<Record<DeliveryClass, number>>, isFound: boolean]>([
    ['40 reports are enough', { delivered: 20, user_unknown: 20 }, true],
    ['39 are not', { delivered: 20, user_unknown: 19 }, false],
    ['transient failures do not count', { delivered: 20, user_unknown: 19, soft: 10 }, false],
    ['a delivery for every two refusals is enough', { delivered: 20, user_unknown: 40 }, true],
    ['fewer are not', { delivered: 19, user_unknown: 40 }, false],
    ['one mistake is none that is clear', { delivered: 79, user_unknown: 1 }, false],
    ['two of 40 are none that are clear', { delivered: 38, user_unknown: 2 }, false],
  ])('is looked for where a source tells enough: %s', (_, counts, isFound) => {
    expect(Object.keys(errorsOf(calledDeliverable(counts)))).toEqual(isFound ? ['aaaa'] : []);
  });

  /** Addresses that both vendors call undeliverable, with such a report or without any. */
  const calledUndeliverable = (count: number, kind: DeliveryClass | null): FitRow[] =>
    calledDeliverable({ [kind ?? 'soft']: count }).map((row) => {
      const answers = row.address.answers.map((answer) => ({ ...answer, verdict: 'undeliverable' as const }));
      return { ...row, address: { ...row.address, answers, reports: kind === null ? [] : row.address.reports } };
    });

  it('is the same beside transient failures at addresses that bounce', () => {
    const told = calledDeliverable({ delivered: 60, user_unknown: 6 });
    expect(errorsOf(told)).not.toEqual({});
    expect(errorsOf([...told, ...calledUndeliverable(300, 'soft')])).toEqual(errorsOf(told));
  });

  it('is never, beside so many addresses without a report that bounce that its refusals are none too many', () => {
    const told = calledDeliverable({ delivered: 60, user_unknown: 12 });
    expect(errorsOf([...told, ...calledUndeliverable(20, null)])).not.toEqual({});
    expect(errorsOf([...told, ...calledUndeliverable(40, null)])).toEqual({});
  });

  it('is held against its share of the addresses without a report alone, beside a source that mails more', () => {
    const told = calledDeliverable({ delivered: 60, user_unknown: 8 });
    const others = calledDeliverable({ delivered: 680 }).map((row): FitRow => ({
      ...row,
      address: { ...row.address, reports: row.address.reports.map((report) => ({ ...report, source: 'bbbb' })) },
    }));
    const unmailed = calledUndeliverable(60, null);
    expect(errorsOf([...told, ...unmailed])).toEqual({});
    expect(Object.keys(errorsOf([...told, ...others, ...unmailed]))).toEqual(['aaaa']);
  });
});

describe('some of many', () => {
  const upTo = (length: number): number[] => Array.from({ length }, (_, at) => at);

  it('are as many as asked for, each once, in their order, and never far from equally spaced', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(300), (length, most) => {
        const found = some(upTo(length), most);
        expect(found).toHaveLength(Math.min(length, most));
        const gap = length / most;
        found.slice(1).forEach((each, at) => {
          const step = each - (found[at] ?? 0);
          expect(step).toBeGreaterThanOrEqual(Math.max(1, Math.floor(gap)));
          expect(step).toBeLessThanOrEqual(Math.max(1, Math.ceil(gap)));
        });
      }),
    );
  });

  it('of none are none', () => {
    expect(some([], 10)).toEqual([]);
  });
});
