import type { DohClientOptions } from '../integrations/dns-over-https/client.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import type { Dependency } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';

export type LogResolverFailure = NonNullable<DohClientOptions['onFailure']>;

/**
 * Tells the log of a resolver that fails, of each and each way once a minute: under a file of 100,000 rows every question says
 * the same. Never what was asked, and of the resolver its host alone: a path may be a secret.
 */
export function resolverFailureLog(now: Clock): LogResolverFailure {
  const toldAt = new Map<string, number>();
  return ({ url, why, ms }) => {
    // The resolver has answered; what failed are the name's own servers.
    if (why === 'servfail') return;
    const { host } = new URL(url);
    const way = `${host} ${why}`;
    const at = now();
    if (at - (toldAt.get(way) ?? Number.NEGATIVE_INFINITY) < MINUTE_MS) return;
    toldAt.set(way, at);
    log('warn', 'dependency_failed', { dependency: 'dns' satisfies Dependency, resolver: host, failure: why, ms });
  };
}
