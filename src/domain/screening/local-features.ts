import { isPublished, isSeldom, mailboxFault } from '../address/mailbox-rules.ts';
import type { Address } from '../address/parse.ts';
import type { Traits } from '../answer/precheck.ts';
import { FEATURES, type Feature } from '../belief/facts.ts';
import type { MailHosts } from '../dns/resolve.ts';
import type { Lists } from '../lists/lists.ts';
import type { MailboxProvider } from '../mailbox-provider/classify.ts';
import type { NameMatch } from './names/match-name.ts';
import { isHollowWord, isPlaceholder, isReservedDomain } from './placeholder/placeholder.ts';
import { isGibberish } from './placeholder/gibberish.ts';
import { wordsOf } from './typed-address.ts';

/** Facts about an address once its domain is looked up. */
export interface LocalSight {
  readonly address: Address;
  readonly mail: MailHosts;
  readonly provider: Pick<MailboxProvider, 'family'>;
  readonly traits: Traits;
  readonly lists: Lists;
  /** The domain is a typo of a well-known one. */
  readonly isTypo: boolean;
  /** How the local part fits the name that was sent, or null. */
  readonly nameMatch: NameMatch | null;
}

/** Hosts that take mail for unused domains; the family's name in `patterns.json`. */
const PARKED = 'parked';

/** The address's own features, in the order of `FEATURES`. */
export function localFeatures(observed: LocalSight): Feature[] {
  const { address, mail, provider, traits, isTypo, nameMatch } = observed;
  const suspicions = suspicionsOf(observed);
  const isOn: Readonly<Record<Feature, boolean>> = {
    typo_domain: isTypo,
    impossible: suspicions.includes('impossible'),
    too_short: suspicions.includes('too_short'),
    unusual: suspicions.includes('unusual'),
    gibberish: suspicions.includes('gibberish'),
    placeholder: suspicions.includes('placeholder'),
    parked_mail_hosts: provider.family === PARKED,
    address_record_only: mail.kind === 'found' && mail.implicit,
    role: traits.role,
    digits: !isMadeUp(traits) && /\d/.test(wordsOf(address.local).join('')),
    name_match: nameMatch === 'match',
  };
  return FEATURES.filter((feature) => isOn[feature]);
}

/** Relays and agents generate local parts. */
const isMadeUp = ({ relay, agent }: Traits): boolean => relay || agent;

/** The feature of a broken provider rule: never issued, hardly ever so short, or merely unusual. */
function faultOf({ local, domain }: Address): Feature | null {
  const fault = mailboxFault(local, domain);
  if (fault === null) return null;
  if (!isSeldom(fault, domain)) return 'impossible';
  return fault === 'too_short' && isPublished(fault, domain) ? 'too_short' : 'unusual';
}

/** Every suspicion about the local part; the belief counts only the strongest. */
function suspicionsOf({ address, traits, lists, nameMatch }: LocalSight): Feature[] {
  if (isMadeUp(traits)) return [];
  const { local, domain } = address;
  const isOfName = nameMatch === 'match' || nameMatch === 'typo' || nameMatch === 'partial';
  const fault = faultOf(address);
  const words = wordsOf(local.toLowerCase());
  const found: Feature[] = fault === null ? [] : [fault];
  if (!isOfName && isGibberish(words, !traits.consumer)) found.push('gibberish');
  // A reserved name with mail hosts is in a private zone: only the local part counts.
  const looks = isReservedDomain(domain)
    ? isHollowWord(words.join(''))
    : isPlaceholder({ local, domain }, lists, isOfName);
  // Gibberish looks like a placeholder too, but has a weight of its own.
  if (looks && !found.includes('gibberish')) found.push('placeholder');
  return found;
}
