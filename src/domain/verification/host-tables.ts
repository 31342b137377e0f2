import type { Purpose } from '../../contract/vocabulary.ts';
import { zeros } from '../../kernel/vector.ts';
import type { HostPrior, ServerAnswer } from './belief.ts';
import { DOMAIN_LEVELS, LIST_LEVELS } from './history.ts';
import type { HistoryTable } from './history-table.ts';
import type { HostClass } from './host-class.ts';
import type { Model } from './model.ts';
import type { PriorTable } from './prior-table.ts';

/** The server's answers in the order of every array here. */
export const ANSWERS = ['accepts', 'refuses', 'accepts_all', 'inconclusive'] as const satisfies readonly ServerAnswer[];
export const ANSWER_COUNT = ANSWERS.length;

/** A domain's levels by whether it accepts everything: seven of its own, and that it is given up. */
export const DOMAIN_STEPS = DOMAIN_LEVELS / 2;
/** The level of a domain that is given up: list, purpose and features do not move it. */
export const DEAD = DOMAIN_STEPS - 1;
const DOMAIN_REACH = 2.1;
const LIST_REACH = 2.5;

/** The part of a host's row that concerns domains which accept everything (1), or don't (0). */
export interface DomainKind {
  /** Its share of the host's addresses. */
  readonly share: number;
  /** P(bounces) of a stranger. */
  readonly bounceRate: number;
  /** P(the answer that providers see | lands), then P(… | bounces). */
  readonly answers: readonly [lands: readonly number[], bounces: readonly number[]];
  /** P(it is the server's own for this mailbox | lands), then P(… | bounces): the rest are mistakes that all share. */
  readonly own: readonly [lands: readonly number[], bounces: readonly number[]];
  /** P(bounces | the server's answer), and the pseudo-observations of it. */
  readonly cellRates: readonly number[];
  readonly cellVariance: readonly number[];
  /** Mailboxes that begin to bounce in a year, as a rate. */
  readonly churn: number;
  /** P(domain level). */
  readonly levelShares: readonly number[];
  /** Log-odds of a bounce by domain level, then list level, and the odds themselves. */
  readonly logOdds: readonly number[];
  readonly odds: readonly number[];
}

/** A host's row of a model as plain numbers. */
export interface HostTables {
  readonly kinds: readonly [strict: DomainKind, acceptsAll: DomainKind];
  /** P(list level), by purpose; null: of all purposes. */
  readonly listShares: ReadonlyMap<Purpose | null, number[]>;
  readonly recovery: number;
  readonly redraw: number;
}

/** Each figure is wrong by a factor at most: uncapped, rare cells would make every interval too wide. */
export const VARIANCE_MAX = 0.25;

/** Equal steps from -reach to reach. */
const steps = (count: number, reach: number): number[] =>
  Array.from({ length: count }, (_, at) => -reach + (2 * reach * at) / (count - 1));

function normalShares(levels: readonly number[], mean = 0): number[] {
  const weights = levels.map((level) => Math.exp(-((level - mean) ** 2) / 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

const DOMAIN_GRID = steps(DEAD, DOMAIN_REACH);
const DOMAIN_SHARES = normalShares(DOMAIN_GRID);
const LIST_GRID = steps(LIST_LEVELS, LIST_REACH);
const LIST_SHARES = normalShares(LIST_GRID);

/** The mean of the account's lists, in standard deviations. */
const listMeanOf = ({ listLevel, listSpread }: HistoryTable): number => listLevel / listSpread;

/** The outermost level stands for all beyond it: where the account's lists or catch-alls lie further out, it lies there too. */
const gridAround = (grid: readonly number[], reach: number, mean: number): readonly number[] =>
  grid.map((level) => (Math.abs(level) < reach ? level : Math.sign(level) * Math.max(reach, Math.sign(level) * mean)));
const listGridAround = (mean: number): readonly number[] => gridAround(LIST_GRID, LIST_REACH, mean);

/** P(list level) where the account's lists lie around a mean, in standard deviations. */
export const listSharesAround = (mean: number): number[] => normalShares(listGridAround(mean), mean);

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/** Relays, disposables and consumer hosts: their domains belong to many people, so no domain is given up. */
export const isShared = (host: HostClass): boolean =>
  host === 'relay' || host === 'disposable' || host.endsWith('_consumer');

const bounceRateOf = (cells: HostPrior): number => {
  let [bounces, total] = [0, 0];
  for (const { alpha, bounced, landed } of cells) {
    bounces += (alpha * bounced) / (bounced + landed);
    total += alpha;
  }
  return bounces / total;
};

/** Halvings until the interval is below a double's precision at these sizes. */
const HALVINGS = 50;
const LOG_ODDS_MAX = 30;

/**
 * The value, up to `reach` either way, at which the mean over all levels is the rate. The table's rates are those of a stranger:
 * uncentred, unknown addresses would bounce more often by the spread of the levels alone.
 */
function centred(rate: number, meanAt: (value: number) => number, reach = LOG_ODDS_MAX): number {
  let [low, high] = [-reach, reach];
  for (let left = HALVINGS; left > 0; left -= 1) {
    const middle = (low + high) / 2;
    if (meanAt(middle) < rate) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Domains that are given up make at most this part of a stranger's bounces. */
const DEAD_PART_MAX = 0.3;

function kindOf(model: Model, host: HostClass, acceptsAll: boolean): DomainKind {
  const { history } = model;
  const cells = model.prior[host].filter((cell) => cell.acceptsAll === acceptsAll);
  const bounceRate = bounceRateOf(model.centre[host].filter((cell) => cell.acceptsAll === acceptsAll));
  const total = model.prior[host].reduce((sum, { alpha }) => sum + alpha, 0);
  const shared = isShared(host);
  const { dead, listSpread, listLevel } = history;
  const own = acceptsAll && !shared ? history.acceptsAllLevel : 0;
  const deadShareAt = (rate: number): number =>
    shared ? 0 : Math.min(dead.share, (DEAD_PART_MAX * rate) / dead.bounces);
  const deadShare = deadShareAt(bounceRate);
  // Strangers of an account far cleaner than the table are not kept at the share of the table's domains that are given up.
  const ownDeadShare = deadShareAt(sigmoid(Math.log(bounceRate / (1 - bounceRate)) + Math.min(0, listLevel + own)));
  const domainSpread = shared ? history.sharedSpread : history.domainSpread;
  const movesOver = (domains: readonly number[], lists: readonly number[]): number[] =>
    domains.flatMap((domain) => lists.map((list) => domainSpread * domain + listSpread * list));
  const moves = movesOver(DOMAIN_GRID, LIST_GRID);
  const weights = [...DOMAIN_SHARES].flatMap((domain) => [...LIST_SHARES].map((list) => domain * list));
  const base = centred(
    bounceRate,
    (logOdds) =>
      deadShare * dead.bounces +
      (1 - deadShare) * moves.reduce((sum, move, at) => sum + (weights[at] ?? 0) * sigmoid(logOdds + move), 0),
  );
  const given = Math.log(dead.bounces / (1 - dead.bounces));
  // Inner levels stay what a domain's own levels were learnt as.
  const domains = gridAround(DOMAIN_GRID, DOMAIN_REACH, own / domainSpread);
  const logOdds = [
    ...movesOver(domains, listGridAround(listMeanOf(history))).map((move) => base + move),
    ...LIST_GRID.map(() => given),
  ];
  const [lands, bounces] = [zeros(ANSWER_COUNT), zeros(ANSWER_COUNT)];
  const variance = zeros(ANSWER_COUNT).fill(VARIANCE_MAX);
  for (const { answer, alpha, bounced, landed } of cells) {
    const at = ANSWERS.indexOf(answer);
    const rate = bounced / (bounced + landed);
    bounces[at] = alpha * rate;
    lands[at] = alpha * (1 - rate);
    variance[at] = Math.min(VARIANCE_MAX, 1 / bounced + 1 / landed);
  }
  const seen = [mistakable(lands, history.mistaken), mistakable(bounces, history.mistaken)] as const;
  const rates = seen[1].masses.map((mass, at) => mass / (mass + (seen[0].masses[at] ?? 0)) || 0);
  const churn = shared ? history.churn.consumer : acceptsAll ? history.churn.acceptsAll : history.churn.strict;
  return {
    share: cells.reduce((sum, { alpha }) => sum + alpha, 0) / total,
    bounceRate,
    answers: [normalised(seen[0].masses), normalised(seen[1].masses)],
    own: [seen[0].own, seen[1].own],
    cellRates: rates,
    cellVariance: variance,
    churn,
    levelShares: [
      ...normalShares(domains, own / domainSpread).map((share) => share * (1 - ownDeadShare)),
      ownDeadShare,
    ],
    logOdds,
    odds: logOdds.map(Math.exp),
  };
}

/** What all providers may take the answer for: any but `inconclusive`, which is no mistake to see. */
const MISTAKES = ANSWERS.map((answer) => answer !== 'inconclusive');
const MISTAKE_COUNT = MISTAKES.filter(Boolean).length;

/** The masses of the server's answers with this share of them mistaken, whatever the mailbox does; and P(own | answer). */
function mistakable(
  masses: readonly number[],
  share: number,
): { readonly masses: readonly number[]; readonly own: readonly number[] } {
  const mistaken = (share * masses.reduce((sum, mass) => sum + mass, 0)) / MISTAKE_COUNT;
  const seen = masses.map((mass, at) => (1 - share) * mass + (MISTAKES[at] ? mistaken : 0));
  return { masses: seen, own: seen.map((mass, at) => (mass === 0 ? 1 : ((1 - share) * (masses[at] ?? 0)) / mass)) };
}

function normalised(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

const PURPOSES: readonly (Purpose | null)[] = [null, 'signup', 'outbound', 'list_hygiene'];
const EQUAL = 1e-9;

/**
 * How the lists of an account lie. Under a fit of the host's rates they lie around the account's own level, which the fit has found
 * over all purposes together, so that a stranger in a new list bounces as the fit says. What is known of a list then counts
 * from there, and once.
 */
function listSharesOf(model: Model, host: HostClass, kinds: HostTables['kinds']): HostTables['listShares'] {
  const rateBy = (table: PriorTable): number =>
    kinds.reduce(
      (sum, { share }, kind) =>
        sum + share * bounceRateOf(table[host].filter(({ acceptsAll }) => acceptsAll === (kind === 1))),
      0,
    );
  const rate = rateBy(model.prior);
  const isFitted = Math.abs(rate - rateBy(model.centre)) > EQUAL;
  const shares = (purpose: Purpose | null): number[] => {
    if (!isFitted) return listSharesAround(listMeanOf(model.history));
    const offset = purpose === null ? 0 : model.history.purposes[purpose];
    return normalShares(
      LIST_GRID,
      centred(rate, (mean) => meanRate(kinds, normalShares(LIST_GRID, mean), offset), 2 * LIST_REACH),
    );
  };
  return new Map(PURPOSES.map((purpose) => [purpose, shares(purpose)]));
}

/** P(bounces) over all levels, where purpose and features add this to the log-odds. */
function meanRate(kinds: HostTables['kinds'], listShares: readonly number[], offset: number): number {
  let mean = 0;
  for (const { share, levelShares, logOdds } of kinds)
    logOdds.forEach((value, at) => {
      const level = Math.floor(at / LIST_LEVELS);
      const weight = share * (levelShares[level] ?? 0) * (listShares[at % LIST_LEVELS] ?? 0);
      mean += weight * sigmoid(level === DEAD ? value : value + offset);
    });
  return mean;
}

const COMPILED = new WeakMap<Model, Map<HostClass, HostTables>>();

/** A host's row of the model; made once. */
export function tablesAt(model: Model, host: HostClass): HostTables {
  const ofModel = COMPILED.get(model) ?? new Map<HostClass, HostTables>();
  COMPILED.set(model, ofModel);
  const known = ofModel.get(host);
  if (known !== undefined) return known;
  const { recovery, redraw } = model.history.churn;
  const kinds = [kindOf(model, host, false), kindOf(model, host, true)] as const;
  const made: HostTables = { kinds, listShares: listSharesOf(model, host, kinds), recovery, redraw };
  ofModel.set(host, made);
  return made;
}
