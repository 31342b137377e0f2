/**
 * Why a look-up failed. `servfail`: the resolver answered with an error code (SERVFAIL, REFUSED or any other).
 */
export type DnsFailure = 'servfail' | 'timeout' | 'unreachable' | 'malformed';

/** Names are lower case without the trailing dot; the root is `.`. */
export interface MailExchange {
  readonly preference: number;
  readonly exchange: string;
}

/** The data of each record type. A and AAAA: the IP address in its usual text form. */
export interface RecordData {
  readonly MX: MailExchange;
  readonly A: string;
  readonly AAAA: string;
}

export type RecordType = keyof RecordData;

/**
 * The answer to one question (RFC 2308 §2): the name has such records, has none, does not exist, or the look-up failed.
 * `ttlS`: whole seconds this may be kept.
 */
export type DnsAnswer<T extends RecordType> =
  | { readonly kind: 'records'; readonly records: readonly RecordData[T][]; readonly ttlS: number }
  | { readonly kind: 'nodata' | 'nxdomain'; readonly ttlS: number }
  | { readonly kind: 'failed'; readonly why: DnsFailure };

/** How a question ended, for counters. */
export type DnsResult = 'records' | 'nodata' | 'nxdomain' | DnsFailure;

/** Asks one question. Never rejects. */
export type DnsQuery = <T extends RecordType>(name: string, type: T) => Promise<DnsAnswer<T>>;
