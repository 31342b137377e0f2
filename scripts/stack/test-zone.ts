import { a, aaaa, cname, mx, txt, type Zone, type ZoneName, type ZoneRecord } from './dns-zone.ts';

/**
 * The test zone: names under `.test` (RFC 2606 keeps it free) that show everything DNS can say about a mail domain. Always
 * answered locally, online or not. Addresses are of the documentation ranges (RFC 5737, RFC 3849).
 *
 * `*.` in front stands for any labels. A name under `.test` that is not listed does not exist (NXDOMAIN).
 */
interface TestName {
  readonly name: string;
  readonly shows: string;
  readonly records?: readonly ZoneRecord[];
  readonly fails?: NonNullable<ZoneName['fails']>;
  readonly delayMs?: number;
  readonly ttlS?: number;
}

const ADDRESS = '192.0.2.25';
const ADDRESS_V6 = '2001:db8::25';

export const TEST_NAMES: readonly TestName[] = [
  {
    name: 'business.test',
    shows: 'An ordinary business domain that runs its own two mail hosts: receives mail, self-hosted.',
    records: [...mx('10 mx1.business.test, 20 mx2.business.test'), ...a(ADDRESS), ...txt('v=spf1 mx -all')],
  },
  { name: 'mx1.business.test', shows: 'The address of a mail host.', records: [...a(ADDRESS), ...aaaa(ADDRESS_V6)] },
  { name: 'mx2.business.test', shows: 'The address of the second mail host.', records: a('192.0.2.26') },
  {
    name: '*.bulk.test',
    shows: 'Any name below it is a business domain of its own: as many domains as a load test wants.',
    records: [...mx('10 mx1.business.test'), ...a(ADDRESS)],
  },
  {
    name: 'catch-all.test',
    shows: 'A business domain whose mail host accepts every recipient; DNS alone does not tell.',
    records: [...mx('10 mx1.catch-all.test'), ...a('192.0.2.30')],
  },
  { name: 'mx1.catch-all.test', shows: 'The host that accepts every recipient.', records: a('192.0.2.30') },
  {
    name: 'google-workspace.test',
    shows: 'Mail at Google Workspace, the five hosts of older set-ups.',
    records: [
      ...mx(
        '1 aspmx.l.google.com, 5 alt1.aspmx.l.google.com, 5 alt2.aspmx.l.google.com, 10 alt3.aspmx.l.google.com, 10 alt4.aspmx.l.google.com',
      ),
      ...txt('v=spf1 include:_spf.google.com ~all'),
    ],
  },
  {
    name: 'google-workspace-single.test',
    shows: 'Mail at Google Workspace, the one host of set-ups since 2023.',
    records: mx('1 smtp.google.com'),
  },
  {
    name: 'microsoft-365.test',
    shows: 'Mail at Microsoft 365.',
    records: [
      ...mx('0 microsoft365-test.mail.protection.outlook.com'),
      ...txt('v=spf1 include:spf.protection.outlook.com -all'),
    ],
  },
  { name: 'zoho.test', shows: 'Mail at Zoho.', records: mx('10 mx.zoho.com, 20 mx2.zoho.com, 50 mx3.zoho.com') },
  {
    name: 'proofpoint.test',
    shows: 'The Proofpoint gateway in front: who holds the mailboxes can not be seen.',
    records: mx('10 mx0a-00000001.pphosted.com, 10 mx0b-00000001.pphosted.com'),
  },
  {
    name: 'mimecast.test',
    shows: 'The Mimecast gateway in front.',
    records: mx('10 eu-smtp-inbound-1.mimecast.com, 10 eu-smtp-inbound-2.mimecast.com'),
  },
  {
    name: 'barracuda.test',
    shows: 'The Barracuda gateway in front.',
    records: mx('10 d000001a.ess.barracudanetworks.com, 10 d000001b.ess.barracudanetworks.com'),
  },
  {
    name: '*.google-workspace.test',
    shows: 'Any name below it is an alias of it: as many domains at that host as a simulated world wants.',
    records: cname('google-workspace.test'),
  },
  {
    name: '*.microsoft-365.test',
    shows: 'The same at this host.',
    records: cname('microsoft-365.test'),
  },
  {
    name: '*.proofpoint.test',
    shows: 'The same at this host.',
    records: cname('proofpoint.test'),
  },
  {
    name: '*.mimecast.test',
    shows: 'The same at this host.',
    records: cname('mimecast.test'),
  },
  {
    name: '*.barracuda.test',
    shows: 'The same at this host.',
    records: cname('barracuda.test'),
  },
  {
    name: 'many-mx.test',
    shows: 'Twelve mail hosts, given out of order.',
    records: mx(
      '60 mx6.many-mx.test, 10 mx1.many-mx.test, 120 mx12.many-mx.test, 30 mx3.many-mx.test, 90 mx9.many-mx.test, 20 mx2.many-mx.test, 80 mx8.many-mx.test, 50 mx5.many-mx.test, 110 mx11.many-mx.test, 40 mx4.many-mx.test, 100 mx10.many-mx.test, 70 mx7.many-mx.test',
    ),
  },
  { name: '*.many-mx.test', shows: 'The address of each of them.', records: a('192.0.2.31') },
  {
    name: 'dead-mx.test',
    shows:
      'Its two mail hosts do not exist, or have no address: it can not receive mail, though it has an address itself.',
    records: [...mx('10 nxdomain.test, 20 no-mail.test'), ...a(ADDRESS)],
  },
  {
    name: 'half-dead-mx.test',
    shows: 'The first of its mail hosts does not exist, the second does: receives mail.',
    records: mx('10 nxdomain.test, 20 mx1.business.test'),
  },
  {
    name: 'mx-servfail.test',
    shows: 'The resolver could not find out whether its mail host has an address.',
    records: mx('10 servfail.test'),
  },
  {
    name: 'null-mx.test',
    shows: 'A null MX (RFC 7505): the domain says that it takes no mail, though it has an address.',
    records: [...mx('0 .'), ...a(ADDRESS), ...txt('v=spf1 -all')],
  },
  {
    name: 'implicit-mx.test',
    shows: 'No MX but an IPv4 address: the domain itself is the mail host (RFC 5321, section 5.1).',
    records: a(ADDRESS),
  },
  {
    name: 'implicit-mx-ipv6.test',
    shows: 'No MX but an IPv6 address: an implicit mail host as well.',
    records: aaaa(ADDRESS_V6),
  },
  {
    name: 'no-mail.test',
    shows: 'The name exists (it has a TXT record) but has neither a mail host nor an address: it can not receive mail.',
    records: txt('v=spf1 -all'),
  },
  { name: 'nxdomain.test', shows: 'No such name, as for every name not listed here.', fails: 'NXDOMAIN' },
  {
    name: 'alias.test',
    shows: 'An alias (CNAME) of business.test, whose mail hosts it thereby has.',
    records: cname('business.test'),
  },
  { name: 'alias-null-mx.test', shows: 'An alias of null-mx.test.', records: cname('null-mx.test') },
  { name: 'alias-nowhere.test', shows: 'An alias of a name that does not exist.', records: cname('nxdomain.test') },
  {
    name: 'alias-loop.test',
    shows: 'An alias of itself, by way of a second name.',
    records: cname('alias-loop-2.test'),
  },
  { name: 'alias-loop-2.test', shows: 'The other half of the loop.', records: cname('alias-loop.test') },
  { name: 'servfail.test', shows: 'SERVFAIL: the resolver could not find out.', fails: 'SERVFAIL' },
  { name: 'refused.test', shows: 'REFUSED: the resolver will not say.', fails: 'REFUSED' },
  { name: 'timeout.test', shows: 'No answer, ever.', fails: 'silent' },
  { name: 'malformed.test', shows: 'An answer that is cut short and can not be read.', fails: 'malformed' },
  {
    name: 'slow.test',
    shows: 'A business domain whose answer takes 800 ms.',
    records: mx('10 mx1.business.test'),
    delayMs: 800,
  },
  {
    name: 'short-ttl.test',
    shows: 'A business domain whose records may be kept for one second only.',
    records: mx('10 mx1.business.test'),
    ttlS: 1,
  },
];

const LISTED = new Map(TEST_NAMES.map((entry) => [entry.name, entry]));

function find(name: string): TestName | undefined {
  const exact = LISTED.get(name);
  if (exact) return exact;
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const wildcard = LISTED.get(`*${name.slice(dot)}`);
    if (wildcard) return wildcard;
  }
  return undefined;
}

/** `name` in lower case, without the final dot. */
export const testZone: Zone = (name) => {
  if (name !== 'test' && !name.endsWith('.test')) return null;
  const { records = [], fails, delayMs, ttlS = 300 } = find(name) ?? { fails: 'NXDOMAIN' };
  return { ttlS, records, ...(fails && { fails }), ...(delayMs && { delayMs }) };
};
