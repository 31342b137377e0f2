import type { Purpose } from '../../src/contract/vocabulary.ts';
import type { DeliveryClass, Feature } from '../../src/domain/belief/facts.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { ANSWERS, drawPopulation, type HostTruth } from '../population/population.ts';
import { KINDS, type Kind, type KindName, VENDOR_IDS } from './kinds.ts';

/** A mailbox: lives, is full, is gone. Mail to it bounces for good in the last state alone. */
export const LIVES = 0;
export const FULL = 1;
export const GONE = 2;
export const STATES = 3;
/** Bounced or not, catch-all or not: the index of an array of two. */
export type Side = 0 | 1;

export const CLASSES = [
  'user_unknown',
  'refused',
  'full',
  'soft',
  'delivered',
  'complaint',
] as const satisfies readonly DeliveryClass[];

/** Churn in a world, per year. */
export interface Churn {
  readonly lost: number;
  readonly recovered: number;
  readonly redrawn: number;
  readonly fills: number;
  readonly emptied: number;
}

/** A kind of mailbox host as it is in a world. */
export interface Host {
  readonly host: HostClass;
  readonly share: number;
  readonly consumer: boolean;
  readonly acceptsAll: number;
  /** [catch-all or not]: the bounce rate of a stranger, and the level that gives it on average over lists and domains. */
  readonly strangers: readonly [number, number];
  readonly base: readonly [number, number];
  readonly churn: readonly [Churn, Churn];
  /** [catch-all or not][bounces or not]: shares of the server's answers. */
  readonly answers: readonly (readonly [Float64Array, Float64Array])[];
  /** [vendor][answer][verdict]. */
  readonly verdicts: readonly (readonly (readonly number[])[])[];
  readonly deadShare: number;
}

/** The levels of lists and domains that a world draws from, and their shares. The last level of a domain is the dead one. */
export interface Grid {
  readonly lists: Float64Array;
  readonly listShares: Float64Array;
  readonly domains: Float64Array;
  readonly domainShares: Float64Array;
}

export interface WorldList {
  readonly index: number;
  readonly purpose: Purpose;
  /** A file is read at once on this day; null means single calls, all the time. */
  readonly day: number | null;
  readonly share: number;
  /** Its place in the grid, and its level. */
  readonly at: number;
  readonly level: number;
}

export interface World {
  readonly name: KindName;
  readonly kind: Kind;
  readonly seed: number;
  readonly hosts: readonly Host[];
  readonly grids: { readonly business: Grid; readonly consumer: Grid };
  readonly lists: readonly WorldList[];
  readonly purposes: Readonly<Record<Purpose, number>>;
  readonly features: readonly { readonly feature: Feature; readonly share: number; readonly weight: number }[];
  /** [state][class]. */
  readonly reports: readonly (readonly number[])[];
  /** [bounces or not][class]: of signups that were mailed. */
  readonly proofs: readonly (readonly number[])[];
}

export const DEAD_RATE = 0.95;

/** The model's figures, written out here again: a world must not share code with what it judges. */
const LOST = { strict: 0.24, catchAll: 0.12, consumer: 0.033 };
const RECOVERED = 0.03;
const REDRAWN = 2;
/** A full mailbox is emptied within a month; .7 % of living ones are full at any time. */
const EMPTIED = 12;
const FILLS = 0.085;
const PURPOSES: Readonly<Record<Purpose, number>> = { signup: -0.8, outbound: -0.4, list_hygiene: 0.55 };
const FEATURES: readonly (readonly [feature: Feature, share: number, weight: number])[] = [
  ['typo_domain', 0.005, 3],
  ['impossible', 0.003, 5.2],
  ['gibberish', 0.01, 1.3],
  ['placeholder', 0.005, 2],
  ['parked_mail_hosts', 0.004, 2.5],
  ['address_record_only', 0.006, 1.5],
  ['role', 0.05, 0.3],
  ['digits', 0.12, 0.2],
  ['name_match', 0.3, -0.6],
];
/** By state; `full` at a living mailbox is a moment's, at a gone one an abandoned one's. */
const REPORTS: readonly (readonly number[])[] = [
  [0.004, 0.008, 0.001, 0.016, 0.961, 0.01],
  [0.005, 0.01, 0.8, 0.1, 0.08, 0.005],
  [0.77, 0.1, 0.04, 0.03, 0.01, 0.0005],
];
const PROOFS: readonly (readonly number[])[] = [
  [0.6, 0.06],
  [0.004, 0.01],
];
const LISTS: readonly Pick<WorldList, 'purpose' | 'day' | 'share'>[] = [
  { purpose: 'signup', day: null, share: 0.35 },
  { purpose: 'outbound', day: null, share: 0.15 },
  { purpose: 'outbound', day: 20, share: 0.2 },
  { purpose: 'list_hygiene', day: 60, share: 0.2 },
  { purpose: 'outbound', day: 110, share: 0.1 },
];

const ONE_FILE: typeof LISTS = [{ purpose: 'list_hygiene', day: 1, share: 1 }];

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const logit = (p: number): number => Math.log(p / (1 - p));
const movedBy = (p: number, shift: number): number => sigmoid(logit(p) + shift);

function normalGrid(spread: number, steps: number, end: number): { levels: Float64Array; shares: Float64Array } {
  const at = Array.from({ length: steps }, (_, place) => -end + (2 * end * place) / (steps - 1));
  const weights = at.map((z) => Math.exp((-z * z) / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { levels: Float64Array.from(at, (z) => z * spread), shares: Float64Array.from(weights, (w) => w / total) };
}

function gridOf(listSpread: number, domainSpread: number): Grid {
  const [lists, domains] = [normalGrid(listSpread, 13, 3), normalGrid(domainSpread, 9, 2.6)];
  return { lists: lists.levels, listShares: lists.shares, domains: domains.levels, domainShares: domains.shares };
}

/** The mean over lists and domains of the chance that a first state bounces. */
function meanAt(base: number, { lists, listShares, domains, domainShares }: Grid, dead: number): number {
  let mean = 0;
  for (let g = 0; g < lists.length; g += 1)
    for (let k = 0; k < domains.length; k += 1)
      mean += (listShares[g] ?? 0) * (domainShares[k] ?? 0) * sigmoid(base + (lists[g] ?? 0) + (domains[k] ?? 0));
  return (1 - dead) * mean + dead * DEAD_RATE;
}

/** The level at which that mean is `rate`. */
function baseFor(rate: number, grid: Grid, dead: number): number {
  let [low, high] = [-14, 8];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    if (meanAt(middle, grid, dead) < rate) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Shares of the server's answers among addresses that bounce, or land, on one side. */
function answersOn(truth: HostTruth, acceptsAll: boolean, bounces: boolean): { shares: Float64Array; mass: number } {
  const shares = new Float64Array(ANSWERS.length);
  let mass = 0;
  for (const cell of truth.cells) {
    if (cell.acceptsAll !== acceptsAll) continue;
    const weight = cell.share * (bounces ? cell.bounceRate : 1 - cell.bounceRate);
    const at = ANSWERS.indexOf(cell.answer);
    shares[at] = (shares[at] ?? 0) + weight;
    mass += weight;
  }
  return { shares: shares.map((share) => share / mass), mass };
}

type Pair<T> = readonly [T, T];
const both = <T>(make: (side: Side) => T): Pair<T> => [make(0), make(1)];

/** How often a vendor that errs at a host gives the wrong verdict on an accepting and a refusing server. */
const ERRING = { refused: 0.15, accepted: 0.25 } as const;
const [DELIVERABLE, UNDELIVERABLE] = [VERDICTS.indexOf('deliverable'), VERDICTS.indexOf('undeliverable')];

function erring(rows: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const towards = (row: readonly number[], verdict: number, by: number): number[] =>
    row.map((share, at) => (1 - by) * share + (at === verdict ? by : 0));
  return rows.map((row, answer) =>
    ANSWERS[answer] === 'accepts'
      ? towards(row, UNDELIVERABLE, ERRING.refused)
      : ANSWERS[answer] === 'refuses'
        ? towards(row, DELIVERABLE, ERRING.accepted)
        : row,
  );
}

function hostIn(kind: Kind, truth: HostTruth, grid: Grid, churnOf: (lost: number) => Churn, draws: SeededRandom): Host {
  const consumer = truth.host.endsWith('_consumer');
  const sides = both((c) => both((y) => answersOn(truth, c === 1, y === 1)));
  const masses = both((c) => sides[c][0].mass + sides[c][1].mass);
  const strangers = both((c) => {
    const rate = kind.strangers ?? sides[c][1].mass / masses[c];
    return c === 1 && kind.catchAllBounces !== null ? kind.catchAllBounces : rate;
  });
  const deadShare = consumer ? 0 : Math.min(kind.dead, (0.3 * Math.min(...strangers)) / DEAD_RATE);
  return {
    host: truth.host,
    share: truth.share,
    consumer,
    acceptsAll: masses[1] / (masses[0] + masses[1]),
    strangers,
    base: both((c) => baseFor(strangers[c], grid, deadShare)),
    churn: both((c) => churnOf(consumer ? LOST.consumer : c === 1 ? LOST.catchAll : LOST.strict)),
    answers: both((c) => both((y) => sides[c][y].shares)),
    verdicts: VENDOR_IDS.map((id) => {
      const rows = ANSWERS.map((answer) => truth.verdicts[id][answer]);
      return draws.uniform() < kind.errsByHost ? erring(rows) : rows;
    }),
    deadShare,
  };
}

/** A row of shares, each but the largest with its log-odds moved. */
function drawnRow(row: readonly number[], kind: Kind, draws: SeededRandom): number[] {
  const by = kind.origin;
  const largest = Math.max(...row);
  const weights = row.map((share) => (share === largest ? share : share * Math.exp(draws.between(-by, by))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The world of this kind and seed: all its parameters. What happens in it follows from them. */
export function drawWorld(name: KindName, seed: number): World {
  const kind: Kind = KINDS[name].kind;
  const draws = seededRandom(seedOf(seed, 21));
  const population = drawPopulation(MODEL, kind.origin, seed);
  const shift = (): number => draws.between(-kind.origin, kind.origin);
  const factor = Math.exp(shift());
  const [recovered, redrawn] = [RECOVERED * Math.exp(shift()), REDRAWN * Math.exp(shift())];
  const churnOf = (lost: number): Churn => ({
    lost: lost * factor * Math.exp(shift() / 2),
    recovered,
    redrawn,
    fills: FILLS,
    emptied: EMPTIED,
  });
  const grids = {
    business: gridOf(kind.listSpread, kind.domainSpread),
    consumer: gridOf(kind.listSpread, (kind.domainSpread * 3) / 8),
  };
  const lists = (kind.file === null ? LISTS : ONE_FILE).map((list, index): WorldList => {
    const grid = grids.business;
    const at = draws.index([...grid.listShares]);
    return { ...list, index, at, level: grid.lists[at] ?? 0 };
  });
  const errors = seededRandom(seedOf(seed, 29));
  return {
    name,
    kind,
    seed,
    hosts: population.hosts.map((truth) =>
      hostIn(kind, truth, truth.host.endsWith('_consumer') ? grids.consumer : grids.business, churnOf, errors),
    ),
    grids,
    lists,
    purposes: {
      signup: PURPOSES.signup + shift() / 2,
      outbound: PURPOSES.outbound + shift() / 2,
      // A file's share of dead rows is given.
      list_hygiene: kind.file === null ? PURPOSES.list_hygiene + shift() / 2 : 0,
    },
    features: FEATURES.map(([feature, share, weight]) => ({ feature, share, weight: weight + shift() })),
    reports: REPORTS.map((row) => drawnRow(row, kind, draws)),
    proofs: PROOFS.map((row) => row.map((share) => movedBy(share, shift()))),
  };
}

export const UNKNOWN_VERDICT = VERDICTS.indexOf('unknown');
