import type { AcceptsAllFlag } from '../../domain/belief/accepts-all.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import type { DomainFacts } from '../../storage/domain-facts.ts';
import type { Caller } from '../caller.ts';
import { hashDomain } from './history.ts';
import { type LocalFactsDeps, type LookedUp, lookUp, type ParsedSubject } from './local-facts.ts';

/** What may be used before a request is admitted: none of it gives what a key needs permission for. */
export interface BeginDeps extends Pick<LocalFactsDeps, 'lists' | 'findMailHosts' | 'hashAddress'> {
  readonly now: Clock;
  /** Reads what organisations share of a domain. Null: without providers nothing of it is read or kept. */
  readonly readFlag: ((domain: string) => Promise<AcceptsAllFlag | null>) | null;
}

interface GatherSources extends Omit<BeginDeps, 'readFlag'> {
  readonly domainFacts: Pick<DomainFacts, 'acceptsAll'>;
  readonly providers: readonly unknown[];
}

/** A value of its own: what runs before the admission holds neither the store of facts nor a provider that bills. */
export const beginDeps = ({
  lists,
  findMailHosts,
  hashAddress,
  now,
  domainFacts,
  providers,
}: GatherSources): BeginDeps => ({
  lists,
  findMailHosts,
  hashAddress,
  now,
  readFlag: providers.length === 0 ? null : (domain) => domainFacts.acceptsAll(domain),
});

const SEEN_AS_DIGITS = 16;

/** What `gather` finds about an address while its request is authorised. */
export interface Gathered extends LookedUp {
  /** What organisations share of the domain. */
  readonly flag: AcceptsAllFlag | null;
  /**
   * Names the organisation in that flag. Null where the flag is neither read nor written: without providers, under a test key, for
   * broken syntax.
   */
  readonly seenAs: (() => string) | null;
}

/** Looks the domain up and reads what organisations share of it, side by side. Never rejects. */
export async function gather(
  deps: BeginDeps,
  caller: Pick<Caller, 'organisationId' | 'mode' | 'startedAt'>,
  subject: ParsedSubject,
  deadlineMs: number,
): Promise<Gathered> {
  const { organisationId, mode, startedAt } = caller;
  const domain = subject.ok && mode === 'live' && deps.readFlag !== null ? subject.address.domain : null;
  const [lookedUp, flag] = await Promise.all([
    lookUp(deps, caller, subject, deadlineMs),
    domain === null ? null : inTime(deps.readFlag?.(domain), deadlineMs - startedAt),
  ]);
  // Cut to the digits that tell organisations apart.
  const seenAs = domain === null ? null : () => hashDomain(deps, organisationId, domain).slice(0, SEEN_AS_DIGITS);
  return { ...lookedUp, flag, seenAs };
}

/** None where the store is slower than the deadline. */
async function inTime(
  reading: Promise<AcceptsAllFlag | null> | undefined,
  patienceMs: number,
): Promise<AcceptsAllFlag | null> {
  const flag = await within(reading ?? Promise.resolve(null), Math.max(0, patienceMs));
  return flag === LATE ? null : flag;
}
