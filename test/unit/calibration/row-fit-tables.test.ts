import { describe, expect, it } from 'vitest';
import type { PreparedRow } from '../../../src/domain/calibration/row-counts.ts';
import { fitRows } from '../../../src/domain/calibration/row-fit.ts';
import type { AddressHistory, DeliveryClass, KnownReport } from '../../../src/domain/verification/history.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { ANSWERS } from '../../../src/domain/verification/host-tables.ts';
import { type Model, SEEDED_MODEL as TABLE } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { totalOf, VERDICTS, type VerdictCounts } from '../../../src/domain/verification/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS as NOW } from '../../support/records.ts';

const HOST = 'google_business';
const YEAR_MS = 365 * DAY_MS;

const answered = (verdict: ProviderVerdict, at = NOW, providers: readonly ProviderId[] = ['zerobounce']) => ({
  answers: providers.map((provider) => ({ provider, verdict, catch_all: null, at })),
});
const reported = (of: DeliveryClass): { reports: KnownReport[] } => ({
  reports: [{ class: of, at: NOW, source: '0000' }],
});

/** So many addresses of which the same is known. All their reports count. */
const rowsOf = (count: number, known: Partial<AddressHistory> = {}): PreparedRow[] =>
  Array.from({ length: count }, () => {
    const { reports = [] } = known;
    return {
      fold: 0,
      address: {
        firstSeenAt: NOW,
        host: HOST,
        features: [],
        purpose: 'outbound',
        domain: hashOf('a domain'),
        list: null,
        answers: [],
        proofs: [],
        part: null,
        ...known,
        reports,
      },
      around: { domain: null, list: null },
      now: NOW,
      allReports: reports,
      domain: null,
      list: null,
    };
  });
/** What is known of each is known of so many. */
const fitted = (...known: (readonly [count: number, known: Partial<AddressHistory>])[]): Model =>
  fitRows(
    TABLE,
    known.flatMap(([count, each]) => rowsOf(count, each)),
    1,
  );

/** All numbers of a table, by where they stand. */
const numbersIn = (value: object, path = ''): [string, number][] =>
  Object.entries(value).flatMap(([name, each]: [string, unknown]): [string, number][] => {
    if (typeof each === 'number') return [[`${path}/${name}`, each]];
    return typeof each === 'object' && each !== null ? numbersIn(each, `${path}/${name}`) : [];
  });
/** To the five digits that a fit keeps. */
function differences(found: object, expected: object): string[] {
  const [these, those] = [found, expected].map((table) => new Map(numbersIn(table))) as [
    Map<string, number>,
    Map<string, number>,
  ];
  const other = [...those].filter(([path, value]) => {
    const here = these.get(path);
    return here === undefined || Math.abs(here - value) > 5e-5 * Math.abs(value);
  });
  return [...other.map(([path]) => path), ...[...these.keys()].filter((path) => !those.has(path))];
}

describe('an account keeps the table', () => {
  it.each([
    ['without rows', []],
    ['whose rows say nothing', rowsOf(50)],
    [
      'whose rows say nothing, at many hosts',
      (['yahoo_consumer', 'microsoft_business', 'relay'] as const).flatMap((host) => rowsOf(9, { host })),
    ],
  ])('%s', (_, rows) => {
    const { prior, providers, history } = fitRows(TABLE, rows, 1);
    expect(differences(prior, TABLE.prior)).toEqual([]);
    expect(differences(providers, TABLE.providers)).toEqual([]);
    expect(differences(history, TABLE.history)).toEqual([]);
  });

  it('of a host at which it has no rows', () => {
    const { prior } = fitted([30, { ...answered('undeliverable'), ...reported('user_unknown') }]);
    expect(differences(prior.microsoft_business, TABLE.prior.microsoft_business)).toEqual([]);
    expect(prior[HOST]).not.toEqual(TABLE.prior[HOST]);
  });
});

describe('a host’s cells', () => {
  const sizesOf = (model: Model): number[] => model.prior[HOST].map(({ bounced, landed }) => bounced + landed);
  const grownBy = (model: Model): number =>
    sizesOf(model).reduce((sum, size, at) => sum + size - (sizesOf(TABLE)[at] ?? 0), 0);

  it.each<[what: string, count: number, known: Partial<AddressHistory>]>([
    ['once for each address with a report', 40, reported('delivered')],
    ['once for each, where the server refuses', 40, { ...answered('undeliverable'), ...reported('user_unknown') }],
    ['once for each, where everything is accepted', 40, { ...answered('catch_all'), ...reported('delivered') }],
    ['by none without a report', 0, answered('undeliverable')],
  ])('weigh more %s', (_, count, known) => {
    expect(grownBy(fitted([40, known]))).toBeCloseTo(count, 1);
  });

  it('make up what they did before', () => {
    const [before, after] = [TABLE, fitted([40, { ...answered('undeliverable'), ...reported('user_unknown') }])].map(
      (model) => model.prior[HOST].reduce((sum, { alpha }) => sum + alpha, 0),
    ) as [number, number];
    expect(after / before).toBeCloseTo(1, 4);
  });

  it('stand in the order of the table', () => {
    const namesOf = (model: Model) => model.prior[HOST].map(({ acceptsAll, answer }) => [acceptsAll, answer]);
    expect(namesOf(fitted([40, reported('delivered')]))).toEqual(namesOf(TABLE));
  });
});

describe('a provider’s rows', () => {
  const RISKY = { ...answered('risky'), ...reported('delivered') };
  const OFTEN_RISKY = fitted([50, RISKY]);
  const sharesOf = (row: VerdictCounts): number[] => row.map((each) => each / totalOf(row));
  const riskyAt = (model: Model, host: HostClass): number => {
    const { hosts, anyHost } = model.providers.zerobounce;
    return sharesOf((hosts[host] ?? anyHost).accepts)[VERDICTS.indexOf('risky')] ?? 0;
  };
  const hostsOf = (model: Model, provider: ProviderId): string[] => Object.keys(model.providers[provider].hosts);

  it('are of a host’s own where the provider answered there, and of no other', () => {
    for (const provider of PROVIDER_IDS) {
      const own = provider === 'zerobounce' ? [HOST] : [];
      expect(hostsOf(OFTEN_RISKY, provider).toSorted(), provider).toEqual(
        [...hostsOf(TABLE, provider), ...own].toSorted(),
      );
    }
  });

  it('are the table’s of a provider that answered nothing', () => {
    expect(differences(OFTEN_RISKY.providers.bouncer, TABLE.providers.bouncer)).toEqual([]);
  });

  it('move everywhere by what was seen at one host, and most there', () => {
    const factor = (host: HostClass, model = OFTEN_RISKY): number => riskyAt(model, host) / riskyAt(TABLE, host);
    const seldom = fitted([1, RISKY]);
    // The one has rows of its own in the table, the other has not.
    for (const host of ['yahoo_business', 'microsoft_business'] as const) {
      expect(factor(host, seldom)).toBeGreaterThan(1);
      expect(factor(host)).toBeGreaterThan(factor(host, seldom));
      expect(factor(HOST)).toBeGreaterThan(factor(host));
    }
  });

  it('have the table’s verdicts, and leave as much unknown as before', () => {
    const { anyHost, hosts } = OFTEN_RISKY.providers.zerobounce;
    for (const rows of [anyHost, hosts[HOST] ?? anyHost])
      for (const answer of ANSWERS) {
        const before = sharesOf(TABLE.providers.zerobounce.anyHost[answer]);
        expect(rows[answer]).toHaveLength(before.length);
        expect(sharesOf(rows[answer]).at(-1)).toBeCloseTo(before.at(-1) ?? 0, 4);
      }
  });

  it('weigh more once for each answer', () => {
    const { hosts, anyHost } = OFTEN_RISKY.providers.zerobounce;
    const weightOf = (rows = anyHost): number => ANSWERS.reduce((sum, answer) => sum + totalOf(rows[answer]), 0);
    expect(weightOf(hosts[HOST]) - weightOf(TABLE.providers.zerobounce.anyHost)).toBeCloseTo(50, 1);
  });
});

describe('the factor on the rate at which mailboxes die', () => {
  /** Found alive by three providers two years ago, and told of today. */
  const known = (report: DeliveryClass): Partial<AddressHistory> => ({
    firstSeenAt: NOW - 2 * YEAR_MS,
    ...answered('deliverable', NOW - 2 * YEAR_MS, ['zerobounce', 'bouncer', 'kickbox']),
    ...reported(report),
  });
  const [DIED, LIVED] = [known('user_unknown'), known('delivered')];
  const factorsOf = ({ history: { churn } }: Model): number[] =>
    (['strict', 'acceptsAll', 'consumer'] as const).map((kind) => churn[kind] / TABLE.history.churn[kind]);

  it.each<[what: string, factor: number, died: number, lived: number]>([
    ['doubles the rate where nearly all are dead two years on', 2, 55, 5],
    ['halves it where all still live', 0.5, 0, 60],
    ['is 1 where nothing was seen', 1, 0, 0],
  ])('%s', (_, factor, died, lived) => {
    for (const each of factorsOf(fitted([died, DIED], [lived, LIVED]))) expect(each).toBeCloseTo(factor, 4);
  });

  it('leaves recovery and redraws as they are', () => {
    const { recovery, redraw } = fitted([55, DIED]).history.churn;
    expect({ recovery, redraw }).toEqual({
      recovery: TABLE.history.churn.recovery,
      redraw: TABLE.history.churn.redraw,
    });
  });

  it('is nearer to 1 the more the table is trusted', () => {
    const rows = rowsOf(8, LIVED);
    const [little, much] = [1, 100].map((trust) => factorsOf(fitRows(TABLE, rows, trust))[0]) as [number, number];
    expect(little).toBeLessThan(1);
    expect(much).toBe(1);
  });
});
