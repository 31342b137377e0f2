import type { MailHosts } from '../../src/domain/dns/resolve.ts';
import type { Lists } from '../../src/domain/lists/lists.ts';
import {
  backEndsOf,
  createBackEnds,
  isThrowaway,
  ORGANISATIONS_NEEDED,
  type SeenDomain,
  seenAs,
} from '../../src/domain/mailbox-provider/back-ends.ts';
import type { SeededRandom } from '../../test/support/seeded-random.ts';

/** Assumed, because no figures are published. A share is a number from 0 to 1. */
export interface World {
  readonly name: string;
  /**
   * The share of a service's domains behind its own hosts; half of the rest are at a hosting company, half at a large provider.
   */
  readonly ownHosts: number;
  /** The share of its domains that no list ever has. */
  readonly neverListed: number;
  /** The share of verified domains that two organisations verify. */
  readonly shared: number;
  /** The services' domains at hosting companies are at so many small ones, which mind them least. Without it: at any, by size. */
  readonly favoured?: number;
}

/** A throwaway domain and the service that offers it, oldest first. */
export interface Offered {
  readonly domain: string;
  readonly service: string;
}

export interface Found {
  /** Throwaway domains that no list has yet, and how many of them are suspected; on the service's own hosts alone, too. */
  readonly unlisted: number;
  readonly suspected: number;
  readonly unlistedAtOwn: number;
  readonly suspectedAtOwn: number;
  /** Real domains that are suspected: those that the shipped lists know, and the others. */
  readonly known: number;
  readonly knownSuspected: number;
  readonly unknown: number;
  readonly unknownSuspected: number;
}

const DAYS = 60;
/** The mean time from a domain's first use to its listing. */
const LAG_DAYS = 7;
/** Real domains: at a large provider, at a hosting company, the rest at hosts of their own. */
const AT_PROVIDER = 0.6;
const AT_HOSTER = 0.25;
const HOSTERS = 500;
/** Hosts may have the domain's own name (`mail.acme.com`) at a shared address. */
const OWN_NAME = 0.25;
/** Half of all domains occur within the period. */
const SEEN = 0.5;

const PROVIDERS_HOST = 'mx.large-provider.example';
const isProvidersHost = (host: string): boolean => host === PROVIDERS_HOST;

interface Verified {
  readonly domain: string;
  readonly mail: MailHosts;
  readonly firstDay: number;
  readonly organisations: number;
  /** The day on which a list has it; never for a real domain. */
  readonly listedDay: number;
  readonly isThrowaway: boolean;
  readonly isAtOwn: boolean;
}

const at = (host: string, address: string): MailHosts => ({
  kind: 'found',
  hosts: [host],
  implicit: false,
  addresses: [address],
});

/** Where a company's customers or a service's domains get their mail: one of two hosts, by its name or their own. */
function behind(draws: SeededRandom, company: string, domain: string): MailHosts {
  const host = 1 + draws.index([1, 1]);
  const name = draws.uniform() < OWN_NAME ? `mail.${domain}` : `mx${host}.${company}`;
  return at(name, `address ${host} of ${company}`);
}

/** Simulates sixty days of verifications, and applies the rule on the last day. */
export function simulate(
  world: World,
  offered: readonly Offered[],
  real: readonly string[],
  shipped: Lists,
  draws: SeededRandom,
): Found {
  // A few hosting companies have most of the customers.
  const sizes = Array.from({ length: HOSTERS }, (_, i) => 1 / (i + 1));
  const hoster = (): string => `hoster-${draws.index(sizes)}.example`;
  const favoured = Array.from({ length: world.favoured ?? 0 }, () => 1);
  const servicesHoster = (): string =>
    favoured.length === 0 ? hoster() : `hoster-${HOSTERS - 1 - draws.index(favoured)}.example`;
  const organisations = (): number => 1 + Number(draws.uniform() < world.shared);

  const throwaways = offered.map(({ domain, service }, i): Verified => {
    // In the order in which the services came to offer them, the last half within the time.
    const firstDay = Math.floor((DAYS * (2 * i - offered.length)) / offered.length);
    const isAtOwn = draws.uniform() < world.ownHosts;
    const isNever = draws.uniform() < world.neverListed;
    const elsewhere =
      draws.uniform() < 0.5 ? at(PROVIDERS_HOST, 'address of it') : behind(draws, servicesHoster(), domain);
    return {
      domain,
      mail: isAtOwn ? behind(draws, `back-end-of-${service}`, domain) : elsewhere,
      firstDay: Math.max(0, firstDay) + (firstDay < 0 ? Math.floor(draws.between(0, DAYS)) : 0),
      organisations: organisations(),
      listedDay: isNever ? Number.POSITIVE_INFINITY : firstDay - LAG_DAYS * Math.log(draws.uniform()),
      isThrowaway: true,
      isAtOwn,
    };
  });
  const ordinary = real.map((domain): Verified => {
    const kind = draws.index([AT_PROVIDER, AT_HOSTER, 1 - AT_PROVIDER - AT_HOSTER]);
    const own = at(`mail.${domain}`, `address of ${domain}`);
    return {
      domain,
      mail: [at(PROVIDERS_HOST, 'address of it'), behind(draws, hoster(), domain), own][kind] ?? own,
      firstDay: Math.floor(draws.between(0, DAYS)),
      organisations: organisations(),
      listedDay: Number.POSITIVE_INFINITY,
      isThrowaway: false,
      isAtOwn: false,
    };
  });

  const all = [...throwaways, ...ordinary];
  const listed = new Set(all.filter(({ listedDay }) => listedDay <= DAYS).map(({ domain }) => domain));
  const lists: Lists = { ...shipped, disposableTier: (domain) => (listed.has(domain) ? 'block' : null) };
  const seen = new Map<string, SeenDomain[]>();
  for (const { domain, mail, firstDay, organisations: sawIt } of all.filter(() => draws.uniform() < SEEN)) {
    if (sawIt < ORGANISATIONS_NEEDED) continue;
    const backEnds = backEndsOf(isProvidersHost, domain, mail);
    for (const name of backEnds) {
      const others = seen.get(name) ?? [];
      others.push({ seenAs: seenAs(lists, domain, backEnds), firstDay });
      seen.set(name, others);
    }
  }
  const table = new Set([...seen].filter(([, domains]) => isThrowaway(domains, DAYS)).map(([name]) => name));
  const rule = createBackEnds({ isProvidersHost, isTypo: () => false, lists }, () => table);
  const count = (of: readonly Verified[]) => ({
    of: of.length,
    suspected: of.filter(({ domain, mail }) => rule.areSuspected(domain, rule.of(domain, mail))).length,
  });
  const fresh = throwaways.filter(({ domain }) => !listed.has(domain));
  const [everywhere, own] = [count(fresh), count(fresh.filter(({ isAtOwn }) => isAtOwn))];
  const isKnown = ({ domain }: Verified): boolean => seenAs(lists, domain, []) === 'known';
  const [known, unknown] = [count(ordinary.filter(isKnown)), count(ordinary.filter((each) => !isKnown(each)))];
  return {
    unlisted: everywhere.of,
    suspected: everywhere.suspected,
    unlistedAtOwn: own.of,
    suspectedAtOwn: own.suspected,
    known: known.of,
    knownSuspected: known.suspected,
    unknown: unknown.of,
    unknownSuspected: unknown.suspected,
  };
}
