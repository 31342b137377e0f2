import type { FindMailHosts, MailHosts, ResolvedMailHosts } from '../../domain/dns/resolve.ts';
import { type Clock, LATE, SECOND_MS, within } from '../../kernel/clock.ts';
import type { DomainFacts } from '../../storage/domain-facts.ts';

/** MX, then addresses, each hedged, have 1.5 s each. Also guards against a hanging KV read. */
const WAIT_MAX_MS = 4 * SECOND_MS;

export interface MailHostsFinderDeps {
  readonly resolve: (domain: string) => Promise<ResolvedMailHosts>;
  readonly facts: Pick<DomainFacts, 'knownMailHosts' | 'mailHosts' | 'putMailHosts'>;
  readonly now: Clock;
  /** Defers work until after the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}

/** Asks KV, then DNS. */
async function lookUp({ resolve, facts }: MailHostsFinderDeps, domain: string): Promise<MailHosts> {
  const stored = await facts.mailHosts(domain);
  if (stored) return stored;
  const resolved = await resolve(domain);
  // A concurrent request may have found what this one did not.
  const foundBeside = resolved.mailHosts.kind === 'unresolved' ? facts.knownMailHosts(domain) : null;
  if (foundBeside) return foundBeside;
  facts.putMailHosts(domain, resolved);
  return resolved.mailHosts;
}

/**
 * One invocation's look-up: the stored facts, else DNS. Each call asks DNS itself, because the promise of an answered
 * request never settles. At its deadline a call answers `unresolved: timeout`, and the look-up continues after the
 * answer for the next request.
 */
export function createMailHostsFinder(deps: MailHostsFinderDeps): FindMailHosts {
  return async (domain, deadlineMs = Number.POSITIVE_INFINITY) => {
    const known = deps.facts.knownMailHosts(domain);
    if (known) return known;

    const work = lookUp(deps, domain);
    const found = await within(work, Math.min(deadlineMs - deps.now(), WAIT_MAX_MS));
    if (found !== LATE) return found;
    deps.defer(work);
    return { kind: 'unresolved', why: 'timeout' };
  };
}
