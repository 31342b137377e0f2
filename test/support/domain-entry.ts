import type { MailHosts } from '../../src/domain/dns/mail-hosts.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';

/** The entry of KV, key and text, that says who takes a domain's mail. */
export function mailHostsEntry(
  domain: string,
  mailHosts: MailHosts,
  expiresAtMs = Date.now() + DAY_MS,
): [key: string, text: string] {
  const text = JSON.stringify({ expires_at: expiresAtMs, mail_hosts: mailHosts });
  return [`domain:v1:${domain}`, JSON.stringify({ 'mail-hosts:v1': { text, until: expiresAtMs } })];
}
