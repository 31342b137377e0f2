/** Ordinary people, and the hosts that their mailboxes are at. */

/** Mail hosts of new company domains, which decide the host class. */
export const COMPANY_HOSTS = {
  'a company at Workspace': ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
  'a company at Microsoft 365': ['%-de.mail.protection.outlook.com'],
  'a company with its own servers': ['mx1.%.de', 'mx2.%.de'],
  'a company behind Mimecast': ['eu-smtp-inbound-1.mimecast.com', 'eu-smtp-inbound-2.mimecast.com'],
} as const;
type Company = keyof typeof COMPANY_HOSTS;
const CONSUMERS = ['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'] as const;
export type Host = Company | (typeof CONSUMERS)[number];
export const isCompany = (host: Host): host is Company => host in COMPANY_HOSTS;

/** Hosts whose domains mostly distinguish mailboxes. */
export const STRICT: readonly Host[] = [...CONSUMERS, 'a company at Workspace', 'a company with its own servers'];
export const ORDINARY: readonly Host[] = [...STRICT, 'a company at Microsoft 365'];
const GIVEN = ['maria', 'thomas', 'julia', 'andreas', 'helen', 'peter', 'laura', 'martin', 'claire', 'daniel'];
const FAMILY = ['keller', 'wagner', 'turner', 'moreau', 'rossi', 'jansen', 'novak', 'larsen', 'fischer', 'carter'];
export const nameAt = (n: number): string =>
  `${GIVEN[n % 10]}.${FAMILY[Math.floor(n / 10) % 10]}${n < 100 ? '' : FAMILY[Math.floor(n / 100) % 10]}`;
