import { getDomain } from 'tldts';
import type { Lists } from '../lists/lists.ts';
import type { MailHostClassifier } from './classify.ts';

/** Kept by hand: a wide list's word alone does not make a domain known. */
const isCurated = (lists: Lists, domain: string): boolean => lists.isFreeProvider(domain) && lists.isKnown(domain);

/** Whether mail hosts are a consumer provider's: by the table of hosts or, of hosts it does not know, at a curated provider's domain. */
export function areConsumerHosts(lists: Lists, classify: MailHostClassifier, hosts: readonly string[]): boolean {
  const { family, consumerHosts } = classify({ hosts, domain: '', isFree: false });
  return consumerHosts || (family === null && hosts.some((host) => isCurated(lists, getDomain(host) ?? '')));
}

/**
 * Whether a domain is a consumer mailbox provider's. Wide lists hold domains that companies and persons have bought since, so what
 * one says alone counts where a provider's hosts take the domain's mail.
 */
export const isConsumerDomain = (
  lists: Lists,
  classify: MailHostClassifier,
  domain: string,
  hosts: readonly string[],
): boolean => lists.isFreeProvider(domain) && (lists.isKnown(domain) || areConsumerHosts(lists, classify, hosts));
