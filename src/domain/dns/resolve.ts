/** Why a look-up failed. `servfail`: any error code of the resolver (SERVFAIL, REFUSED …). */
export type DnsFailure = 'servfail' | 'timeout' | 'unreachable' | 'malformed';

/** Names are lower case without the trailing dot; the root is `.`. */
export interface MailExchange {
  readonly preference: number;
  readonly exchange: string;
}

/** Each record type's data. A and AAAA: the IP address as text. */
export interface RecordData {
  readonly MX: MailExchange;
  readonly A: string;
  readonly AAAA: string;
}

export type RecordType = keyof RecordData;

/** The answer to one question (RFC 2308 §2). `ttlS`: whole seconds it may be cached. */
export type DnsAnswer<T extends RecordType> =
  | { readonly kind: 'records'; readonly records: readonly RecordData[T][]; readonly ttlS: number }
  | { readonly kind: 'nodata' | 'nxdomain'; readonly ttlS: number }
  | { readonly kind: 'failed'; readonly why: DnsFailure };

export type DnsResult = 'records' | 'nodata' | 'nxdomain' | DnsFailure;

/** Never rejects. */
export type DnsQuery = <T extends RecordType>(name: string, type: T) => Promise<DnsAnswer<T>>;

/**
 * How DNS says that a domain takes no mail. `null_mx`: RFC 7505. `no_usable_host`: its records can't name an Internet
 * mail host. `no_host_address`: none of its hosts has an address.
 */
export const NO_MAIL_REASONS = ['nxdomain', 'no_records', 'null_mx', 'no_usable_host', 'no_host_address'] as const;

/**
 * A domain's mail hosts (RFC 5321 §5.1, RFC 7505). A failed look-up is `unresolved` and never counts as "no mail
 * hosts".
 */
export type MailHosts =
  | {
      readonly kind: 'found';
      /** Lower case, no trailing dot, best preference first. */
      readonly hosts: readonly string[];
      /** The domain has an address record but no MX record, so it is its own mail host (RFC 5321 §5.1). */
      readonly implicit: boolean;
      /** Addresses of one of the hosts. Absent where a known mailbox provider runs them. */
      readonly addresses?: readonly string[];
    }
  | { readonly kind: 'none'; readonly why: (typeof NO_MAIL_REASONS)[number] }
  | { readonly kind: 'unresolved'; readonly why: DnsFailure };

/** Mail hosts with the whole seconds they may be cached. */
export interface ResolvedMailHosts {
  readonly mailHosts: MailHosts;
  readonly ttlS: number;
}

/**
 * Looks up the mail hosts of a lower-case A-label domain. Never rejects. By `deadlineMs` (service time) it answers
 * `unresolved: timeout`; without one, by its own limit.
 */
export type FindMailHosts = (domain: string, deadlineMs?: number) => Promise<MailHosts>;

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/**
 * IPv4 blocks unreachable from the Internet: IANA's special-purpose registry (RFC 6890), without the documentation
 * blocks, where test zones put hosts that stand for reachable ones.
 */
const UNREACHABLE = (
  [
    ['0.0.0.0', 8, '"This network" (RFC 791); parked domains say with it that they take no mail'],
    ['10.0.0.0', 8, 'Private use (RFC 1918)'],
    ['100.64.0.0', 10, 'Shared by a carrier’s customers, behind its NAT (RFC 6598)'],
    ['127.0.0.0', 8, 'Loopback (RFC 1122)'],
    ['169.254.0.0', 16, 'Link-local (RFC 3927)'],
    ['172.16.0.0', 12, 'Private use (RFC 1918)'],
    ['192.0.0.0', 24, 'IETF protocol assignments (RFC 6890)'],
    ['192.168.0.0', 16, 'Private use (RFC 1918)'],
    ['198.18.0.0', 15, 'Benchmarks of networks (RFC 2544)'],
    ['224.0.0.0', 3, 'Multicast (RFC 5771), reserved (RFC 1112) and broadcast (RFC 919)'],
  ] as const
).map(([block, bits]) => ({ first: numberOf(block), size: 2 ** (32 - bits) }));

/** Global unicast addresses of IPv6, 2000::/3 (RFC 4291 §2.4). */
const GLOBAL_IPV6 = /^[23][0-9a-f]{3}:/i;

export function isReachable(address: string): boolean {
  if (address.includes(':')) return GLOBAL_IPV6.test(address);
  const number = numberOf(address);
  return number >= 0 && !UNREACHABLE.some(({ first, size }) => number >= first && number < first + size);
}

/** RFC 9520 §3.2: failures are cached for at least a second, but briefly; five spare a resolver in trouble. */
const FAILURE_TTL_S = 5;

/** More hosts than a real domain lists. Bounds a hostile zone's use of memory, KV and answers. */
const HOSTS_MAX = 20;

/** Hosts asked for their addresses, best first: two parallel questions each. */
const HOSTS_ASKED_MAX = 3;

const ADDRESSES_MAX = 4;

type FoundHosts = Extract<MailHosts, { kind: 'found' }>;

const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/**
 * Whether an MX exchange can name a host (RFC 5321 §5.1 requires a domain name): not an IP address (a top-level domain
 * is never numeric, RFC 3696 §2), `localhost` (RFC 6761 §6.3) or other text.
 */
function isMailHostName(name: string): boolean {
  const top = name.slice(name.lastIndexOf('.') + 1);
  return HOST_NAME.test(name) && !/^[0-9]+$/.test(top) && top !== 'localhost';
}

/** By preference, then name: resolvers rotate equal records, and answers should be stable. */
function byPreference(a: MailExchange, b: MailExchange): number {
  return a.preference - b.preference || Number(a.exchange > b.exchange) - Number(a.exchange < b.exchange);
}

function fromExchanges(records: readonly MailExchange[]): MailHosts {
  // RFC 7505: "." as the only exchange says "no mail here". Its preference should be 0 but is not always.
  if (records.every(({ exchange }) => exchange === '.')) return { kind: 'none', why: 'null_mx' };
  const usable = records.filter(({ exchange }) => isMailHostName(exchange)).sort(byPreference);
  // RFC 5321 §5.1: if all MX records are unusable that is an error; address records don't count then.
  if (usable.length === 0) return { kind: 'none', why: 'no_usable_host' };
  const hosts = [...new Set(usable.map(({ exchange }) => exchange))].slice(0, HOSTS_MAX);
  return { kind: 'found', hosts, implicit: false };
}

const failed = (why: DnsFailure): ResolvedMailHosts => ({
  mailHosts: { kind: 'unresolved', why },
  ttlS: FAILURE_TTL_S,
});

/** A name's address records. `none`: it has none that can be reached. */
type Located =
  | { readonly kind: 'usable'; readonly addresses: readonly string[]; readonly ttlS: number }
  | { readonly kind: 'none'; readonly hasRecords: boolean; readonly ttlS: number }
  | { readonly kind: 'failed'; readonly why: DnsFailure };

async function locate(query: DnsQuery, name: string): Promise<Located> {
  const answers: readonly DnsAnswer<'A' | 'AAAA'>[] = await Promise.all([query(name, 'A'), query(name, 'AAAA')]);
  const withRecords = answers.filter((answer) => answer.kind === 'records');
  const usable = withRecords.find(({ records }) => records.some(isReachable));
  if (usable) {
    const addresses = usable.records.filter(isReachable).slice(0, ADDRESSES_MAX);
    return { kind: 'usable', addresses, ttlS: usable.ttlS };
  }
  // The failed family might have had the address.
  const failure = answers.find((answer) => answer.kind === 'failed');
  if (failure) return failure;
  const ttlS = Math.min(...answers.map((answer) => (answer.kind === 'failed' ? 0 : answer.ttlS)));
  return { kind: 'none', hasRecords: withRecords.length > 0, ttlS };
}

/** Without an MX record, an address record makes the domain its own mail host. `mxTtlS`: how long "no MX" holds. */
async function resolveImplicit(query: DnsQuery, domain: string, mxTtlS: number): Promise<ResolvedMailHosts> {
  const located = await locate(query, domain);
  if (located.kind === 'failed') return failed(located.why);
  const ttlS = Math.min(mxTtlS, located.ttlS);
  if (located.kind === 'none')
    return { mailHosts: { kind: 'none', why: located.hasRecords ? 'no_usable_host' : 'no_records' }, ttlS };
  return { mailHosts: { kind: 'found', hosts: [domain], implicit: true, addresses: located.addresses }, ttlS };
}

/** The first host that has an address, without waiting for the others; null if none has one. */
const firstUsable = (hosts: readonly Promise<Located>[]): Promise<Extract<Located, { kind: 'usable' }> | null> =>
  Promise.any(
    hosts.map(async (host) => {
      const located = await host;
      if (located.kind !== 'usable') throw new Error(located.kind);
      return located;
    }),
  ).catch(() => null);

/**
 * A host without an address takes no mail, and one with an address is enough. If a question failed and no host is known
 * to have one, the mail hosts are unknown.
 */
async function resolveHosts(query: DnsQuery, found: FoundHosts, mxTtlS: number): Promise<ResolvedMailHosts> {
  const asked = found.hosts.slice(0, HOSTS_ASKED_MAX).map((host) => locate(query, host));
  const usable = await firstUsable(asked);
  // The existence of a host holds as long as the MX record; its address may change meanwhile.
  if (usable) return { mailHosts: { ...found, addresses: usable.addresses }, ttlS: mxTtlS };
  const located = await Promise.all(asked);
  const failure = located.find((each) => each.kind === 'failed');
  if (failure) return failed(failure.why);
  // A host that was not asked may be the one that takes the mail.
  if (found.hosts.length > HOSTS_ASKED_MAX) return { mailHosts: found, ttlS: mxTtlS };
  const ttls = located.map((each) => (each.kind === 'none' ? each.ttlS : 0));
  return { mailHosts: { kind: 'none', why: 'no_host_address' }, ttlS: Math.min(mxTtlS, ...ttls) };
}

/**
 * Finds a domain's mail hosts (RFC 5321 §5.1): its MX records, else its own address. "None" requires an answer to every
 * question it rests on. Reserved names (RFC 6761, `.onion`) are asked too: resolvers answer them from their own tables,
 * and a local one may serve zones under `.test`. Hosts of known mailbox providers (`isProvidersHost`) are not asked for
 * addresses.
 */
export async function resolveMailHosts(
  query: DnsQuery,
  domain: string,
  isProvidersHost: (host: string) => boolean,
): Promise<ResolvedMailHosts> {
  const mx = await query(domain, 'MX');
  switch (mx.kind) {
    case 'records': {
      const mailHosts = fromExchanges(mx.records);
      const isKnown = mailHosts.kind !== 'found' || mailHosts.hosts.some(isProvidersHost);
      return isKnown ? { mailHosts, ttlS: mx.ttlS } : resolveHosts(query, mailHosts, mx.ttlS);
    }
    case 'nodata':
      return resolveImplicit(query, domain, mx.ttlS);
    case 'nxdomain':
      return { mailHosts: { kind: 'none', why: 'nxdomain' }, ttlS: mx.ttlS };
    case 'failed':
      return failed(mx.why);
  }
}
