import type { HostClass } from '../verification/host-class.ts';
import type { Model } from '../verification/model.ts';
import { PROVIDER_IDS, type ProviderId } from '../verification/provider.ts';
import { type ProviderRows, VERDICTS } from '../verification/provider-table.ts';
import { expectedCounts } from './expectation.ts';
import { type Fit, type FittedHost, POOLING_STRENGTH, pooled, updated } from './fit.ts';
import { answerRowsFrom, type HostCounts, priorFrom, providerAt, rowsFrom, totalsOf } from './tables.ts';

/** The size of two uncertainties in series: their variances add up. */
const inSeries = (one: number, other: number): number => 1 / (1 / one + 1 / other);

/**
 * The size of the Dirichlet with these means that is as wide as the counts say, averaged by how often each cell occurs.
 * Cells that are seldom told apart have smaller counts than their means.
 */
function sizeOf(rates: Float64Array, counts: Float64Array): number {
  const spread = rates.reduce((total, rate, at) => total + rate / (counts[at] ?? 0), 0);
  return rates.length / spread;
}

function priorAt(
  { seed, rates }: FittedHost,
  { shares, bounced, landed }: HostCounts,
  trust: number,
): Model['prior'][HostClass] {
  const size = sizeOf(rates.shares, updated(seed.shares, shares, trust));
  const [hits, misses] = [updated(seed.bounced, bounced, trust), updated(seed.landed, landed, trust)];
  // The size that keeps the variance of the rate's log-odds as the counts give it.
  const sizes = rates.bounceRates.map(
    (rate, cell) => inSeries(hits[cell] ?? 0, misses[cell] ?? 0) / (rate * (1 - rate)),
  );
  return priorFrom({
    shares: rates.shares.map((share) => share * size),
    bounced: rates.bounceRates.map((rate, cell) => rate * (sizes[cell] ?? 0)),
    landed: rates.bounceRates.map((rate, cell) => (1 - rate) * (sizes[cell] ?? 0)),
  });
}

/** A row at one host is as sure as the row over all hosts, the tie to it and the observations there make it. */
function rowsAtHost(
  { seed, apart, rates: { rows } }: FittedHost,
  seen: Float64Array,
  anyHost: Float64Array,
  trust: number,
) {
  const spread = rows.map((rate, place) => {
    const known = apart[providerAt(place)] ? trust * (seed.rows[place] ?? 0) : rate * (anyHost[place] ?? 0);
    return rate / (inSeries(known, POOLING_STRENGTH * rate) + (seen[place] ?? 0));
  });
  const spreads = totalsOf(spread);
  return rows.map((rate, place) => (rate * VERDICTS.length) / (spreads[place] ?? 0));
}

const isAsked = ({ rows }: HostCounts, provider: number): boolean =>
  rows.some((count, place) => count > 0 && providerAt(place) === provider);

/**
 * A fit as the tables of a model: the fitted means, each with as many pseudo-observations as the table and the traces are
 * worth together, the table's own multiplied by `trust`. Hosts without a trace keep the table's cells to the last digit,
 * and providers have their row over all hosts where they were not asked.
 */
export function fittedTables(seed: Model, { hosts, anyHost }: Fit, trust: number): Pick<Model, 'prior' | 'providers'> {
  const all = Array.from(hosts, ([id, host]) => ({
    id,
    host,
    counts: expectedCounts(host.rates, host.patterns, true),
  }));
  const table = rowsFrom((provider) => seed.providers[provider].anyHost);
  const prior = table.map((count) => trust * count);
  const known = totalsOf(pooled(prior, all));
  const elsewhere = anyHost.map((rate, place) => rate * inSeries(known[place] ?? 0, POOLING_STRENGTH));
  const fitted = all.map(({ id, host, counts }) => ({
    id,
    cells: priorAt(host, counts, trust),
    rows: rowsAtHost(host, counts.rows, known, trust),
    counts,
  }));
  const rowsOf = (id: ProviderId, provider: number): ProviderRows => ({
    anyHost: answerRowsFrom(elsewhere, provider),
    hosts: {
      ...seed.providers[id].hosts,
      ...Object.fromEntries(
        fitted
          .filter(({ counts }) => isAsked(counts, provider))
          .map((at) => [at.id, answerRowsFrom(at.rows, provider)]),
      ),
    },
  });
  return {
    prior: { ...seed.prior, ...Object.fromEntries(fitted.map(({ id, cells }) => [id, cells])) },
    providers: Object.fromEntries(PROVIDER_IDS.map((id, provider) => [id, rowsOf(id, provider)])) as Model['providers'],
  };
}
