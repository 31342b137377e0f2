import { getDomain } from 'tldts';
import type { MailHosts } from '../dns/resolve.ts';
import type { TypoTest } from '../lists/overlay.ts';
import { isNeverDisposable } from '../lists/review-list.ts';
import { type Lists, SUFFIX_OPTIONS } from '../lists/lists.ts';

/** As many names as a trace keeps. */
const NAMES_MAX = 6;

const registrable = (name: string): string | null => getDomain(name, SUFFIX_OPTIONS);

/** A back end's table lists registrable domains, because the owner of one can make any number of names below it. */
export const seenUnder = (domain: string): string => registrable(domain) ?? domain;

/**
 * The names under which what stands behind a domain's mail hosts is found again at other domains: the hosts' registrable domains
 * other than its own, and their addresses. None where a known mailbox provider runs one of the hosts.
 */
export function backEndsOf(
  isProvidersHost: (host: string) => boolean,
  domain: string,
  mail: MailHosts,
): readonly string[] {
  if (mail.kind !== 'found' || mail.hosts.some(isProvidersHost)) return [];
  const own = registrable(domain);
  const names = mail.hosts.map(registrable).filter((name) => name !== null && name !== own) as string[];
  return [...new Set([...names, ...(mail.addresses ?? [])])].slice(0, NAMES_MAX);
}

/**
 * Who is seen at a back end. `listed`: on the block tier. `known`: somebody's real mail domain, or one whose mail host is. `doubtful`: on
 * the signal tier, which counts neither for nor against a back end. `unlisted`: any other.
 */
export type SeenAs = 'listed' | 'known' | 'doubtful' | 'unlisted';

export function seenAs(lists: Lists, domain: string, backEnds: readonly string[]): SeenAs {
  if ([domain, ...backEnds].some((name) => isNeverDisposable(lists, name))) return 'known';
  const tier = lists.disposableTier(domain);
  if (tier === null) return 'unlisted';
  return tier === 'block' ? 'listed' : 'doubtful';
}

/** A domain that two organisations saw at a back end. Days are counted since 1970, UTC. */
export interface SeenDomain {
  readonly seenAs: SeenAs;
  readonly firstDay: number;
}

/**
 * A domain counts once as many saw it, a listed one too: else a back end with few customers here would show its listed domains
 * and none of its ordinary ones.
 */
export const ORGANISATIONS_NEEDED = 2;
/** A back end serves at least this many listed domains. */
export const LISTED_MIN = 5;
/** Lists take about this long to know a disposable domain. A back end is watched as long before it is judged. */
const PATIENCE_DAYS = 14;

/** To so many listed domains one may stay unlisted: no list has all domains of a service, and one would clear the largest service. */
const LISTED_PER_UNLISTED = 20;

/** Whether a back end serves throw-away domains: many listed ones, and no ordinary one. */
export function isThrowaway(seen: readonly SeenDomain[], today: number): boolean {
  const isOld = ({ firstDay }: SeenDomain): boolean => today - firstDay >= PATIENCE_DAYS;
  const listed = seen.filter((each) => each.seenAs === 'listed');
  const unlisted = seen.filter((each) => each.seenAs === 'unlisted');
  return (
    listed.length >= LISTED_MIN &&
    seen.some(isOld) &&
    unlisted.filter(isOld).length * LISTED_PER_UNLISTED <= listed.length &&
    // Most new domains are not listed yet; those of a recently met hosting company never will be.
    unlisted.length <= listed.length &&
    seen.every((each) => each.seenAs !== 'known')
  );
}

/** The suspected back ends; its version names its content. */
export interface SuspectedBackEnds {
  readonly version: string;
  readonly backEnds: readonly string[];
}

/** What a verification asks about back ends. */
export interface BackEnds {
  of(domain: string, mail: MailHosts): readonly string[];
  /**
   * One of them is suspected, the domain and all of them are unknown as real mail domains, and the domain is not a typo of a large
   * provider's.
   */
  areSuspected(domain: string, backEnds: readonly string[]): boolean;
}

export interface BackEndsDeps {
  readonly isProvidersHost: (host: string) => boolean;
  readonly isTypo: TypoTest;
  readonly lists: Lists;
}

export const createBackEnds = (
  { isProvidersHost, isTypo, lists }: BackEndsDeps,
  suspected: () => ReadonlySet<string>,
): BackEnds => ({
  of: (domain, mail) => backEndsOf(isProvidersHost, domain, mail),
  areSuspected: (domain, backEnds) =>
    backEnds.some((name) => suspected().has(name)) && seenAs(lists, domain, backEnds) !== 'known' && !isTypo(domain),
});
