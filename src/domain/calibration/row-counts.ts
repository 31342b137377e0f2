import { zeros } from '../../kernel/vector.ts';
import {
  BITS,
  BY_END,
  backPlace,
  filtered,
  firstWeights,
  lookingBack,
  type Masses,
  placeOf,
} from '../verification/filter.ts';
import { bounded, type FirstState, levelsWithout, levelWeights, stateAmong } from '../verification/first-state.ts';
import type { AddressHistory, DeliveryClass, Feature, KnownReport, Neighbours } from '../verification/history.ts';
import type { HostClass } from '../verification/host-class.ts';
import { ANSWER_COUNT, ANSWERS, type HostTables, tablesAt } from '../verification/host-tables.ts';
import type { Model } from '../verification/model.ts';
import { PROVIDER_IDS } from '../verification/provider.ts';
import { VERDICTS } from '../verification/provider-table.ts';
import { dayOf, ReportTallies, sayingOf } from '../verification/report-gate.ts';
import { type Evidenced, sightingsOf } from '../verification/sightings.ts';

/** An address as its row keeps it, with the levels of its domain and its list. */
export interface FitRow {
  /** 0 to `FOLDS` - 1, by the address's hash. */
  readonly fold: number;
  readonly address: AddressHistory;
  readonly around: Neighbours;
}

type Bit = 0 | 1;

/** What the rows show of a host's domains of one kind. By the server's answer at first sight. */
export interface KindCounts {
  /** All rows, by whether the address bounced at first. Mistakes that all vendors share are left out. */
  readonly answers: readonly [lands: number[], bounces: number[]];
  /** Rows with a delivery report. */
  readonly reported: number[];
  /** Slope of the log-likelihood in the level of the bounce rate, and curvature of what it is expected to be. */
  slope: number;
  curve: number;
}

export interface HostCount {
  readonly kinds: readonly [KindCounts, KindCounts];
  /** Domains of each kind, each counted once. */
  readonly domains: [number, number];
  /** [provider][server's answer][verdict]. */
  readonly rows: readonly (readonly number[][])[];
}

export interface Counts {
  readonly hosts: Map<HostClass, HostCount>;
  readonly reports: Map<DeliveryClass, [lands: number, bounces: number]>;
  readonly features: Map<Feature, { slope: number; curve: number }>;
}

const noKind = (): KindCounts => ({
  answers: [zeros(ANSWER_COUNT), zeros(ANSWER_COUNT)],
  reported: zeros(ANSWER_COUNT),
  slope: 0,
  curve: 0,
});
const noHost = (): HostCount => ({
  kinds: [noKind(), noKind()],
  domains: [0, 0],
  rows: PROVIDER_IDS.map(() => ANSWERS.map(() => zeros(VERDICTS.length))),
});

/** A row with its neighbours' levels, its own part taken out: these stay the same under every model. */
export interface PreparedRow extends FitRow {
  readonly now: number;
  /** Also those that reach no further than the address. */
  readonly allReports: readonly KnownReport[];
  readonly domain: readonly number[] | null;
  readonly list: readonly number[] | null;
}

/** All reports of the rows, as tallies. */
const talliesOf = (rows: readonly FitRow[]): ReportTallies =>
  new ReportTallies(
    rows.flatMap(({ address: { host, reports } }) =>
      reports.map((report) => {
        const saying = sayingOf(report);
        const [delivered, refused] = [saying === 'delivered' ? 1 : 0, saying === 'refused' ? 1 : 0];
        return { source: report.source, host, day: dayOf(report.at), delivered, refused };
      }),
    ),
  );

/** Rows as a fit reads them. Reports are left out that reach no further than their address. */
export function prepared(rows: readonly FitRow[], now: number): PreparedRow[] {
  const tallies = talliesOf(rows);
  return rows.map((row) => {
    const { part, reports } = row.address;
    const { domain, list } = row.around;
    return {
      ...row,
      address: {
        ...row.address,
        reports: reports.filter((report) => tallies.reachOf(report, row.address, null, now) === 'all'),
      },
      allReports: reports,
      now,
      domain: levelsWithout('domain', domain, part, now),
      list: levelsWithout('list', list, part, now),
    };
  });
}

/** The first state of a row's address by its neighbours alone. */
export function firstOf(model: Model, { address, around, domain, list }: PreparedRow): FirstState {
  const input = { host: address.host, features: address.features, purpose: address.purpose, acceptsAllOdds: 1 };
  const stranger = stateAmong(model, input, null, null);
  if (domain === null && list === null) return stranger;
  const { purpose, part: own } = address;
  return bounded(stateAmong(model, input, domain, list), stranger, { purpose, around, own });
}

/** A sighting again, by other figures. */
const again = (model: Model, { address, now }: PreparedRow): Evidenced[] =>
  sightingsOf(model, address.host, { answers: address.answers, reports: address.reports, proofs: [] }, now);

/** P(what was seen | kind of domain, first state), in the order of the weights of a first state. */
export function likelihoodsOf(masses: Masses): number[] {
  const sums = zeros(FIRST_STATES);
  for (let place = 0; place < masses.length; place += 1) {
    const state = Math.floor((place * FIRST_STATES) / masses.length);
    sums[state] = (sums[state] ?? 0) + (masses[place] ?? 0);
  }
  return sums;
}
const FIRST_STATES = 4;

/** ln P(what was seen of the address | its neighbours). */
export function logLikelihoodOf(model: Model, row: PreparedRow): number {
  const weights = firstWeights(firstOf(model, row));
  const masses = filtered(tablesAt(model, row.address.host), again(model, row), null);
  return Math.log(likelihoodsOf(masses).reduce((sum, likely, state) => sum + likely * (weights[state] ?? 0), 0));
}

/** P(the domain accepts everything), by the address's neighbours and what providers say of it. Its reports are left out. */
export function acceptsAllShareOf(model: Model, row: PreparedRow): number {
  const answered = { ...row, address: { ...row.address, reports: [] } };
  const weights = firstWeights(firstOf(model, row));
  const likely = likelihoodsOf(filtered(tablesAt(model, row.address.host), again(model, answered), null));
  const [lands = 0, bounces = 0, landsThere = 0, bouncesThere = 0] = likely.map(
    (each, state) => each * (weights[state] ?? 0),
  );
  return (landsThere + bouncesThere) / (lands + bounces + landsThere + bouncesThere);
}

/** P(kind, state, answer | everything) at each sighting, forwards and backwards through all of them. */
function statesAt(model: Model, row: PreparedRow, first: FirstState, sightings: readonly Evidenced[]): number[][] {
  const tables = tablesAt(model, row.address.host);
  const weights = firstWeights(first);
  const then: number[][] = [];
  filtered(tables, sightings, null, (masses, isAge) => {
    if (!isAge) then.push(masses.map((mass, place) => mass * (weights[Math.floor((place * 4) / masses.length)] ?? 0)));
  });
  const back = lookingBack(tables, sightings, sightings.at(-1)?.at ?? row.now);
  return then.flatMap((joint, at) => {
    const later = back[at];
    return later === undefined ? [] : [byState(smoothed(joint, later))];
  });
}

/** Adds what one row shows: what its server answered, and whether its mail landed, at each sighting, given all of them. */
function countRow(model: Model, row: PreparedRow, counts: Counts): void {
  const { address } = row;
  const sightings = again(model, row);
  const first = firstOf(model, row);
  const states = statesAt(model, row, first, sightings);
  const host = counts.hosts.get(address.host) ?? noHost();
  counts.hosts.set(address.host, host);
  const isReported = address.reports.length > 0;
  sightings.forEach((seen, at) => {
    const shares = states[at];
    if (shares === undefined) return;
    if (at === 0) countFirst(host, tablesAt(model, address.host), shares, first, isReported, address.features, counts);
    if (seen.kind === 'answer') {
      const verdict = VERDICTS.indexOf(seen.of.verdict);
      host.rows[PROVIDER_IDS.indexOf(seen.of.provider)]?.forEach((into, answer) => {
        into[verdict] = (into[verdict] ?? 0) + answerShare(shares, answer);
      });
    }
    // A source that errs says nothing of the others.
    if (seen.kind === 'report' && model.history.sources[seen.of.source ?? ''] === undefined) {
      const before = counts.reports.get(seen.of.class) ?? [0, 0];
      const bounced = bounceShare(shares);
      counts.reports.set(seen.of.class, [before[0] + 1 - bounced, before[1] + bounced]);
    }
  });
}

/** P(kind, first, now, answer | everything), as the masses are laid out. */
function smoothed(joint: number[], back: readonly number[]): number[] {
  let total = 0;
  for (let place = 0; place < joint.length; place += 1) {
    const later = backOf[place] ?? 0;
    const share = (joint[place] ?? 0) * ((back[later] ?? 0) + (back[BY_END + later] ?? 0));
    joint[place] = share;
    total += share;
  }
  for (let place = 0; place < joint.length; place += 1) joint[place] = (joint[place] ?? 0) / total;
  return joint;
}

/** Of each mass: where it stands on the way back, and its kind, state and answer. */
const PLACES = BITS.flatMap((kind) =>
  BITS.flatMap((first) =>
    BITS.flatMap((state) =>
      ANSWERS.map((_, answer) => ({ place: placeOf(kind, first, state) + answer, kind, state, answer })),
    ),
  ),
).toSorted((one, other) => one.place - other.place);
const backOf = PLACES.map(({ kind, state, answer }) => backPlace(kind, state) + answer);

/** The same by kind, state and answer. */
function byState(shares: readonly number[]): number[] {
  const sums = zeros(BY_END);
  for (let place = 0; place < shares.length; place += 1) {
    const at = backOf[place] ?? 0;
    sums[at] = (sums[at] ?? 0) + (shares[place] ?? 0);
  }
  return sums;
}

/** P(the server's answer), and P(mail bounces), over both kinds. */
const answerShare = (shares: readonly number[], answer: number): number =>
  BITS.reduce<number>(
    (sum, kind) => sum + (shares[backPlace(kind, 0) + answer] ?? 0) + (shares[backPlace(kind, 1) + answer] ?? 0),
    0,
  );
const bounceShare = (shares: readonly number[]): number =>
  ANSWERS.reduce(
    (sum, _, answer) => sum + (shares[backPlace(0, 1) + answer] ?? 0) + (shares[backPlace(1, 1) + answer] ?? 0),
    0,
  );

/** At the first sighting no time has passed: the state is the first one. */
function countFirst(
  host: HostCount,
  { kinds }: HostTables,
  shares: readonly number[],
  first: FirstState,
  isReported: boolean,
  features: readonly Feature[],
  counts: Counts,
): void {
  const expected = [first.deadStrict, first.deadAcceptsAll];
  let [slope, curve] = [0, 0];
  for (const kind of BITS) {
    const into = host.kinds[kind];
    const at = (state: Bit, answer: number): number => shares[backPlace(kind, state) + answer] ?? 0;
    const ofState = (state: Bit): number => at(state, 0) + at(state, 1) + at(state, 2) + at(state, 3);
    const [landed, bounced] = [ofState(0), ofState(1)];
    const rate = expected[kind] ?? 0;
    const ofKind = { slope: bounced - (landed + bounced) * rate, curve: (landed + bounced) * rate * (1 - rate) };
    into.slope += ofKind.slope;
    into.curve += ofKind.curve;
    slope += ofKind.slope;
    curve += ofKind.curve;
    for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
      for (const state of BITS) {
        const seen = at(state, answer) * (kinds[kind].own[state][answer] ?? 1);
        const answers = into.answers[state];
        answers[answer] = (answers[answer] ?? 0) + seen;
        if (isReported) into.reported[answer] = (into.reported[answer] ?? 0) + seen;
      }
    }
  }
  for (const feature of features) {
    const of = counts.features.get(feature) ?? { slope: 0, curve: 0 };
    counts.features.set(feature, { slope: of.slope + slope, curve: of.curve + curve });
  }
}

/** Each domain counts once, by what all its addresses together say of its kind. */
function countDomains(model: Model, rows: readonly PreparedRow[], counts: Counts): void {
  const seen = new Set<string>();
  for (const { address, around, now } of rows) {
    const host = counts.hosts.get(address.host);
    if (host === undefined || around.domain === null || seen.has(address.domain)) continue;
    seen.add(address.domain);
    const { domain } = levelWeights(
      tablesAt(model, address.host),
      null,
      levelsWithout('domain', around.domain, null, now),
      null,
      1,
    );
    const [strict, acceptsAll] = domain.map((levels) => levels.reduce((sum, share) => sum + share, 0));
    const total = (strict ?? 0) + (acceptsAll ?? 0);
    host.domains[0] += (strict ?? 0) / total;
    host.domains[1] += (acceptsAll ?? 0) / total;
  }
}

/** What the rows show under a model, divided by its posterior: the E step. */
export function countRows(model: Model, rows: readonly PreparedRow[]): Counts {
  const counts: Counts = { hosts: new Map(), reports: new Map(), features: new Map() };
  for (const row of rows) countRow(model, row, counts);
  countDomains(model, rows, counts);
  return counts;
}
