/**
 * Suffixes whose registries admit governments, armed forces, health services, accredited colleges or treaty organisations alone.
 * A throwaway service can't have a name below them, so a list that holds one is wrong. `edu.pl`, `edu.kg`, `mil.pl` and
 * others like them are sold to anybody and stay out.
 */
const RESTRICTED: readonly { readonly suffixes: string; readonly reason: string }[] = [
  { suffixes: 'edu gov mil int arpa', reason: 'EDUCAUSE, CISA, the DoD and IANA check each registrant' },
  { suffixes: 'gov.uk nhs.uk police.uk mod.uk parliament.uk ac.uk', reason: 'Jisc and the Cabinet Office' },
  {
    suffixes: 'gov.ie gov.au edu.au govt.nz gc.ca gov.za',
    reason: 'Governments; Australian schools by their register',
  },
  { suffixes: 'gouv.fr gv.at gov.it gob.es gov.pt gov.gr gov.pl gov.cz gov.ro gov.hu', reason: 'European governments' },
  { suffixes: 'gov.tr gov.ua gov.il gov.in nic.in gov.cn gov.tw gov.hk gov.sg gov.my', reason: 'Asian governments' },
  {
    suffixes: 'go.jp lg.jp ac.jp go.kr go.th go.id',
    reason: 'Ministries, local governments and, of Japan, universities',
  },
  { suffixes: 'gov.br gob.mx gob.ar gob.cl gov.co gob.pe', reason: 'Governments of Latin America' },
];

const SUFFIXES: ReadonlySet<string> = new Set(RESTRICTED.flatMap(({ suffixes }) => suffixes.split(' ')));

/** Whether the domain is below such a suffix. Names come normalised. */
export function isBelowRestrictedSuffix(domain: string): boolean {
  const last = domain.lastIndexOf('.');
  const second = domain.lastIndexOf('.', last - 1);
  return SUFFIXES.has(domain.slice(last + 1)) || (second > 0 && SUFFIXES.has(domain.slice(second + 1)));
}
