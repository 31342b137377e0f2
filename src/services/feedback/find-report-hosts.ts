import type { Address } from '../../domain/address/types.ts';
import type { HostClass } from '../../domain/belief/host-class.ts';
import type { Clock } from '../../kernel/clock.ts';
import { findHost, type HostDeps } from '../verification/find-host.ts';

/** Domains looked up in one call. Each reads KV and writes it once: half of the 1,000 operations that an invocation may make. */
export const DOMAINS_MAX = 240;
/** Look-ups at the same time. The platform lets six wait for their answer; the others of these wait for KV. */
const AT_ONCE = 24;

const findNothing: HostDeps['findMailHosts'] = async () => ({ kind: 'unresolved', why: 'timeout' });

/**
 * Who takes the mail of each domain, as lists and DNS say now. A domain that is not looked up in time counts as unresolved; one
 * that takes no mail is left out. Never rejects.
 */
export async function findReportHosts(
  deps: HostDeps & { readonly now: Clock },
  addresses: readonly Address[],
  deadlineMs: number,
): Promise<ReadonlyMap<string, HostClass>> {
  const found = new Map<string, HostClass>();
  const ofEachDomain = [...new Map(addresses.map((address) => [address.domain, address])).values()];
  // The workers take from one iterator.
  const left = ofEachDomain.entries();
  const work = async (): Promise<void> => {
    for (const [place, address] of left) {
      const isLate = place >= DOMAINS_MAX || deps.now() >= deadlineMs;
      const { host, precheck } = await findHost(
        isLate ? { ...deps, findMailHosts: findNothing } : deps,
        address,
        deadlineMs,
      );
      if (!precheck.certain) found.set(address.domain, host);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found;
}
