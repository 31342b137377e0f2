import { faker } from '@faker-js/faker';
import type { Company, Person } from '../../src/contract/decision.ts';
import type { Purpose } from '../../src/contract/vocabulary.ts';
import type { Feature } from '../../src/domain/belief/facts.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import type { MailHosts } from '../../src/domain/dns/resolve.ts';

/** A domain of the demo, and who really takes its mail. */
export interface DemoDomain {
  readonly name: string;
  readonly mailHosts: MailHosts;
  /** Row of the prior table that the truth is drawn from. */
  readonly cells: HostClass;
  readonly company: Company | null;
}

/** Who signs up, or stands on a list. */
export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly domain: DemoDomain;
  readonly seniority: Person['seniority'];
  readonly plan: 'free' | 'team' | 'enterprise';
  readonly source: 'organic' | 'ads' | 'partner' | 'referral';
  /** Signs up, or is written to before mail goes out. */
  readonly purpose: Extract<Purpose, 'signup' | 'outbound'>;
  /** What the address shows by itself, as far as it moves the truth. */
  readonly features: readonly Feature[];
}

export interface World {
  /** A person; a tenth of the calls are about one who was seen before. */
  draw(): DemoPerson;
  hostsOf(domain: string): MailHosts;
  companyOf(domain: string): Company | null;
}

const found = (...hosts: string[]): MailHosts => ({ kind: 'found', hosts, implicit: false });
const NOWHERE: MailHosts = { kind: 'none', why: 'nxdomain' };

type Weighted<T> = { readonly weight: number; readonly value: T };

/** How often each kind of address comes. */
type Kind = 'company' | 'free' | 'disposable' | 'relay' | 'typo' | 'nowhere';
const KINDS: readonly Weighted<Kind>[] = [
  { weight: 50, value: 'company' },
  { weight: 40, value: 'free' },
  { weight: 4, value: 'disposable' },
  { weight: 2, value: 'relay' },
  { weight: 2, value: 'typo' },
  { weight: 2, value: 'nowhere' },
];

const HOSTS: readonly Weighted<readonly [HostClass, (domain: string) => string]>[] = [
  { weight: 40, value: ['google_business', () => 'aspmx.l.google.com'] },
  {
    weight: 38,
    value: ['microsoft_business', (domain) => `${domain.replaceAll('.', '-')}.mail.protection.outlook.com`],
  },
  { weight: 6, value: ['proofpoint_business', () => 'mxa-0001.gslb.pphosted.com'] },
  { weight: 4, value: ['mimecast_business', () => 'us-smtp-inbound-1.mimecast.com'] },
  { weight: 12, value: ['unknown_business', (domain) => `mail.${domain}`] },
];

const FREE: readonly Weighted<DemoDomain>[] = [
  { weight: 60, value: consumer('gmail.com', 'google_consumer', 'gmail-smtp-in.l.google.com') },
  { weight: 18, value: consumer('outlook.com', 'microsoft_consumer', 'outlook-com.olc.protection.outlook.com') },
  { weight: 12, value: consumer('yahoo.com', 'yahoo_consumer', 'mta5.am0.yahoodns.net') },
  { weight: 6, value: consumer('icloud.com', 'apple_consumer', 'mx01.mail.icloud.com') },
  { weight: 4, value: consumer('gmx.net', 'unknown_consumer', 'mx00.emig.gmx.net') },
];
const DISPOSABLE = ['mailinator.com', 'guerrillamail.com', 'yopmail.com', 'temp-mail.org', 'sharklasers.com'].map(
  (name) => ({ ...consumer(name, 'disposable', `mail.${name}`), company: null }),
);
const RELAYS = ['privaterelay.appleid.com', 'duck.com'].map((name) => consumer(name, 'relay', `mx.${name}`));
const TYPOS = ['gmial.com', 'gamil.com', 'hotmial.com', 'outlok.com', 'yahooo.com'].map((name) =>
  consumer(name, 'unknown_business', `mx.${name}`),
);

function consumer(name: string, cells: HostClass, host: string): DemoDomain {
  return { name, cells, mailHosts: found(host), company: null };
}

const INDUSTRIES = ['Software', 'Retail', 'Healthcare', 'Education', 'Finance', 'Manufacturing', 'Media', 'Logistics'];
const SIZES: readonly Weighted<NonNullable<Company['employees_range']>>[] = [
  { weight: 25, value: '1-10' },
  { weight: 27, value: '11-50' },
  { weight: 20, value: '51-200' },
  { weight: 13, value: '201-500' },
  { weight: 8, value: '501-1000' },
  { weight: 5, value: '1001-5000' },
  { weight: 2, value: '5001-10000' },
];
const COUNTRIES = ['US', 'US', 'US', 'GB', 'DE', 'FR', 'NL', 'CA', 'IN', 'AU', 'BR', 'SE'];
const ROLES = ['info', 'sales', 'support', 'billing', 'admin', 'office'];
const COMPANIES = 900;
/** Share of people who sign up; the others stand in the CRM. */
const SIGNUPS = 0.7;
/** Share of company addresses that are of a role. */
const ROLE_SHARE = 0.08;
const SEEN_BEFORE = 0.1;

const pick = <T>(weighted: readonly Weighted<T>[]): T => faker.helpers.weightedArrayElement([...weighted]);
const chance = (share: number): boolean => faker.number.float() < share;

function drawCompany(at: number): DemoDomain {
  const title = faker.company.name();
  // Below `.example`, so that no address of the demo is anybody's.
  const name = `${title
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .replaceAll(/^-|-$/g, '')}${at % 7 === 0 ? `-${at}` : ''}.example`;
  const [cells, hostOf] = pick(HOSTS);
  const company: Company = {
    name: title,
    domain: name,
    industry: faker.helpers.arrayElement(INDUSTRIES),
    employees_range: pick(SIZES),
    country: faker.helpers.arrayElement(COUNTRIES),
  };
  return { name, cells, mailHosts: found(hostOf(name)), company };
}

/** People and companies of a demo; the same seed draws the same ones. */
export function drawWorld(seed: number): World {
  faker.seed(seed);
  const companies = Array.from({ length: COMPANIES }, (_, at) => drawCompany(at));
  const domains = new Map<string, DemoDomain>(
    [...companies, ...FREE.map(({ value }) => value), ...DISPOSABLE, ...RELAYS, ...TYPOS].map((each) => [
      each.name,
      each,
    ]),
  );
  const seen: DemoPerson[] = [];

  const drawDomain = (kind: Kind): DemoDomain => {
    if (kind === 'company') return faker.helpers.arrayElement(companies);
    if (kind === 'free') return pick(FREE);
    if (kind === 'disposable') return faker.helpers.arrayElement(DISPOSABLE);
    if (kind === 'relay') return faker.helpers.arrayElement(RELAYS);
    if (kind === 'typo') return faker.helpers.arrayElement(TYPOS);
    const name = `${faker.string.alpha({ length: 9, casing: 'lower' })}.example`;
    const nowhere: DemoDomain = { name, cells: 'unknown_business', mailHosts: NOWHERE, company: null };
    domains.set(name, nowhere);
    return nowhere;
  };

  function drawPerson(): DemoPerson {
    const kind = pick(KINDS);
    const domain = drawDomain(kind);
    const [first, last] = [faker.person.firstName(), faker.person.lastName()];
    const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
    const [given, family] = [plain(first), plain(last)];
    const digits = kind === 'free' && chance(0.45) ? String(faker.number.int({ min: 1, max: 2_030 })) : '';
    const isRole = kind === 'company' && chance(ROLE_SHARE);
    const purpose = chance(SIGNUPS) ? 'signup' : 'outbound';
    const features: Feature[] = [
      ...(kind === 'typo' ? (['typo_domain'] as const) : []),
      ...(isRole ? (['role'] as const) : []),
      ...(digits === '' ? [] : (['digits'] as const)),
      // A name comes with signups alone.
      ...(isRole || purpose === 'outbound' ? [] : (['name_match'] as const)),
    ];
    const local = isRole
      ? faker.helpers.arrayElement(ROLES)
      : `${faker.helpers.arrayElement([`${given}.${family}`, `${given}${family}`, `${given.charAt(0)}${family}`])}${digits}`;
    return {
      email: `${local}@${domain.name}`,
      name: `${first} ${last}`,
      domain,
      purpose,
      features,
      seniority: faker.helpers.arrayElement(['junior', 'senior', 'manager', 'director', 'executive']),
      plan: pick([
        { weight: 55, value: 'free' },
        { weight: 35, value: 'team' },
        { weight: 10, value: 'enterprise' },
      ]),
      source: pick([
        { weight: 45, value: 'organic' },
        { weight: 30, value: 'ads' },
        { weight: 15, value: 'partner' },
        { weight: 10, value: 'referral' },
      ]),
    };
  }

  return {
    draw: () => {
      if (seen.length > 0 && chance(SEEN_BEFORE)) return faker.helpers.arrayElement(seen);
      const person = drawPerson();
      seen.push(person);
      return person;
    },
    hostsOf: (domain) => domains.get(domain)?.mailHosts ?? NOWHERE,
    companyOf: (domain) => domains.get(domain)?.company ?? null,
  };
}
