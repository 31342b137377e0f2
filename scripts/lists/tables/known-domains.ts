import type { NamedRow } from './row.ts';

/** Legitimate domains that disposable lists have held, or that stand close to names they hold or to a mailbox provider's. */
export const KNOWN_DOMAINS: readonly NamedRow[] = [
  {
    who: 'Stiftung Warentest',
    names: 'test.de',
    reason: 'German consumer organisation; mailchecker lists it as a test domain',
  },
  { who: 'craigslist', names: 'craigslist.org', reason: 'Listed by disposable-email-domains (ivolo)' },
  { who: 'Yandex', names: 'yandex.net', reason: 'Its network; listed by mailchecker' },
  {
    who: 'Cloaked',
    names: 'cloaked.id cloaked.com cloaked.dev',
    reason: 'Company domains; amieiro/disposable-email-domains #39',
  },
  { who: 'ImprovMX', names: 'improvmx.com', reason: 'The company, not a mailbox domain; listed by mailchecker' },
  { who: 'Forward Email', names: 'forwardemail.net', reason: "The company that forwards for customers' own domains" },
  { who: 'Proton', names: 'proton.ch protonvpn.com', reason: "The company's own, beside its consumer domains" },
  { who: 'Fastmail', names: 'fastmailteam.com', reason: "The company's own, beside its consumer domains" },
  { who: 'Tuta', names: 'tutao.de', reason: "The company's own, beside its consumer domains" },
  { who: 'DuckDuckGo', names: 'duckduckgo.com', reason: "The company's own, beside its relay domain" },
  { who: 'Mozilla', names: 'mozilla.org mozilla.com', reason: "The company's own, beside its relay domain" },
  { who: 'Apple', names: 'apple.com appleid.com', reason: "The company's own, beside its relay and consumer domains" },
  { who: 'BT', names: 'bt.com', reason: "The company's own, beside its consumer domains" },
  { who: 'Cloud Software Group', names: 'cloud.com', reason: "Citrix's owner; one letter from icloud.com" },
  { who: 'Libera', names: 'libera.it', reason: 'Italian association against the mafia; one letter from libero.it' },
  { who: 'Libro', names: 'libro.it', reason: 'The Italian word for a book, held as a name; one letter from libero.it' },
  {
    who: 'Orage',
    names: 'orage.fr',
    reason: 'The French word for a thunderstorm, held as a name; one letter from orange.fr',
  },
  { who: 'Hola', names: 'hola.org', reason: 'The VPN company, whose staff write from it; two lists hold it' },
  { who: 'Nokia Siemens Networks', names: 'nsn.com', reason: 'Now Nokia Networks; one key from msn.com' },
  {
    who: 'JD Cloud',
    names: 'jcloud.com',
    reason: 'Its storage; among the 10,000 most asked for at OpenDNS; a key from icloud.com',
  },
  {
    who: 'TPG',
    names: 'tpgi.com.au',
    reason: "Names its customers' lines; among Tranco's 50,000; a letter from tpg.com.au",
  },
  {
    who: 'Virgin Media',
    names: 'virginm.net',
    reason: "Names its customers' lines; among Tranco's 50,000; a letter from virgin.net",
  },
  {
    who: 'SoftBank',
    names: 'softbank.jp',
    reason: "The company's own; among Tranco's 50,000; its mailboxes are at softbank.ne.jp",
  },
  {
    who: 'Invoicebox',
    names: 'invbox.ru',
    reason: "Its payment service; among Tranco's 50,000; a letter from inbox.ru",
  },
];
