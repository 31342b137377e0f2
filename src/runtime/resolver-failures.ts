import type { DohClientOptions } from '../integrations/dns-over-https/client.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import type { Dependency } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';

export type LogResolverFailure = NonNullable<DohClientOptions['onFailure']>;

/**
 * Logs a resolver that fails, once a minute for each resolver and kind of failure: a file of 100,000 rows would repeat the line
 * 100,000 times. The line has only the resolver's host, because its path may be a secret.
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
