import type { MailHosts } from '../../src/domain/dns/resolve.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';

/** The KV entry (key and text) with a domain's mail hosts. */
export function mailHostsEntry(
  domain: string,
  mailHosts: MailHosts,
  until = Date.now() + DAY_MS,
): [key: string, text: string] {
  return [`domain:v2:${domain}`, JSON.stringify({ mail_hosts: { value: mailHosts, until } })];
}
