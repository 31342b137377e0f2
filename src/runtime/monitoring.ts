import { addTotal, addTotals, type CounterTotal, type CounterTotals } from '../domain/metering/counter-totals.ts';
import type { DohClientOptions } from '../integrations/dns-over-https.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import type { Dependency } from '../kernel/errors.ts';
import { log, type WrittenCounters } from '../kernel/log.ts';

/** An invocation may write 250 points (developers.cloudflare.com/analytics/analytics-engine/limits). */
export const POINTS_MAX = 100;

type Totals = Record<string, CounterTotal>;

/**
 * This isolate's counts: `unwritten` for Analytics Engine, `unsent` for the operators' object. Invocations can share
 * both, because figures only add up.
 */
const unwritten: Totals = {};
let unsent: Totals = {};

/** Sends the counts since the last time. Unsent ones stay for the next time. */
export async function flushCounters(
  send: (counters: CounterTotals) => Promise<{ readonly ok: boolean }>,
): Promise<void> {
  const counted = unsent;
  unsent = {};
  const sent = await send(counted);
  if (!sent.ok) unsent = addTotals(counted, unsent);
}

/** Counters summed here and written at the end of an invocation, one point for each name and label. */
export function analyticsCounters(dataset: AnalyticsEngineDataset): WrittenCounters {
  return {
    add(name, value, label = '') {
      const key = label === '' ? name : `${name}:${label}`;
      const one = { count: 1, sum: value, max: value };
      addTotal(unwritten, key, one);
      addTotal(unsent, key, one);
    },
    write() {
      for (const [key, { count, sum, max }] of Object.entries(unwritten).slice(0, POINTS_MAX)) {
        delete unwritten[key];
        const [name = '', ...label] = key.split(':');
        try {
          dataset.writeDataPoint({ indexes: [name], blobs: [label.join(':')], doubles: [sum, count, max] });
        } catch {
          // A lost point costs less than the request that it counts.
          return;
        }
      }
    },
  };
}

export type LogResolverFailure = NonNullable<DohClientOptions['onFailure']>;

/**
 * Logs a failing resolver once a minute for each kind of failure: a file of 100,000 rows would repeat the line as
 * often. Contains only the resolver's host, because its path may be a secret.
 */
export function resolverFailureLog(now: Clock): LogResolverFailure {
  const toldAt = new Map<string, number>();
  return ({ url, why, ms }) => {
    // The resolver has answered; the name's own servers failed.
    if (why === 'servfail') return;
    const { host } = new URL(url);
    const failure = `${host} ${why}`;
    const at = now();
    if (at - (toldAt.get(failure) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    toldAt.set(failure, at);
    log('warn', 'dependency_failed', { dependency: 'dns' satisfies Dependency, resolver: host, failure: why, ms });
  };
}
