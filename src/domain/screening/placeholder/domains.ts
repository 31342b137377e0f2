import { getDomainWithoutSuffix, getPublicSuffix } from 'tldts';

interface DomainRow {
  /** Parted by white space, lower case. */
  readonly names: string;
  readonly reason: string;
}

/** With everything below them. */
const RESERVED_ROWS: readonly DomainRow[] = [
  { names: 'example.com example.net example.org', reason: 'RFC 2606, section 3: for examples' },
  { names: 'test example invalid localhost', reason: 'RFC 2606, section 2, and RFC 6761: never in the DNS' },
];

/** Registrable labels, under any registrant. */
const STAND_IN_ROWS: readonly DomainRow[] = [
  {
    names: 'example placeholder',
    reason: 'The word RFC 2606 reserves, under another suffix: example.de, example.co.uk',
  },
  {
    names: `yourdomain your-domain mydomain my-domain yourcompany your-company yoursite your-site yourwebsite youremail yourmail yourname
      domainname`,
    reason: 'The text a form or a manual shows',
  },
];

/** Registrable labels under a generic suffix; under a country's they are somebody's: test.de, null.fr. */
const GENERIC_STAND_IN_ROWS: readonly DomainRow[] = [
  { names: 'test testing fake dummy bogus domain', reason: 'The same words as in local parts' },
  { names: 'none null undefined nothing unknown nowhere', reason: 'Says that there is none' },
  { names: 'noemail nomail noreply nodomain', reason: 'Says that no mail is wanted' },
  { names: 'asdf asdfgh qwerty foobar foo', reason: 'Stock nonsense' },
];
const GENERIC_SUFFIXES: ReadonlySet<string> = new Set(['com', 'net', 'org', 'tld']);

const namesIn = (rows: readonly DomainRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ names }) => names.split(/\s+/)));
const RESERVED = namesIn(RESERVED_ROWS);
const STAND_INS = namesIn(STAND_IN_ROWS);
const GENERIC_STAND_INS = namesIn(GENERIC_STAND_IN_ROWS);

/** Text typed into a form may be no host name at all: nothing is checked. */
const OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false };

/** Set aside for examples and tests (RFC 2606, RFC 6761). Lower case. */
export function isReservedDomain(domain: string): boolean {
  const labels = domain.split('.');
  return RESERVED.has(labels.at(-1) ?? '') || RESERVED.has(labels.slice(-2).join('.'));
}

/** What stands before the public suffix, without hosts: `mail.acme.co.uk` → `acme`. Empty for a bare suffix. */
export const domainLabel = (domain: string): string => getDomainWithoutSuffix(domain, OPTIONS) ?? '';

/** Whether any address at the domain, with this label (see `domainLabel`), stands in for another. */
export const isStandInDomain = (domain: string, label: string): boolean =>
  STAND_INS.has(label) ||
  (GENERIC_STAND_INS.has(label) && GENERIC_SUFFIXES.has(getPublicSuffix(domain, OPTIONS) ?? ''));
