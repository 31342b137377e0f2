import type { MailHosts } from '../../src/domain/dns/resolve.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';

/** The entry of KV, key and text, that says who takes a domain's mail. */
export function mailHostsEntry(
  domain: string,
  mailHosts: MailHosts,
  until = Date.now() + DAY_MS,
): [key: string, text: string] {
  return [`domain:v2:${domain}`, JSON.stringify({ mail_hosts: { value: mailHosts, until } })];
}
