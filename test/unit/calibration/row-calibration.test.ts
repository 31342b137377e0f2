import { describe, expect, it } from 'vitest';
import { FOLDS } from '../../../src/domain/calibration/pattern.ts';
import { calibrateRows } from '../../../src/domain/calibration/row-calibration.ts';
import type { FitRow } from '../../../src/domain/calibration/row-counts.ts';
import type { KnownAnswer } from '../../../src/domain/verification/answer.ts';
import { strangerState } from '../../../src/domain/verification/first-state.ts';
import type { AddressHistory, DeliveryClass, KnownReport, Levels } from '../../../src/domain/verification/history.ts';
import { SEEDED_MODEL as MODEL, type Model } from '../../../src/domain/verification/model.ts';
import { bounceProbability } from '../../../src/domain/verification/posterior.ts';
import type { ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS as NOW } from '../../support/records.ts';

const HOST = 'google_business';
const SOURCE = 'aaaa';
/** When the report came that is predicted. */
const THEN = NOW - 10 * DAY_MS;

const answer = (verdict: ProviderVerdict, at: number, provider: KnownAnswer['provider'] = 'bouncer'): KnownAnswer => ({
  provider,
  verdict,
  catch_all: null,
  at,
});
const report = (kind: DeliveryClass, at = THEN, source = SOURCE): KnownReport => ({ class: kind, at, source });

const rowOf = (
  address: Partial<AddressHistory>,
  { fold = 0, around = { domain: null, list: null } }: Partial<FitRow> = {},
): FitRow => ({
  fold,
  address: {
    firstSeenAt: THEN - 90 * DAY_MS,
    host: HOST,
    features: [],
    purpose: 'outbound',
    domain: hashOf('a domain'),
    list: around.list && hashOf('a list'),
    answers: [],
    reports: [],
    proofs: [],
    part: null,
    ...address,
  },
  around,
});
/** Deliveries for which the source is trusted, in a later fold. */
const delivered = (count: number): FitRow[] =>
  Array.from({ length: count }, () => rowOf({ reports: [report('delivered')] }, { fold: FOLDS - 1 }));

/** The first outcomes that an account with this row foretells by the table, and the table. */
function foretold(row: FitRow, others = delivered(30)) {
  const { predictions, table } = calibrateRows(MODEL, [row, ...others], NOW);
  return { predicted: predictions.table.map(({ predicted }) => predicted), table };
}

const { reports: RATES } = MODEL.history;
/** P(a report says that mail bounced | it says either): where mail lands, and where it bounces. */
const saidOf = (state: 'lands' | 'bounces'): number => {
  const bounced = RATES.user_unknown[state] + RATES.refused[state];
  return bounced / (bounced + RATES.delivered[state] + RATES.complaint[state]);
};

/** What a report says of an address of which this is known: that mail bounced, with this probability. `wrong`: so often the other thing. */
function saidToBounce(table: Model, known: Pick<AddressHistory, 'answers' | 'reports'>, wrong = 0): number {
  const first = strangerState(table, HOST, 'outbound', NOW);
  const bounces = bounceProbability({ model: table, host: HOST, first, ...known, proofs: [], now: THEN });
  const right = bounces * saidOf('bounces') + (1 - bounces) * saidOf('lands');
  const swapped = bounces * saidOf('lands') + (1 - bounces) * saidOf('bounces');
  return (1 - wrong) * right + wrong * swapped;
}

describe('a report of the past is foretold', () => {
  const EARLIER = report('user_unknown', THEN - 1);
  it.each<[what: string, known: Partial<AddressHistory>, read: Partial<AddressHistory>]>([
    ['by nothing, where nothing is known', {}, {}],
    [
      'by an answer of long before',
      { answers: [answer('undeliverable', THEN - 60 * DAY_MS)] },
      { answers: [answer('undeliverable', THEN - 60 * DAY_MS)] },
    ],
    [
      'by an answer of the same moment',
      { answers: [answer('undeliverable', THEN)] },
      { answers: [answer('undeliverable', THEN)] },
    ],
    ['by no later answer', { answers: [answer('undeliverable', THEN + 1)] }, {}],
    [
      'by the earlier of two answers',
      { answers: [answer('undeliverable', THEN - DAY_MS), answer('deliverable', THEN + DAY_MS, 'zerobounce')] },
      { answers: [answer('undeliverable', THEN - DAY_MS)] },
    ],
    ['by no proof of life, earlier or not', { proofs: [{ class: 'confirmed', at: THEN - 1 }] }, {}],
  ])('%s', (_, known, read) => {
    const { predicted, table } = foretold(rowOf({ ...known, reports: [report('delivered')] }));
    expect(predicted[0]).toBeCloseTo(saidToBounce(table, { answers: [], reports: [], ...read }), 12);
  });

  it('by earlier reports, and by none of the same moment or later', () => {
    const reports = [EARLIER, report('delivered'), report('refused'), report('complaint', THEN + 1)];
    const { predicted, table } = foretold(rowOf({ reports }));
    const known = saidToBounce(table, { answers: [], reports: [EARLIER] });
    expect(known).toBeGreaterThan(2 * saidToBounce(table, { answers: [], reports: [] }));
    for (const at of [1, 2]) expect(predicted[at]).toBeCloseTo(known, 12);
  });

  it.each(['full', 'soft'] as const)('where it says whether mail bounced: %s only tells of later ones', (kind) => {
    const others = delivered(30);
    const { predicted, table } = foretold(rowOf({ reports: [report(kind, THEN - 1), report('delivered')] }), others);
    expect(predicted).toHaveLength(1 + others.length);
    expect(predicted[0]).toBeCloseTo(saidToBounce(table, { answers: [], reports: [report(kind, THEN - 1)] }), 12);
  });

  it('to say the other thing as often as its source errs', () => {
    const mailed = (['deliverable', 'undeliverable'] as const).flatMap((verdict) =>
      Array.from({ length: 60 }, (_, at): FitRow => {
        const isBounce = at % 10 < 3 ? verdict === 'deliverable' : verdict !== 'deliverable';
        return rowOf({
          answers: [answer(verdict, THEN), answer(verdict, THEN, 'zerobounce')],
          reports: [report(isBounce ? 'user_unknown' : 'delivered', THEN, 'bbbb')],
        });
      }),
    );
    const one = rowOf({ reports: [report('delivered', THEN, 'bbbb')] });
    const { predicted, table } = foretold(one, [
      ...mailed,
      ...delivered(60).map((row) => ({
        ...row,
        address: { ...row.address, reports: [report('delivered', THEN, 'bbbb')] },
      })),
    ]);
    const { bbbb = 0 } = table.history.sources;
    expect(bbbb).toBeGreaterThanOrEqual(0.1);
    expect(predicted[0]).toBeCloseTo(saidToBounce(table, { answers: [], reports: [] }, bbbb), 12);
  });
});

describe('what the history is worth', () => {
  /** Levels at which all bounces, or hardly anything. */
  const levelsOf = (length: number, by: number): Levels => ({
    values: Float32Array.from({ length }, (_, at) => by * (at % 8)),
    at: NOW,
    isReported: false,
    stoppedOn: null,
    refused: 0,
    delivered: 0,
  });
  const DOMAIN = levelsOf(16, 0.5);
  const LIST = levelsOf(11, 0.3);
  const EARLIER: Partial<AddressHistory> = { answers: [answer('undeliverable', THEN - 60 * DAY_MS)] };
  const worthOf = (address: Partial<AddressHistory>, around: Partial<FitRow['around']> = {}) => {
    const row = rowOf(
      { ...address, reports: [report('delivered')] },
      { around: { domain: null, list: null, ...around } },
    );
    const { worth } = calibrateRows(MODEL, [row, ...delivered(30)], NOW);
    if (worth === null) throw new Error('there are outcomes');
    return worth;
  };

  it.each<[what: 'address' | 'domain' | 'list', address: Partial<AddressHistory>, around: Partial<FitRow['around']>]>([
    ['address', EARLIER, {}],
    ['domain', {}, { domain: DOMAIN }],
    ['list', {}, { list: LIST }],
  ])('is read by `%s` and `all` alone, where it is of that alone', (what, address, around) => {
    const worth = worthOf(address, around);
    expect(Math.abs(worth[what] - worth.without)).toBeGreaterThan(1e-4);
    expect(worth.all).toBe(worth[what]);
    for (const other of ['address', 'domain', 'list'] as const)
      if (other !== what) expect(worth[other]).toBe(worth.without);
  });

  it('leaves earlier reports out but by `address` and `all`', () => {
    const reports = [report('delivered', THEN - 30 * DAY_MS), report('delivered')];
    const { worth } = calibrateRows(MODEL, [rowOf({ reports }), ...delivered(30)], NOW);
    expect(worth?.address).toBeLessThan(worth?.without ?? Number.NaN);
    expect(worth?.all).toBe(worth?.address);
    expect(worth?.domain).toBe(worth?.without);
  });

  it.each<[what: string, age: number, isRead: boolean]>([
    ['of less than a day before is read without any history: it may be of the same request', DAY_MS - 1, true],
    ['of the same moment is, too', 0, true],
    ['of a day before is history', DAY_MS, false],
    ['of a moment later is not read', -1, false],
  ])('an answer %s', (_, age, isRead) => {
    const [unasked, asked] = [worthOf({}), worthOf({ answers: [answer('undeliverable', THEN - age)] })];
    if (isRead) expect(asked.without).toBeGreaterThan(unasked.without + 1e-4);
    else expect(asked.without).toBeCloseTo(unasked.without, 12);
  });
});

describe('an account', () => {
  /** Addresses by fold, the first of which bounced. */
  const mailed = (outcomes: number, hardBounces: number): FitRow[] =>
    Array.from({ length: outcomes }, (_, at) =>
      rowOf({ reports: [report(at < hardBounces ? 'user_unknown' : 'delivered')] }, { fold: at % FOLDS }),
    );

  it.each([
    [199, 20, false],
    [200, 9, false],
    [200, 10, true],
  ])('with %d outcomes, %d of them hard bounces, is fitted: %s', (outcomes, hardBounces, isFitted) => {
    const found = calibrateRows(MODEL, mailed(outcomes, hardBounces), NOW);
    expect(found).toMatchObject({ outcomes, hardBounces });
    expect(found.fitted !== null).toBe(isFitted);
    expect(found.predictions.table).toHaveLength(outcomes);
    expect(found.predictions.fitted?.length ?? null).toBe(isFitted ? outcomes : null);
  });

  /** Forty addresses in each fold, so many of which bounced: in the fold that is left out first, and in each other. */
  const bouncing = (first: number, others: number): FitRow[] =>
    Array.from({ length: 40 * FOLDS }, (_, at) => {
      const fold = at % FOLDS;
      const isBounce = Math.floor(at / FOLDS) < (fold === 0 ? first : others);
      return rowOf({ reports: [report(isBounce ? 'user_unknown' : 'delivered')] }, { fold });
    });

  it.each<[trust: number, where: string, rows: FitRow[]]>([
    [30, 'most, where addresses that a fit has not seen bounce and the others never do', bouncing(10, 0)],
    [3, 'least, where they bounce as the others do', bouncing(10, 10)],
  ])('trusts the table %d-fold: %s', (trust, _, rows) => {
    expect(calibrateRows(MODEL, rows, NOW).trust).toBe(trust);
  });
});
