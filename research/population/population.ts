import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { type Model, rowsAt } from '../../src/domain/belief/model.ts';
import type { ServerAnswer } from '../../src/domain/belief/prior-table.ts';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import type { AnswerRows, VerdictCounts } from '../../src/domain/belief/provider-table.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { VENDORS, type Vendor } from './vendors.ts';

export const ANSWERS: readonly ServerAnswer[] = ['accepts', 'refuses', 'accepts_all', 'inconclusive'];

/** A cell of the belief as it is in a population: its share of a host's addresses, and how often mail to it hard-bounces. */
export interface CellTruth {
  readonly acceptsAll: boolean;
  readonly answer: ServerAnswer;
  readonly share: number;
  readonly bounceRate: number;
}

/** Each verdict's probability under each answer of the server, in the order of `VERDICTS`. */
export type VerdictShares = Readonly<Record<ServerAnswer, readonly number[]>>;

export interface HostTruth {
  readonly host: HostClass;
  /** Share of the account's addresses. */
  readonly share: number;
  readonly cells: readonly CellTruth[];
  readonly verdicts: Readonly<Record<ProviderId, VerdictShares>>;
}

/**
 * Vendors that ask through one engine: for `overlap` of the addresses they report one and the same probe (where their own
 * shares differ, as far as these allow), for the rest each its own. For an engine of one vendor it changes nothing.
 */
export interface Engine {
  readonly members: readonly ProviderId[];
  readonly overlap: number;
}

/** All parameters of a population. What happens in it follows from them and the seed. */
export interface Population {
  readonly seed: number;
  readonly hosts: readonly HostTruth[];
  readonly engines: readonly Engine[];
  readonly vendors: readonly Vendor[];
}

/**
 * Where a population's parameters are taken from. A number: each is the table's, its log-odds moved by up to that much either way;
 * the refused share moves by one amount at all hosts (the account's list is better or worse), every other by its own (so
 * skill differs by host). `counts`: drawn from the table's own pseudo-counts, and no vendors share an engine.
 */
export type Origin = number | 'counts';

/** The parameters that the targets are set for. */
export const NEAR: Origin = 0.5;

/** Judgement: an account's addresses by kind of mailbox. */
export const BUSINESS_SHARES: readonly (readonly [HostClass, number])[] = [
  ['google_business', 0.38],
  ['microsoft_business', 0.38],
  ['unknown_business', 0.14],
  ['proofpoint_business', 0.05],
  ['mimecast_business', 0.03],
  ['barracuda_business', 0.02],
];
export const CONSUMER_SHARES: readonly (readonly [HostClass, number])[] = [
  ['google_consumer', 0.5],
  ['microsoft_consumer', 0.18],
  ['yahoo_consumer', 0.15],
  ['apple_consumer', 0.07],
  ['unknown_consumer', 0.1],
];

const moved = (probability: number, shift: number): number => {
  const odds = (probability / (1 - probability)) * Math.exp(shift);
  return odds / (1 + odds);
};

/** Moves every share against the largest one. */
function movedShares(counts: VerdictCounts, by: number, draws: SeededRandom): number[] {
  const largest = Math.max(...counts);
  const weights = counts.map((count) => (count === largest ? count : count * Math.exp(draws.between(-by, by))));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function drawVerdicts(rows: AnswerRows, origin: Origin, draws: SeededRandom): VerdictShares {
  const shares = (counts: VerdictCounts): readonly number[] =>
    origin === 'counts' ? draws.dirichlet(counts) : movedShares(counts, origin, draws);
  return {
    accepts: shares(rows.accepts),
    refuses: shares(rows.refuses),
    accepts_all: shares(rows.accepts_all),
    inconclusive: shares(rows.inconclusive),
  };
}

function drawCells(
  model: Model,
  host: HostClass,
  origin: Origin,
  listQuality: number,
  draws: SeededRandom,
): CellTruth[] {
  const prior = model.prior[host];
  const total = prior.reduce((sum, { alpha }) => sum + alpha, 0);
  const rate = ({ bounced, landed }: (typeof prior)[number]): number => bounced / (bounced + landed);
  if (origin === 'counts') {
    const shares = draws.dirichlet(prior.map(({ alpha }) => alpha));
    return prior.map(({ acceptsAll, answer, bounced, landed }, at) => ({
      acceptsAll,
      answer,
      share: shares[at] ?? 0,
      bounceRate: draws.beta(bounced, landed),
    }));
  }
  const shift = (): number => draws.between(-origin, origin);
  const alphaOf = (acceptsAll: boolean, answer?: ServerAnswer): number =>
    prior
      .filter((cell) => cell.acceptsAll === acceptsAll && (answer === undefined || cell.answer === answer))
      .reduce((sum, { alpha }) => sum + alpha, 0);
  const catchAll = moved(alphaOf(true) / total, shift());
  const refused = moved(alphaOf(false, 'refuses') / alphaOf(false), origin * listQuality);
  const silent = moved(alphaOf(false, 'inconclusive') / alphaOf(false), shift());
  const silentCatchAll = moved(alphaOf(true, 'inconclusive') / alphaOf(true), shift());
  const shareOf = ({ acceptsAll, answer }: (typeof prior)[number]): number => {
    if (acceptsAll) return catchAll * (answer === 'inconclusive' ? silentCatchAll : 1 - silentCatchAll);
    const strict = { accepts: 1 - refused - silent, refuses: refused, inconclusive: silent, accepts_all: 0 };
    return (1 - catchAll) * strict[answer];
  };
  return prior.map((cell) => ({
    acceptsAll: cell.acceptsAll,
    answer: cell.answer,
    share: shareOf(cell),
    bounceRate: moved(rate(cell), shift()),
  }));
}

/** How much vendors on one engine share. Judgement: "the same engine" is claimed often and never measured. */
const OVERLAP = [0.2, 0.9] as const;

/** One or two engines behind two or three vendors each; Reacher is the account's own. */
function drawEngines(draws: SeededRandom): Engine[] {
  const order = PROVIDER_IDS.filter((id) => id !== 'reacher')
    .map((id) => ({ id, at: draws.uniform() }))
    .sort((one, other) => one.at - other.at)
    .map(({ id }) => id);
  const first = draws.uniform() < 0.5 ? 2 : 3;
  const second = first + (draws.uniform() < 0.5 ? 2 : 0);
  const shared = [order.slice(0, first), order.slice(first, second)].filter((members) => members.length > 0);
  const alone = [...order.slice(second), 'reacher' as const];
  return [
    ...shared.map((members) => ({ members, overlap: draws.between(...OVERLAP) })),
    ...alone.map((id) => ({ members: [id], overlap: 0 })),
  ];
}

const ALONE: readonly Engine[] = PROVIDER_IDS.map((id) => ({ members: [id], overlap: 0 }));

/** The population of this seed, its parameters taken from the model. */
export function drawPopulation(model: Model, origin: Origin, seed: number): Population {
  const draws = seededRandom(seedOf(seed, 1));
  const listQuality = draws.between(-1, 1);
  const business = draws.between(0.2, 0.8);
  const hosts = [...BUSINESS_SHARES, ...CONSUMER_SHARES].map(([host, share]) => ({
    host,
    share: share * (host.endsWith('_business') ? business : 1 - business),
    cells: drawCells(model, host, origin, listQuality, draws),
    verdicts: Object.fromEntries(
      PROVIDER_IDS.map((id) => [id, drawVerdicts(rowsAt(model, id, host), origin, draws)]),
    ) as HostTruth['verdicts'],
  }));
  return { seed, hosts, engines: origin === 'counts' ? ALONE : drawEngines(draws), vendors: VENDORS };
}
