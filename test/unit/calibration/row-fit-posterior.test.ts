import { describe, expect, it } from 'vitest';
import { logLikelihoodOf, type PreparedRow } from '../../../src/domain/calibration/row-counts.ts';
import { fitRows } from '../../../src/domain/calibration/row-fit.ts';
import type { Cell } from '../../../src/domain/verification/belief.ts';
import type { DeliveryClass, Feature } from '../../../src/domain/verification/history.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import type { ProviderVerdict } from '../../../src/domain/verification/provider.ts';
import { hashOf } from '../../support/histories.ts';
import { START_MS as NOW } from '../../support/records.ts';

const HOSTS = ['google_business', 'microsoft_business'] as const satisfies readonly HostClass[];

/** What was seen of an address at once, and of how many there were at each host. */
interface Seen {
  readonly verdict: ProviderVerdict;
  readonly report: DeliveryClass;
  readonly features?: readonly Feature[];
  readonly count: readonly [number, number];
}
/** A list that is deader than the table: more so at one host, where roles are deader still. So few that the prior tells, too. */
const SEEN: readonly Seen[] = [
  { verdict: 'deliverable', report: 'delivered', count: [60, 30] },
  { verdict: 'undeliverable', report: 'user_unknown', count: [14, 4] },
  { verdict: 'undeliverable', report: 'full', count: [2, 1] },
  { verdict: 'undeliverable', report: 'user_unknown', features: ['role'], count: [4, 1] },
  { verdict: 'deliverable', report: 'delivered', features: ['role'], count: [4, 2] },
  { verdict: 'undeliverable', report: 'delivered', count: [2, 1] },
  { verdict: 'catch_all', report: 'delivered', count: [12, 8] },
  { verdict: 'catch_all', report: 'user_unknown', count: [6, 3] },
];

const rowOf = (host: HostClass, { verdict, report, features = [] }: Seen): PreparedRow => {
  const reports = [{ class: report, at: NOW, source: '0000' }];
  return {
    fold: 0,
    address: {
      firstSeenAt: NOW,
      host,
      features,
      purpose: 'outbound',
      domain: hashOf('a domain'),
      list: null,
      answers: (['zerobounce', 'bouncer'] as const).map((provider) => ({
        provider,
        verdict,
        catch_all: null,
        at: NOW,
      })),
      reports,
      proofs: [],
      part: null,
    },
    around: { domain: null, list: null },
    now: NOW,
    allReports: reports,
    domain: null,
    list: null,
  };
};
const KINDS_OF_ROW = HOSTS.flatMap((host, at) =>
  SEEN.map((seen) => ({ row: rowOf(host, seen), count: seen.count[at] ?? 0 })),
);
const ROWS = KINDS_OF_ROW.flatMap(({ row, count }) => Array.from({ length: count }, () => row));

/** Purposes say nothing, so that a stranger bounces as the cells say. */
const TABLE: Model = {
  ...SEEDED_MODEL,
  history: { ...SEEDED_MODEL.history, purposes: { signup: 0, outbound: 0, list_hygiene: 0 } },
};
const FITTED = fitRows(TABLE, ROWS, 1);

const logit = (rate: number): number => Math.log(rate / (1 - rate));
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const mean = (values: readonly number[]): number => sumOf(values) / values.length;

/** The masses of a host's cells of one kind: of mail that bounces, and that lands. */
const massesOf = (model: Model, host: HostClass, acceptsAll: boolean): [bounces: number, lands: number][] =>
  model.prior[host]
    .filter((cell) => cell.acceptsAll === acceptsAll)
    .map(({ alpha, bounced, landed }) => [
      (alpha * bounced) / (bounced + landed),
      (alpha * landed) / (bounced + landed),
    ]);
const rateOf = (model: Model, host: HostClass, acceptsAll: boolean): number => {
  const masses = massesOf(model, host, acceptsAll);
  const [bounces, lands] = [sumOf(masses.map(([each]) => each)), sumOf(masses.map(([, each]) => each))];
  return bounces / (bounces + lands);
};
/** A model in which the masses of some cells are others. Their whole stays what it was. */
function withMasses(
  model: Model,
  host: HostClass,
  acceptsAll: boolean,
  of: (masses: [bounces: number, lands: number], cell: Cell) => [bounces: number, lands: number],
): Model {
  const cells = model.prior[host].map((cell) => {
    const { alpha, bounced, landed } = cell;
    if (cell.acceptsAll !== acceptsAll) return cell;
    const [bounces, lands] = of([(alpha * bounced) / (bounced + landed), (alpha * landed) / (bounced + landed)], cell);
    return { ...cell, alpha: bounces + lands, bounced: bounces, landed: lands };
  });
  const prior = { ...model.prior, [host]: cells };
  return { ...model, prior, centre: prior };
}

/** A figure of the model: the model in which it is moved by so much, and the slope of its prior where the fit has put it. */
interface Figure {
  readonly moved: (model: Model, by: number) => Model;
  readonly pull: () => number;
}

/** How far the stranger's bounce rate has moved, in log-odds. */
const levelOf = (host: HostClass, acceptsAll: boolean): number =>
  logit(rateOf(FITTED, host, acceptsAll)) - logit(rateOf(TABLE, host, acceptsAll));

/** Of the account over both hosts: where Student's t with three degrees of freedom pulls as strongly as the hosts' own levels. */
function accountOf(acceptsAll: boolean): number {
  const levels = HOSTS.map((host) => levelOf(host, acceptsAll));
  let [low, high] = [-5, 5];
  for (let left = 60; left > 0; left -= 1) {
    const at = (low + high) / 2;
    const pulled = sumOf(levels.map((level) => (level - at) / LEVEL ** 2));
    if (pulled > (4 * at) / (3 + at ** 2)) low = at;
    else high = at;
  }
  return low;
}
const [LEVEL, FEATURE, REPORT, ANSWER] = [0.3, 0.5, 0.5, 0.5];

const bounceLevel = (host: HostClass, acceptsAll: boolean): Figure => ({
  moved: (model, by) => {
    const rate = rateOf(model, host, acceptsAll);
    const after = 1 / (1 + Math.exp(-logit(rate) - by));
    return withMasses(model, host, acceptsAll, ([bounces, lands]) => [
      (bounces * after) / rate,
      (lands * (1 - after)) / (1 - rate),
    ]);
  },
  pull: () => (accountOf(acceptsAll) - levelOf(host, acceptsAll)) / LEVEL ** 2,
});

const featureWeight = (feature: Feature): Figure => ({
  moved: (model, by) => {
    const { history } = model;
    const features = { ...history.features, [feature]: history.features[feature] + by };
    return { ...model, history: { ...history, features } };
  },
  pull: () => (TABLE.history.features[feature] - FITTED.history.features[feature]) / FEATURE ** 2,
});

/** Shares move by a factor each, and lie around the table's by factors that are 1 on average. */
const pullOf = (before: readonly number[], after: readonly number[], at: number, spread: number): number => {
  const factors = after.map((share, place) => Math.log(share / (before[place] ?? 0)));
  return (mean(factors) - (factors[at] ?? 0)) / spread ** 2;
};

const reportShare = (of: 'lands' | 'bounces', name: DeliveryClass): Figure => {
  const names = Object.keys(TABLE.history.reports) as DeliveryClass[];
  const ratesOf = ({ history }: Model): number[] => names.map((each) => history.reports[each][of]);
  const total = sumOf(ratesOf(TABLE));
  return {
    moved: (model, by) => {
      const rates = ratesOf(model).map((rate, at) => (names[at] === name ? rate * Math.exp(by) : rate));
      const sum = sumOf(rates);
      const reports = names.map((each, at) => [
        each,
        { ...model.history.reports[each], [of]: ((rates[at] ?? 0) * total) / sum },
      ]);
      return { ...model, history: { ...model.history, reports: Object.fromEntries(reports) } };
    },
    pull: () => pullOf(ratesOf(TABLE), ratesOf(FITTED), names.indexOf(name), REPORT),
  };
};

/** What servers that tell mailboxes apart answer where mail bounces. */
const refusals = (host: HostClass): Figure => {
  const at = TABLE.prior[host].findIndex(({ answer }) => answer === 'refuses');
  const massesIn = (model: Model): number[] => massesOf(model, host, false).map(([bounces]) => bounces);
  return {
    moved: (model, by) => {
      const before = massesIn(model);
      const total = sumOf(before);
      const grown = total + (before[at] ?? 0) * (Math.exp(by) - 1);
      return withMasses(model, host, false, ([bounces, lands], { answer }) => [
        (bounces * (answer === 'refuses' ? Math.exp(by) : 1) * total) / grown,
        lands,
      ]);
    },
    pull: () => pullOf(massesIn(TABLE), massesIn(FITTED), at, ANSWER),
  };
};

const logLikelihood = (model: Model): number =>
  sumOf(KINDS_OF_ROW.map(({ row, count }) => count * logLikelihoodOf(model, row)));
const STEP = 1e-4;
/** Numerically, of the log-likelihood of all rows. */
const slopeAt = (model: Model, { moved }: Figure): number =>
  (logLikelihood(moved(model, STEP)) - logLikelihood(moved(model, -STEP))) / (2 * STEP);

/** What is left of the posterior's slope at the table, where the fit ends. */
function slopeLeftIn(figure: Figure): number {
  const after = slopeAt(FITTED, figure) + figure.pull();
  return Math.abs(after / slopeAt(TABLE, figure));
}

describe('the posterior has no slope left, where the fit ends, in', () => {
  it.each<[what: string, Figure]>([
    ...HOSTS.flatMap((host): [string, Figure][] => [
      [`how often strangers bounce at ${host}, where mailboxes are told apart`, bounceLevel(host, false)],
      [`how often strangers bounce at ${host}, where everything is accepted`, bounceLevel(host, true)],
      [`how often ${host} refuses an address that bounces`, refusals(host)],
    ]),
    ['how often a full mailbox is reported of mail that bounces', reportShare('bounces', 'full')],
    ['how often an unknown user is reported of mail that bounces', reportShare('bounces', 'user_unknown')],
  ])('%s', (_, figure) => {
    expect(slopeLeftIn(figure)).toBeLessThan(0.01);
  });

  // The fit reads a feature as if it moved a stranger’s odds. It moves those at each level, and none of a domain that is given up.
  it('what a feature says, nearly', () => {
    expect(slopeLeftIn(featureWeight('role'))).toBeLessThan(0.2);
  });
});

describe('a fit finds how often strangers bounce', () => {
  /** At one host so many of a hundred are dead, at the other fewer. */
  const rowsWhere = (dead: number): PreparedRow[] =>
    HOSTS.flatMap((host, at) => {
      const died = Math.round(at === 0 ? dead : 0.7 * dead);
      const [refused, delivered] = [
        rowOf(host, { verdict: 'undeliverable', report: 'user_unknown', count: [1, 1] }),
        rowOf(host, { verdict: 'deliverable', report: 'delivered', count: [1, 1] }),
      ];
      return Array.from({ length: 200 }, (_, row) => (row % 100 < died ? refused : delivered));
    });
  it.each([2, 10, 30, 50, 70, 80, 90])('where %d of a hundred are dead', (dead) => {
    const rate = rateOf(fitRows(TABLE, rowsWhere(dead), 1), HOSTS[0], false);
    expect(Math.abs(rate - dead / 100)).toBeLessThan(0.1);
  });
});
