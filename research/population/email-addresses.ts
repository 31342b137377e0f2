import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { addressAt, type SimulatedAddress } from './addresses.ts';
import type { Population } from './population.ts';

/**
 * The domain that stands for a population's at each kind of host: below a name of the local stack's test zone, so that every
 * address has a domain of its own, and for consumer hosts a real one of theirs, as only these are known for consumers'.
 */
const DOMAINS: Readonly<Partial<Record<HostClass, string>>> = {
  google_business: '*.google-workspace.test',
  microsoft_business: '*.microsoft-365.test',
  unknown_business: '*.bulk.test',
  proofpoint_business: '*.proofpoint.test',
  mimecast_business: '*.mimecast.test',
  barracuda_business: '*.barracuda.test',
  google_consumer: 'gmail.com',
  microsoft_consumer: 'outlook.com',
  yahoo_consumer: 'yahoo.com',
  apple_consumer: 'icloud.com',
  unknown_consumer: 'gmx.net',
};

/** Some of the addresses at a domain of their own have a role's name. */
const ROLES = ['info', 'sales', 'support', 'billing'];
const ROLE_EACH = 8;

/** The e-mail address of a population's address, for `addressesPerDomain` 1. */
export function emailOf({ index, host: { host } }: SimulatedAddress): string {
  const domain = DOMAINS[host];
  if (domain === undefined) throw new Error(`no domain stands for ${host}`);
  if (!domain.startsWith('*.')) return `w${index}@${domain}`;
  const role = index % ROLE_EACH === 0 ? ROLES[(index / ROLE_EACH) % ROLES.length] : undefined;
  return `${role ?? `w${index}`}@d${index}.${domain.slice(2)}`;
}

export const isRole = (email: string): boolean => !/^w\d+@/.test(email);

/** The inverse: the population's address of an e-mail address. */
export function addressOf(population: Population, email: string): SimulatedAddress {
  const index = /^w(\d+)@/.exec(email)?.[1] ?? /@d(\d+)\./.exec(email)?.[1];
  if (index === undefined) throw new Error('no address of a population');
  return addressAt(population, Number(index));
}
