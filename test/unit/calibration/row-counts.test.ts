import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  acceptsAllShareOf,
  type Counts,
  countRows,
  type FitRow,
  firstOf,
  likelihoodsOf,
  logLikelihoodOf,
  type PreparedRow,
  prepared,
} from '../../../src/domain/calibration/row-counts.ts';
import { BITS, filtered, placeOf, type Sighting } from '../../../src/domain/verification/filter.ts';
import { type FirstState, firstState } from '../../../src/domain/verification/first-state.ts';
import {
  type DeliveryClass,
  DOMAIN_LEVELS,
  FEATURES,
  type Levels,
  LIST_LEVELS,
} from '../../../src/domain/verification/history.ts';
import { partOf } from '../../../src/domain/verification/history-codec.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { ANSWER_COUNT, ANSWERS, tablesAt } from '../../../src/domain/verification/host-tables.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { sightingsOf } from '../../../src/domain/verification/sightings.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS } from '../../support/records.ts';

const NOW = START_MS;
const YEAR_MS = 365 * DAY_MS;
const CLASSES: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'];
/** A source that errs, and one of which nothing is known. */
const [ERRS, OTHER] = ['eeee', '0000'];

/** All vendors are mistaken together now and then, and one source errs. */
const MODEL: Model = {
  ...SEEDED_MODEL,
  history: { ...SEEDED_MODEL.history, mistaken: 0.05, sources: { [ERRS]: 0.2 } },
};

const rowOf = (address: Partial<FitRow['address']>, around: Partial<FitRow['around']> = {}): FitRow => ({
  fold: 0,
  address: {
    firstSeenAt: NOW,
    host: 'google_business',
    features: [],
    purpose: 'outbound',
    domain: hashOf('a domain'),
    list: null,
    answers: [],
    reports: [],
    proofs: [],
    part: null,
    ...address,
  },
  around: { domain: null, list: null, ...around },
});
/** A row all of whose reports count. */
const counted = (row: FitRow): PreparedRow => ({ ...(prepared([row], NOW)[0] as PreparedRow), address: row.address });

const levelsOf = (values: readonly number[], at: number, change: Partial<Levels> = {}): Levels => ({
  values: Float32Array.from(values),
  at,
  isReported: false,
  stoppedOn: null,
  refused: 0,
  delivered: 0,
  ...change,
});

const anyAt = fc.oneof(fc.constant(0), fc.constant(DAY_MS), fc.nat(2 * YEAR_MS)).map((age) => NOW - age);
const anyValues = (length: number) =>
  fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: length, maxLength: length });
const anyLevels = (length: number) =>
  fc
    .record({ values: anyValues(length), at: anyAt, refused: fc.nat(9), delivered: fc.nat(2) })
    .map(({ values, at, ...mailed }) => levelsOf(values, at, mailed));
const anyPart = fc
  .record({
    domain: anyValues(DOMAIN_LEVELS),
    list: anyValues(LIST_LEVELS),
    counted: fc.constantFrom(null, 'refused' as const, 'delivered' as const),
    at: anyAt,
  })
  .map(({ at, ...said }) => partOf(said, at));
const anyRow: fc.Arbitrary<PreparedRow> = fc
  .record({
    address: fc.record({
      host: fc.constantFrom<HostClass>('google_business', 'google_consumer', 'unresolved_business'),
      features: fc.subarray(FEATURES.slice(-3)),
      purpose: fc.constantFrom('signup' as const, 'outbound' as const, 'list_hygiene' as const),
      domain: fc.constantFrom(hashOf('one'), hashOf('other'), hashOf('third')),
      answers: fc.uniqueArray(
        fc.record({
          provider: fc.constantFrom(...PROVIDER_IDS),
          verdict: fc.constantFrom(...VERDICTS),
          catch_all: fc.constant(null),
          at: anyAt,
        }),
        { selector: ({ provider }) => provider, maxLength: 3 },
      ),
      reports: fc.array(
        fc.record({ class: fc.constantFrom(...CLASSES), at: anyAt, source: fc.constantFrom(ERRS, OTHER) }),
        { maxLength: 3 },
      ),
      part: fc.option(anyPart),
    }),
    around: fc.record({ domain: fc.option(anyLevels(DOMAIN_LEVELS)), list: fc.option(anyLevels(LIST_LEVELS)) }),
  })
  .map(({ address, around }) => counted(rowOf(address, around)));
const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 4 });

/** What is asked of an address beside all that was seen of it. */
interface Asked {
  /** At this sighting: whether mail bounces, and what the server answers. */
  readonly at: number;
  readonly bounces?: 0 | 1;
  readonly answer?: number;
  readonly kind?: 0 | 1;
}
const sightingsIn = ({ address, now }: PreparedRow) =>
  sightingsOf(MODEL, address.host, { ...address, proofs: [] }, now);

/** P(all that was seen of the row, and what is asked). */
function likely(row: PreparedRow, asked: Asked, first: FirstState = firstOf(MODEL, row)): number {
  const sightings: Sighting[] = sightingsIn(row);
  const { at, bounces, answer, kind } = asked;
  const seen = sightings[at];
  if (seen !== undefined)
    sightings.splice(at + 1, 0, {
      at: seen.at,
      byAnswer: answer === undefined ? null : ANSWERS.map((_, place) => (place === answer ? 1 : 0)),
      lands: bounces === 1 ? 0 : 1,
      bounces: bounces === 0 ? 0 : 1,
    });
  const masses = filtered(tablesAt(MODEL, row.address.host), sightings, null);
  let sum = 0;
  for (const each of BITS.filter((bit) => kind === undefined || bit === kind)) {
    const [ofKind, dead] =
      each === 0 ? [1 - first.acceptsAll, first.deadStrict] : [first.acceptsAll, first.deadAcceptsAll];
    for (const state of BITS) {
      const place = placeOf(each, state, 0);
      const ofState = masses.slice(place, place + 2 * ANSWER_COUNT).reduce((mass, more) => mass + more, 0);
      sum += ofKind * (state === 1 ? dead : 1 - dead) * ofState;
    }
  }
  return sum;
}
/** P(what is asked | all that was seen of the row). */
const share = (row: PreparedRow, asked: Asked): number => likely(row, asked) / likely(row, { at: -1 });

/** Adds up what is found by its name. */
class Sums extends Map<string, number> {
  plus(name: string, value: number): void {
    this.set(name, (this.get(name) ?? 0) + value);
  }
}

/** The first and minus the second derivative at 0. */
function slopesOf(value: (step: number) => number): { readonly slope: number; readonly curve: number } {
  const STEP = 1e-3;
  const [down, here, up] = [value(-STEP), value(0), value(STEP)];
  return { slope: (up - down) / (2 * STEP), curve: (2 * here - up - down) / STEP ** 2 };
}
const raised = (rate: number, step: number): number => (rate * Math.exp(step)) / (rate * Math.exp(step) + 1 - rate);

/** All numbers of the counts beside the domains, by name. Absent and 0 are the same. */
function named({ hosts, reports, features }: Counts): Sums {
  const sums = new Sums();
  for (const [host, { kinds, rows }] of hosts) {
    kinds.forEach(({ answers, reported, slope, curve }, kind) => {
      answers.forEach((ofState, state) =>
        ofState.forEach((count, answer) => sums.plus(`${host} ${kind} ${state} ${answer}`, count)),
      );
      reported.forEach((count, answer) => sums.plus(`${host} ${kind} reported ${answer}`, count));
      sums.plus(`${host} ${kind} slope`, slope);
      sums.plus(`${host} ${kind} curve`, curve);
    });
    rows.forEach((ofProvider, provider) =>
      ofProvider.forEach((ofAnswer, answer) =>
        ofAnswer.forEach((count, verdict) =>
          sums.plus(`${host} ${PROVIDER_IDS[provider]} ${answer} ${VERDICTS[verdict]}`, count),
        ),
      ),
    );
  }
  for (const [name, both] of reports) both.forEach((count, state) => sums.plus(`${name} ${state}`, count));
  for (const [name, { slope, curve }] of features) {
    sums.plus(`${name} slope`, slope);
    sums.plus(`${name} curve`, curve);
  }
  return sums;
}

/** What a row adds to the counts, by asking for each number in turn. */
function addAsked(row: PreparedRow, sums: Sums): void {
  const { host, features, reports } = row.address;
  const sightings = sightingsIn(row);
  sightings.forEach((seen, at) => {
    if (seen.kind === 'answer')
      ANSWERS.forEach((_, answer) =>
        sums.plus(`${host} ${seen.of.provider} ${answer} ${seen.of.verdict}`, share(row, { at, answer })),
      );
    if (seen.kind === 'report' && seen.of.source !== ERRS)
      for (const bounces of BITS) sums.plus(`${seen.of.class} ${bounces}`, share(row, { at, bounces }));
  });
  if (sightings.length === 0) return;
  const first = firstOf(MODEL, row);
  for (const kind of BITS) {
    for (const bounces of BITS)
      ANSWERS.forEach((_, answer) => {
        const own = tablesAt(MODEL, host).kinds[kind].own[bounces][answer] ?? Number.NaN;
        const seen = own * share(row, { at: 0, kind, bounces, answer });
        sums.plus(`${host} ${kind} ${bounces} ${answer}`, seen);
        if (reports.length > 0) sums.plus(`${host} ${kind} reported ${answer}`, seen);
      });
    const name = kind === 0 ? 'deadStrict' : 'deadAcceptsAll';
    const { slope } = slopesOf((step) =>
      Math.log(likely(row, { at: -1 }, { ...first, [name]: raised(first[name], step) })),
    );
    const [landed, bounced] = BITS.map((bounces) => share(row, { at: 0, kind, bounces })) as [number, number];
    const { curve } = slopesOf((step) => {
      const rate = raised(first[name], step);
      return bounced * Math.log(rate) + landed * Math.log(1 - rate);
    });
    for (const into of [`${host} ${kind}`, ...features]) {
      sums.plus(`${into} slope`, slope);
      sums.plus(`${into} curve`, curve);
    }
  }
}

describe('the counts of rows', () => {
  it('add up, row by row, how probable each is given all that was seen, and how each rate’s likelihood bends', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const [found, asked] = [named(countRows(MODEL, rows)), new Sums()];
        for (const row of rows) addAsked(row, asked);
        for (const name of new Set([...found.keys(), ...asked.keys()]))
          expect(Math.abs((found.get(name) ?? 0) - (asked.get(name) ?? 0)), name).toBeLessThan(1e-5);
      }),
      { numRuns: 40 },
    );
  });

  it('have a number for each answer of the server, and for each class that was reported', () => {
    const reports = [{ class: 'soft' as const, at: NOW, source: OTHER }];
    const answers = [{ provider: 'bouncer' as const, verdict: 'risky' as const, catch_all: null, at: NOW }];
    const counts = countRows(MODEL, [counted(rowOf({ reports, answers }))]);
    for (const { answers: ofStates, reported } of counts.hosts.get('google_business')?.kinds ?? [])
      expect([...ofStates, reported].map(({ length }) => length)).toEqual([ANSWER_COUNT, ANSWER_COUNT, ANSWER_COUNT]);
    expect([...counts.reports.keys()]).toEqual(['soft']);
  });

  it('are all 0 for an address of which nothing was seen', () => {
    const counts = named(countRows(MODEL, [counted(rowOf({ features: ['role'] }))]));
    expect([...counts.values()].filter((count) => count !== 0)).toEqual([]);
  });
});

describe('the domains of rows', () => {
  const { kinds } = tablesAt(MODEL, 'google_business');
  /** Of one domain: its levels say so many log-odds more that it accepts everything. */
  const shown = (logOdds: number, at = NOW): Levels =>
    levelsOf(
      Array.from({ length: DOMAIN_LEVELS }, (_, level) => (level < DOMAIN_LEVELS / 2 ? 0 : logOdds)),
      at,
    );
  const domainsOf = (rows: readonly FitRow[], host: HostClass = 'google_business'): readonly number[] =>
    countRows(MODEL, rows.map(counted)).hosts.get(host)?.domains ?? [];

  it.each([
    ['as often as the table says where nothing is known', 0, NOW, 0],
    ['by what its addresses say', 2, NOW, 2],
    ['by half of what they said a year ago', 2, NOW - YEAR_MS, 1],
  ])('accept everything %s', (_, logOdds, at, left) => {
    const [strict = 0, acceptsAll = 0] = domainsOf([rowOf({}, { domain: shown(logOdds, at) })]);
    expect(strict + acceptsAll).toBeCloseTo(1, 12);
    expect(Math.log(acceptsAll / strict)).toBeCloseTo(Math.log(kinds[1].share / kinds[0].share) + left, 6);
  });

  it('count once each, however many of their addresses there are, and where levels of them are kept', () => {
    const at = (name: string, host: HostClass, domain: Levels | null = shown(1)): FitRow =>
      rowOf({ domain: hashOf(name), host }, { domain });
    const rows = [
      at('one', 'google_business'),
      at('one', 'google_business'),
      at('two', 'google_business'),
      at('unknown', 'google_business', null),
      at('three', 'relay'),
      at('one', 'google_business'),
    ];
    const of = (host: HostClass) => domainsOf(rows, host).reduce((sum, each) => sum + each, 0);
    expect(of('google_business')).toBeCloseTo(2, 12);
    expect(of('relay')).toBeCloseTo(1, 12);
  });
});

describe('a row', () => {
  it('begins as the belief in its address does, without its own part in its domain and list', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const { host, features, purpose, part } = row.address;
        const { around, now } = row;
        const input = { host, features, purpose, acceptsAllOdds: 1, around, own: part, isOwnList: true, now };
        expect(firstOf(MODEL, row)).toEqual(firstState(MODEL, input));
      }),
    );
  });

  it('is as likely as all that was seen of it together', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        expect(logLikelihoodOf(MODEL, row)).toBeCloseTo(Math.log(likely(row, { at: -1 })), 9);
      }),
      { numRuns: 40 },
    );
  });

  it('leaves a provider one verdict of all: together they are certain', () => {
    const answers = VERDICTS.map((verdict) => [{ provider: 'hunter' as const, verdict, catch_all: null, at: NOW }]);
    const rows = answers.map((said) => counted(rowOf({ answers: said })));
    expect(rows.reduce((sum, row) => sum + Math.exp(logLikelihoodOf(MODEL, row)), 0)).toBeCloseTo(1, 9);
  });

  it('is at a domain that accepts everything as its answers have it, whatever was reported', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const unreported = { ...row, address: { ...row.address, reports: [] } };
        expect(acceptsAllShareOf(MODEL, row)).toBeCloseTo(share(unreported, { at: -1, kind: 1 }), 9);
      }),
      { numRuns: 40 },
    );
  });

  it('has four likelihoods: by kind of domain, and whether it bounced at first', () => {
    const tables = tablesAt(MODEL, 'google_business');
    const found = likelihoodsOf(filtered(tables, [], null));
    expect(found).toHaveLength(4);
    for (const likelihood of found) expect(likelihood).toBeCloseTo(1, 12);
  });
});

describe('a source', () => {
  const reported = (...classes: readonly DeliveryClass[]): FitRow[] =>
    classes.map((kind) => rowOf({ reports: [{ class: kind, at: NOW, source: OTHER }] }));
  const times = (count: number, kind: DeliveryClass): DeliveryClass[] => Array.from({ length: count }, () => kind);

  it.each<[string, boolean, DeliveryClass[]]>([
    ['counts from twenty reports of what became of mail', true, times(20, 'delivered')],
    ['does not count before', false, times(19, 'delivered')],
    ['gains nothing by reports that say neither', false, [...times(19, 'delivered'), 'full', 'soft']],
    ['loses nothing by them', true, [...times(14, 'delivered'), ...times(7, 'refused'), ...times(9, 'full')]],
    ['counts with two deliveries a refusal', true, [...times(14, 'delivered'), ...times(7, 'user_unknown')]],
    ['does not count with fewer', false, [...times(14, 'delivered'), ...times(8, 'user_unknown')]],
  ])('%s', (_, isCounted, classes) => {
    const rows = prepared(reported(...classes), NOW);
    expect(rows.map(({ address }) => address.reports.length)).toEqual(classes.map(() => (isCounted ? 1 : 0)));
    expect(rows.map(({ allReports }) => allReports.length)).toEqual(classes.map(() => 1));
  });
});
