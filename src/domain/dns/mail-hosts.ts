import type { DnsFailure } from './query.ts';

/**
 * How DNS says that a domain takes no mail. `null_mx`: RFC 7505. `no_usable_host`: the domain has records, but they can't
 * name a mail host on the Internet. `no_host_address`: none of the hosts named has an address.
 */
export const NO_MAIL_REASONS = ['nxdomain', 'no_records', 'null_mx', 'no_usable_host', 'no_host_address'] as const;

/**
 * What DNS says about a domain's mail hosts (RFC 5321 §5.1, RFC 7505). A failed look-up has a kind of its own,
 * `unresolved`: it never counts as "no mail hosts".
 */
export type MailHosts =
  | {
      readonly kind: 'found';
      /** Host names, lower case, no trailing dot, best preference first. */
      readonly hosts: readonly string[];
      /** The domain has an address record but no MX record, so it is its own mail host (RFC 5321 §5.1). */
      readonly implicit: boolean;
      /** Addresses of one of the hosts. Absent where none was asked for: a known mailbox provider runs them. */
      readonly addresses?: readonly string[];
    }
  | { readonly kind: 'none'; readonly why: (typeof NO_MAIL_REASONS)[number] }
  | { readonly kind: 'unresolved'; readonly why: DnsFailure };

/** Mail hosts as DNS gave them, with the whole seconds they may be kept. */
export interface ResolvedMailHosts {
  readonly mailHosts: MailHosts;
  readonly ttlS: number;
}

/**
 * Looks up the mail hosts of a lower-case A-label domain. Never rejects. At `deadlineMs` (service time) at the latest
 * it answers `unresolved: timeout`; without one, after the finder's own limit.
 */
export type FindMailHosts = (domain: string, deadlineMs?: number) => Promise<MailHosts>;
