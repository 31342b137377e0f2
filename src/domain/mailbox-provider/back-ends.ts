import { getDomain } from 'tldts';
import type { MailHosts } from '../dns/resolve.ts';
import type { TypoTest } from '../lists/overlay.ts';
import { isNeverDisposable } from '../lists/review-list.ts';
import { type Lists, SUFFIX_OPTIONS } from '../lists/lists.ts';

/** As many names as a trace stores. */
const NAMES_MAX = 6;

const registrable = (name: string): string | null => getDomain(name, SUFFIX_OPTIONS);

/** Tables list registrable domains, because an owner can make any number of names below one. */
export const seenUnder = (domain: string): string => registrable(domain) ?? domain;

/**
 * Names that identify a domain's back end at other domains too: its hosts' registrable domains other than its own, and
 * their addresses. None if a known mailbox provider runs one of the hosts.
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
 * How a domain counts at a back end. `listed`: on the block tier. `known`: a real mail domain, or its mail host is one.
 * `doubtful`: on the signal tier, which counts neither way. `unlisted`: any other.
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
 * Organisations that must see a domain, also a listed one: otherwise a back end with few customers here would show its
 * listed domains and none of its ordinary ones.
 */
export const ORGANISATIONS_NEEDED = 2;
/** Listed domains a back end must serve. */
export const LISTED_MIN = 5;
/** A back end is watched this long before it is judged: lists need that long for a new disposable domain. */
const PATIENCE_DAYS = 14;

/** One unlisted domain is tolerated among so many listed ones, since no list has all domains of a service. */
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
    // Most new domains are not listed yet; those of a newly seen hosting company never will be.
    unlisted.length <= listed.length &&
    seen.every((each) => each.seenAs !== 'known')
  );
}

/** The version identifies the content. */
export interface SuspectedBackEnds {
  readonly version: string;
  readonly backEnds: readonly string[];
}

/** What a verification asks about back ends. */
export interface BackEnds {
  of(domain: string, mail: MailHosts): readonly string[];
  /**
   * One of them is suspected, none of them nor the domain is a known mail domain, and the domain is not a typo of a
   * large provider's.
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
