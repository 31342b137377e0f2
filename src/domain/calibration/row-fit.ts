import { zeros } from '../../kernel/vector.ts';
import type { HostPrior, ServerAnswer } from '../verification/belief.ts';
import { BITS } from '../verification/filter.ts';
import type { DeliveryClass, Feature } from '../verification/history.ts';
import type { HistoryTable, Seen } from '../verification/history-table.ts';
import type { HostClass } from '../verification/host-class.ts';
import { ANSWERS } from '../verification/host-tables.ts';
import { type Model, rowsAt } from '../verification/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../verification/provider.ts';
import { type AnswerRows, totalOf, VERDICTS, type VerdictCounts } from '../verification/provider-table.ts';
import {
  type Counts,
  countRows,
  type HostCount,
  type KindCounts,
  logLikelihoodOf,
  type PreparedRow,
} from './row-counts.ts';

type Bit = 0 | 1;

/**
 * Standard deviations, in log-odds, of how far an account's figures lie from the table's: a vendor's rows over all hosts, and
 * those of one host from them; shares of a host's cells; its bounce rates and what features say; how fast mailboxes die.
 */
const SPREAD = {
  provider: 0.4,
  providerAtHost: 0.25,
  share: 0.4,
  answer: 0.5,
  /** Of the account's bounces over all hosts, beyond what its lists show, whatever the trust; and of one host's from there. */
  account: 1,
  level: 0.3,
  feature: 0.5,
  report: 0.5,
  churn: 0.5,
};

/** The factor on the rate at which mailboxes die is one of these. */
const CHURN_FACTORS = [0.5, 0.7, 1, 1.4, 2] as const;

const PASSES = 5;

/** Each figure moves on its own, by at most a factor of e at a time: larger steps would overshoot. */
const STEPS = 25;
const STEP_MAX = 1;
const capped = (step: number): number => Math.max(-STEP_MAX, Math.min(STEP_MAX, step));

/** Shares in proportion to these weights, once the logarithm of each has moved by so much. */
function tilted(weights: readonly number[], by: readonly number[]): number[] {
  const after = weights.map((weight, at) => weight * Math.exp(by[at] ?? 0));
  const total = after.reduce((sum, weight) => sum + weight, 0);
  return after.map((weight) => weight / total);
}

/**
 * The shares that are likeliest after so many of each were counted, where a priori the logarithm of each lies around that of the
 * given weights' share with this precision.
 */
export function moved(weights: readonly number[], counted: ArrayLike<number>, precision: number): number[] {
  const total = weights.reduce((sum, _, at) => sum + (counted[at] ?? 0), 0);
  const by = weights.map(() => 0);
  if (total === 0) return tilted(weights, by);
  for (let left = STEPS; left > 0; left -= 1) {
    const now = tilted(weights, by);
    by.forEach((shift, at) => {
      const share = now[at] ?? 0;
      const slope = (counted[at] ?? 0) - total * share - precision * shift;
      const step = slope / (total * share + precision);
      by[at] = shift + capped(step);
    });
  }
  return tilted(weights, by);
}

const UNKNOWN = VERDICTS.indexOf('unknown');

/**
 * A provider's row after so many of each verdict. `unknown` keeps its share: an address's row keeps one only until that provider
 * says something else.
 */
function movedRow(shares: readonly number[], counted: ArrayLike<number>, precision: number): number[] {
  const unknown = shares[UNKNOWN] ?? 0;
  const telling = moved(shares.slice(0, UNKNOWN), counted, precision);
  return [...telling.map((share) => share * (1 - unknown)), unknown];
}

const precisionOf = (spread: number, trust: number): number => trust / spread ** 2;

/** Most accounts are like the table and some are far from it: Student's t with so many degrees of freedom. */
const FREEDOM = 3;
/** The precision of the normal prior that pulls as strongly from where the figure is. */
const heavyTailed = (spread: number, by: number): number => (FREEDOM + 1) / (FREEDOM * spread ** 2 + by ** 2);

const shareIn = (row: VerdictCounts): number[] => row.map((each) => each / totalOf(row));
const byAnswer = <T>(of: (name: ServerAnswer, at: number) => T): Record<ServerAnswer, T> => ({
  accepts: of('accepts', 0),
  refuses: of('refuses', 1),
  accepts_all: of('accepts_all', 2),
  inconclusive: of('inconclusive', 3),
});
const sizedAs = (shares: readonly number[], size: number): VerdictCounts =>
  shares.map((share) => share * size) as unknown as VerdictCounts;

/** A provider's rows: moved over all hosts first, then at each host from there. */
function providersFrom(seed: Model, { hosts }: Counts, trust: number): Model['providers'] {
  const ofProvider = (id: ProviderId, at: number): Model['providers'][ProviderId] => {
    const shifts = byAnswer((name, answer) => {
      const sum = zeros(VERDICTS.length);
      for (const { rows } of hosts.values())
        rows[at]?.[answer]?.forEach((seen, verdict) => {
          sum[verdict] = (sum[verdict] ?? 0) + seen;
        });
      const before = shareIn(seed.providers[id].anyHost[name]);
      const anywhere = movedRow(before, sum, precisionOf(SPREAD.provider, trust));
      return anywhere.map((share, verdict) => Math.log(share / (before[verdict] ?? 1)));
    });
    const rowsFrom = (rows: AnswerRows, counted: readonly (readonly number[])[] | undefined): AnswerRows =>
      byAnswer((name, answer) => {
        const pooled = tilted(shareIn(rows[name]), shifts[name]);
        const seen = counted?.[answer] ?? zeros(VERDICTS.length);
        const all = seen.reduce((sum, each) => sum + each, 0);
        return sizedAs(movedRow(pooled, seen, precisionOf(SPREAD.providerAtHost, trust)), totalOf(rows[name]) + all);
      });
    const own = new Map(Object.entries(seed.providers[id].hosts) as [HostClass, AnswerRows][]);
    for (const [host, { rows }] of hosts)
      if (rows[at]?.some((row) => row.some((seen) => seen > 0))) own.set(host, rowsAt(seed, id, host));
    return {
      anyHost: rowsFrom(seed.providers[id].anyHost, undefined),
      hosts: Object.fromEntries([...own].map(([host, rows]) => [host, rowsFrom(rows, hosts.get(host)?.rows[at])])),
    };
  };
  return Object.fromEntries(PROVIDER_IDS.map((id, at) => [id, ofProvider(id, at)])) as Model['providers'];
}

/** P(bounces) of an address at a host's domains of one kind, of which nothing is known. */
function strangerRate(cells: HostPrior, acceptsAll: boolean): number {
  let [bounces, total] = [0, 0];
  for (const cell of cells) {
    if (cell.acceptsAll !== acceptsAll) continue;
    bounces += (cell.alpha * cell.bounced) / (cell.bounced + cell.landed);
    total += cell.alpha;
  }
  return bounces / total;
}

const logit = (rate: number): number => Math.log(rate / (1 - rate));
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * A host's cells: the server's answers where mail lands and where it bounces, how often it bounces, and catch-alls by domain.
 * @param by log-odds that a stranger's bounce rate has moved, by kind of domain
 */
function cellsFrom(
  seed: Model,
  host: HostClass,
  { kinds, domains }: HostCount,
  by: readonly [number, number],
  trust: number,
): Model['prior'][HostClass] {
  const before = seed.prior[host];
  const total = before.reduce((sum, { alpha }) => sum + alpha, 0);
  const cellsOf = (kind: Bit) => before.filter(({ acceptsAll }) => acceptsAll === (kind === 1));
  const masses = BITS.map((kind) => cellsOf(kind).reduce((sum, { alpha }) => sum + alpha, 0));
  const ofKinds = moved(masses, domains, precisionOf(SPREAD.share, trust));
  return BITS.flatMap((kind) => {
    const cells = cellsOf(kind);
    const countedIn = (counts: readonly number[]) => cells.map(({ answer }) => counts[ANSWERS.indexOf(answer)] ?? 0);
    const reported = countedIn(kinds[kind].reported);
    // What the server answers where mail lands, and where it bounces. How often it bounces is the stranger's rate.
    const [landing, bouncing] = BITS.map((state) => {
      const weights = cells.map(
        ({ alpha, bounced, landed }) => (alpha * (state === 1 ? bounced : landed)) / (bounced + landed),
      );
      return moved(weights, countedIn(kinds[kind].answers[state]), precisionOf(SPREAD.answer, trust));
    }) as [number[], number[]];
    const rate = sigmoid(logit(strangerRate(seed.centre[host], kind === 1)) + by[kind]);
    return cells.map((cell, at) => {
      const [bounces, lands] = [rate * (bouncing[at] ?? 0), (1 - rate) * (landing[at] ?? 0)];
      const size = cell.bounced + cell.landed + (reported[at] ?? 0);
      return {
        ...cell,
        alpha: (ofKinds[kind] ?? 0) * (bounces + lands) * total,
        bounced: (size * bounces) / (bounces + lands),
        landed: (size * lands) / (bounces + lands),
      };
    });
  });
}

/** One step of Newton's method for a level, from where it is. */
const stepped = (by: number, { slope, curve }: { slope: number; curve: number }, precision: number): number =>
  by + capped((slope - precision * by) / (curve + precision));

/** How far the levels of host and kind have moved, and the weights of features, in log-odds. */
interface Shifts {
  /** By kind of domain, over all hosts. */
  account: readonly [number, number];
  readonly levels: Map<HostClass, [number, number]>;
  readonly features: Map<Feature, number>;
}

/** How often a class of report comes of mail that lands, and that bounces: the table's rates moved by those that were counted. */
function reportsFrom({ reports }: HistoryTable, counted: Counts['reports'], trust: number): HistoryTable['reports'] {
  const names = Object.keys(reports) as DeliveryClass[];
  const rates = (of: keyof Seen, at: Bit): number[] => {
    const before = names.map((name) => reports[name][of]);
    const total = before.reduce((sum, rate) => sum + rate, 0);
    const seen = names.map((name) => counted.get(name)?.[at] ?? 0);
    return moved(before, seen, precisionOf(SPREAD.report, trust)).map((share) => share * total);
  };
  const [lands, bounces] = [rates('lands', 0), rates('bounces', 1)];
  return Object.fromEntries(
    names.map((name, at) => [name, { lands: lands[at] ?? 0, bounces: bounces[at] ?? 0 }]),
  ) as HistoryTable['reports'];
}

const withChurn = (table: HistoryTable, factor: number): HistoryTable => ({
  ...table,
  churn: {
    ...table.churn,
    strict: table.churn.strict * factor,
    acceptsAll: table.churn.acceptsAll * factor,
    consumer: table.churn.consumer * factor,
  },
});

/** The factor on churn under which the rows are likeliest, the prior included. */
function churnFactor(model: Model, rows: readonly PreparedRow[], trust: number): number {
  const scored = CHURN_FACTORS.map((factor) => {
    const other = { ...model, history: withChurn(model.history, factor) };
    const prior = -0.5 * precisionOf(SPREAD.churn, trust) * Math.log(factor) ** 2;
    return { factor, value: rows.reduce((sum, row) => sum + logLikelihoodOf(other, row), prior) };
  });
  return scored.reduce((best, each) => (each.value > best.value ? each : best)).factor;
}

/**
 * The figures that fit the rows, by expectation maximisation around the table's (`trust` times its precision): forwards and
 * backwards through what was seen of each address. What a list or a domain is worth stands in the levels, so that the tables have
 * little to learn: each is held near the seed by a log-normal prior. The version is the caller's to set.
 */
export function fitRows(seed: Model, rows: readonly PreparedRow[], trust: number): Model {
  let model: Model = { ...seed, calibration: 'fitted' };
  const shifts: Shifts = { account: [0, 0], levels: new Map(), features: new Map() };
  for (let pass = 0; pass < PASSES; pass += 1) {
    const counts = countRows(model, rows);
    const prior = { ...seed.prior };
    const account = BITS.map((kind) => {
      const all = [...counts.hosts.values()].map(({ kinds }) => kinds[kind]);
      const total = (of: (counted: KindCounts) => number): number => all.reduce((sum, each) => sum + of(each), 0);
      const seen = { slope: total(({ slope }) => slope), curve: total(({ curve }) => curve) };
      return stepped(shifts.account[kind], seen, heavyTailed(SPREAD.account, shifts.account[kind]));
    }) as [number, number];
    for (const [host, counted] of counts.hosts) {
      const before = shifts.levels.get(host) ?? [0, 0];
      const by = BITS.map((kind) => {
        const { slope, curve } = counted.kinds[kind];
        // What is left once the account has moved.
        const left = { slope: slope - curve * (account[kind] - shifts.account[kind]), curve };
        return stepped(before[kind], left, precisionOf(SPREAD.level, trust));
      }) as [number, number];
      shifts.levels.set(host, by);
      prior[host] = cellsFrom(seed, host, counted, [by[0] + account[0], by[1] + account[1]], trust);
    }
    shifts.account = account;
    const features: Record<Feature, number> = { ...seed.history.features };
    for (const [feature, seen] of counts.features) {
      const by = stepped(shifts.features.get(feature) ?? 0, seen, precisionOf(SPREAD.feature, trust));
      shifts.features.set(feature, by);
      features[feature] += by;
    }
    const history: HistoryTable = {
      ...model.history,
      features,
      reports: reportsFrom(seed.history, counts.reports, trust),
    };
    // The levels are counted from the fitted rates: a list's own level is what is left of it then.
    model = { ...model, prior, centre: prior, history, providers: providersFrom(seed, counts, trust) };
  }
  return rounded({ ...model, history: withChurn(model.history, churnFactor(model, rows, trust)) });
}

/** Five digits are enough and keep the stored document small. */
const DIGITS = 5;

const rounded = (model: Model): Model => {
  const every = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value), (_, each: unknown) =>
      typeof each === 'number' ? Number(each.toPrecision(DIGITS)) : each,
    ) as T;
  const prior = every(model.prior);
  return { ...model, prior, centre: prior, providers: every(model.providers), history: every(model.history) };
};
