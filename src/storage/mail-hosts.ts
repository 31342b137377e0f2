import * as z from 'zod';
import { type MailHosts, NO_MAIL_REASONS } from '../domain/dns/mail-hosts.ts';
import { type FactStore, parseFact, readFact, writeFact } from './kv.ts';

/** The version in the key changes with the shape of the value, or with what it rests on. */
const KEY = 'mail-hosts:v1:';
const kvKey = (domain: string): string => KEY + domain;
export const isMailHostsKey = (key: string): boolean => key.startsWith(KEY);

const StoredMailHosts = z.object({
  expires_at: z.number(),
  mail_hosts: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('found'),
      hosts: z.array(z.string()).min(1),
      implicit: z.boolean(),
      addresses: z.array(z.string()).exactOptional(),
    }),
    z.object({ kind: z.literal('none'), why: z.enum(NO_MAIL_REASONS) }),
  ]),
});

/** A domain's mail hosts, and when they expire in milliseconds of service time. */
export interface KeptMailHosts {
  readonly expiresAtMs: number;
  readonly mailHosts: MailHosts;
}

/** A value of another shape is a miss. Never rejects. */
export async function readMailHosts(kv: FactStore, domain: string): Promise<KeptMailHosts | null> {
  const stored = parseFact(await readFact(kv, kvKey(domain)), StoredMailHosts);
  return stored && { expiresAtMs: stored.expires_at, mailHosts: stored.mail_hosts };
}

/** A failed look-up would be read as a miss: the caller stores none. Never rejects. */
export const writeMailHosts = (
  kv: FactStore,
  domain: string,
  { expiresAtMs, mailHosts }: KeptMailHosts,
  lifetimeMs: number,
): Promise<void> => writeFact(kv, kvKey(domain), { expires_at: expiresAtMs, mail_hosts: mailHosts }, lifetimeMs);
