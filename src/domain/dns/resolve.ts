import type { MailHosts, ResolvedMailHosts } from './mail-hosts.ts';
import type { DnsAnswer, DnsFailure, DnsQuery, MailExchange } from './query.ts';

/**
 * RFC 9520 §3.2: a failure is cached for at least a second, but briefly; five seconds spare a resolver in trouble.
 */
const FAILURE_TTL_S = 5;

/** More hosts than a real domain lists. Bounds what one hostile zone can put into memory, KV and an answer. */
const HOSTS_MAX = 20;

const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/**
 * Whether an MX record's exchange can name a host (RFC 5321 §5.1 requires a domain name). It can't be an IP address
 * ("192.0.2.25."; a top-level domain is never numeric, RFC 3696 §2), `localhost` (RFC 6761 §6.3) or text with other
 * signs.
 */
function isMailHostName(name: string): boolean {
  const top = name.slice(name.lastIndexOf('.') + 1);
  return HOST_NAME.test(name) && !/^[0-9]+$/.test(top) && top !== 'localhost';
}

/** 0.0.0.0/8, 127.0.0.0/8, `::`, `::1` (RFC 6890): "this host". Parked domains use it to say that they take no mail. */
const pointsAtItself = (address: string): boolean => /^(?:0|127)\.|^::1?$/.test(address);

/** Orders by preference, then by name: resolvers rotate equal records, and our answers should stay the same. */
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

/** Without an MX record, an address record makes the domain its own mail host. `mxTtlS`: how long "no MX" holds. */
async function resolveImplicit(query: DnsQuery, domain: string, mxTtlS: number): Promise<ResolvedMailHosts> {
  const answers: readonly DnsAnswer<'A' | 'AAAA'>[] = await Promise.all([query(domain, 'A'), query(domain, 'AAAA')]);
  const withRecords = answers.filter((answer) => answer.kind === 'records');
  const usable = withRecords.find(({ records }) => !records.every(pointsAtItself));
  if (usable) {
    const mailHosts: MailHosts = { kind: 'found', hosts: [domain], implicit: true };
    return { mailHosts, ttlS: Math.min(mxTtlS, usable.ttlS) };
  }
  // The family that failed might have had the address.
  const failure = answers.find((answer) => answer.kind === 'failed');
  if (failure) return failed(failure.why);
  const ttlS = Math.min(mxTtlS, ...answers.map((answer) => (answer.kind === 'failed' ? 0 : answer.ttlS)));
  return { mailHosts: { kind: 'none', why: withRecords.length > 0 ? 'no_usable_host' : 'no_records' }, ttlS };
}

/**
 * Finds where mail for a domain goes (RFC 5321 §5.1): its MX records, else its own address. "None" is said only when
 * every question it rests on was answered. Reserved names (RFC 6761, `.onion`) are asked like any other: resolvers
 * answer them from their own tables, and a local resolver may serve zones of its own under `.test`.
 */
export async function resolveMailHosts(query: DnsQuery, domain: string): Promise<ResolvedMailHosts> {
  const mx = await query(domain, 'MX');
  switch (mx.kind) {
    case 'records':
      return { mailHosts: fromExchanges(mx.records), ttlS: mx.ttlS };
    case 'nodata':
      return resolveImplicit(query, domain, mx.ttlS);
    case 'nxdomain':
      return { mailHosts: { kind: 'none', why: 'nxdomain' }, ttlS: mx.ttlS };
    case 'failed':
      return failed(mx.why);
  }
}
