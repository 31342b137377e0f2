import type { HostClass } from '../verification/host-class.ts';
import type { Model } from '../verification/model.ts';
import { PROVIDER_IDS } from '../verification/provider.ts';
import { expectedCounts, type HostRates, type Observed, observed } from './expectation.ts';
import type { TracePattern } from './pattern.ts';
import { countsAt, type HostCounts, providerAt, ratesOf, rowsFrom, totalsOf } from './tables.ts';

/** More passes don't move the benchmark's figures; fewer stay nearer to the table where the data leave a choice. */
const PASSES = 40;

/** How strongly a provider's row at one host is tied to its row over all hosts, in pseudo-observations. */
export const POOLING_STRENGTH = 60;

export interface FittedHost {
  readonly seed: HostCounts;
  /** Providers with a row of their own at this host: it stays apart from their row over all hosts. */
  readonly apart: readonly boolean[];
  readonly patterns: readonly Observed[];
  rates: HostRates;
}

/** The rates that fit what was observed. */
export interface Fit {
  readonly hosts: ReadonlyMap<HostClass, FittedHost>;
  /** Provider rows over all hosts. */
  readonly anyHost: Float64Array;
}

const isInformative = ({ answers, bounced, landed }: TracePattern): boolean =>
  answers.length > 0 || bounced.weight + landed.weight > 0;

/** The prior's pseudo-observations plus the observed ones. */
export const updated = (prior: Float64Array, seen: Float64Array, trust: number): Float64Array =>
  prior.map((count, at) => trust * count + (seen[at] ?? 0));

function ratesFrom({ shares, bounced, landed }: Omit<HostCounts, 'rows'>, rows: Float64Array): HostRates {
  const total = shares.reduce((added, share) => added + share, 0);
  return {
    shares: shares.map((share) => share / total),
    bounceRates: bounced.map((count, cell) => count / (count + (landed[cell] ?? 0))),
    rows,
  };
}

/** The table's rates for a host. */
export const tableRates = (seed: Model, host: HostClass): HostRates => {
  const counts = countsAt(seed, host);
  return ratesFrom(counts, ratesOf(counts.rows));
};

function hostsIn(seed: Model, patterns: readonly TracePattern[]): Map<HostClass, FittedHost> {
  const byHost = Map.groupBy(patterns.filter(isInformative), ({ host }) => host);
  return new Map(
    Array.from(byHost, ([host, own]) => {
      const counts = countsAt(seed, host);
      const apart = PROVIDER_IDS.map((id) => seed.providers[id].hosts[host] !== undefined);
      return [host, { seed: counts, apart, patterns: own.map(observed), rates: tableRates(seed, host) }];
    }),
  );
}

/** A host, and what its traces say of it. */
export interface SeenHost {
  readonly host: FittedHost;
  readonly counts: HostCounts;
}

/**
 * The providers' rows over all hosts. However often a provider was asked at one host, that host counts only as much as
 * the tie between the rows carries.
 */
export function pooled(seed: Float64Array, seen: readonly SeenHost[]): Float64Array {
  const rows = seed.slice();
  for (const { host, counts } of seen) {
    const totals = totalsOf(counts.rows);
    counts.rows.forEach((count, place) => {
      if (host.apart[providerAt(place)]) return;
      rows[place] = (rows[place] ?? 0) + (count * POOLING_STRENGTH) / (POOLING_STRENGTH + (totals[place] ?? 0));
    });
  }
  return rows;
}

/**
 * Maximum a posteriori by expectation maximisation, the table as the prior with `trust` times its weights. Shares and
 * provider rows learn from every trace, bounce rates from outcomes alone. It does no harm that only some addresses were
 * mailed: traces without an outcome count too, and the answers that decided whom to mail are part of the traces.
 */
export function fit(seed: Model, patterns: readonly TracePattern[], trust: number): Fit {
  const byHost = hostsIn(seed, patterns);
  const hosts = [...byHost.values()];
  const table = rowsFrom((provider) => seed.providers[provider].anyHost);
  const tabled = ratesOf(table);
  const prior = table.map((count) => trust * count);
  let anyHost = tabled;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const seen = hosts.map((host) => ({ host, counts: expectedCounts(host.rates, host.patterns, false) }));
    anyHost = ratesOf(pooled(prior, seen));
    for (const { host, counts } of seen) {
      const both = (of: 'shares' | 'bounced' | 'landed'): Float64Array => updated(host.seed[of], counts[of], trust);
      // The table's own row at the host moves as far as the provider's row over all hosts has moved.
      const centre = ratesOf(
        ratesOf(host.seed.rows).map((rate, place) => (rate * (anyHost[place] ?? 0)) / (tabled[place] ?? 0)),
      );
      const cells = { shares: both('shares'), bounced: both('bounced'), landed: both('landed') };
      host.rates = ratesFrom(cells, ratesOf(updated(centre, counts.rows, POOLING_STRENGTH)));
    }
  }
  return { hosts: byHost, anyHost };
}
