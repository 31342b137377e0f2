import { BAND, BOUNDARY, firstRow, nextRow, prepare, symbolsOf } from './typos.ts';

/**
 * Mailbox domains people mean, with the share of typed addresses each has: what a typo is weighed with. Judged, and
 * only to the order of magnitude, which is all that counts: a factor of three is 1.1 nats, one typo is 8. Gmail, Outlook.com,
 * Yahoo and iCloud by the user numbers their owners state, national and access providers by the people they serve.
 */
interface ShareRow {
  /** The share of all typed addresses, for each of the domains. */
  readonly share: number;
  /** Parted by white space. */
  readonly domains: string;
  readonly reason: string;
}

const ROWS: readonly ShareRow[] = [
  { share: 0.4, domains: 'gmail.com', reason: '1.8 bn accounts; first by far in every table' },
  { share: 0.1, domains: 'yahoo.com hotmail.com', reason: 'Hundreds of millions each, the largest before Gmail' },
  { share: 0.03, domains: 'outlook.com icloud.com aol.com', reason: 'The other world-wide names' },
  {
    share: 0.01,
    domains: `
      live.com msn.com mail.ru yandex.ru qq.com 163.com comcast.net hotmail.co.uk hotmail.fr yahoo.co.uk yahoo.fr
      yahoo.co.in yahoo.com.br gmx.de web.de orange.fr libero.it googlemail.com yahoo.co.jp naver.com`,
    reason: 'First in a large country, or in the first twenty everywhere',
  },
  {
    share: 0.003,
    domains: `
      me.com mac.com ymail.com rocketmail.com protonmail.com proton.me att.net verizon.net sbcglobal.net cox.net
      bellsouth.net charter.net hotmail.it hotmail.es hotmail.de yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.in
      yahoo.com.au yahoo.com.mx yahoo.com.ar yahoo.co.id live.co.uk live.fr live.nl outlook.fr outlook.es outlook.de
      btinternet.com sky.com wanadoo.fr free.fr sfr.fr laposte.net t-online.de gmx.net gmx.at freenet.de virgilio.it
      alice.it tiscali.it uol.com.br bol.com.br terra.com.br rediffmail.com bigpond.com shaw.ca rogers.com 126.com
      sina.com hanmail.net daum.net rambler.ru seznam.cz wp.pl o2.pl onet.pl interia.pl ukr.net zoho.com mail.com
      gmx.com aim.com inbox.ru bk.ru list.ru ya.ru yandex.com telenet.be skynet.be bluewin.ch docomo.ne.jp`,
    reason: 'Widely used: in the first hundred everywhere, or among the first three of a country',
  },
  {
    share: 0.0006,
    domains: `
      earthlink.net optonline.net juno.com netzero.net windstream.net frontier.com centurylink.net roadrunner.com rr.com
      pacbell.net ameritech.net mindspring.com optimum.net suddenlink.net tds.net xfinity.com twc.com
      sympatico.ca telus.net videotron.ca bell.net cogeco.ca blueyonder.co.uk ntlworld.com virginmedia.com virgin.net
      talktalk.net tiscali.co.uk o2.co.uk talk21.com neuf.fr aliceadsl.fr club-internet.fr bbox.fr numericable.fr
      voila.fr live.it live.de live.be live.ca live.com.au live.com.mx live.se live.dk live.no live.cn live.jp
      outlook.it outlook.com.br outlook.jp outlook.pt outlook.be outlook.dk outlook.at outlook.co.id outlook.in
      hotmail.be hotmail.nl hotmail.ca hotmail.se hotmail.ch hotmail.com.br hotmail.com.ar hotmail.com.tr hotmail.co.jp
      hotmail.gr hotmail.dk hotmail.no hotmail.fi hotmail.com.au hotmail.co.th hotmail.cl msn.nl
      yahoo.at yahoo.be yahoo.ch yahoo.dk yahoo.gr yahoo.ie yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se
      yahoo.com.cn yahoo.cn yahoo.com.hk yahoo.com.my yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.vn
      yahoo.co.nz yahoo.co.kr yahoo.co.th yahoo.co.za yahoo.cl yahoo.com.co yahoo.com.pe yahoo.com.ve
      arcor.de gmx.ch online.de email.de posteo.de mailbox.org vodafone.de netcologne.de magenta.de
      tin.it tim.it inwind.it iol.it fastwebnet.it email.it terra.es telefonica.net ono.com sapo.pt
      ig.com.br globo.com r7.com oi.com.br globomail.com prodigy.net.mx fibertel.com.ar
      home.nl ziggo.nl kpnmail.nl planet.nl hetnet.nl chello.nl xs4all.nl upcmail.nl casema.nl quicknet.nl
      proximus.be scarlet.be voo.be hispeed.ch sunrise.ch aon.at a1.net chello.at
      telia.com comhem.se spray.se bredband.net online.no mail.dk jubii.dk stofanet.dk elisanet.fi kolumbus.fi luukku.com
      centrum.cz email.cz post.cz volny.cz atlas.cz azet.sk centrum.sk zoznam.sk freemail.hu citromail.hu t-online.hu
      op.pl vp.pl poczta.fm poczta.onet.pl gazeta.pl tlen.pl neostrada.pl abv.bg mail.bg siol.net net.hr inet.hr
      otenet.gr forthnet.gr inbox.lv inbox.lt mynet.com i.ua meta.ua bigmir.net tut.by internet.ru
      walla.com walla.co.il netvision.net.il bezeqint.net 012.net.il zahav.net.il
      bigpond.net.au bigpond.com.au optusnet.com.au iinet.net.au tpg.com.au westnet.com.au xtra.co.nz
      sina.cn sina.com.cn sohu.com 139.com 189.cn yeah.net foxmail.com aliyun.com hinet.net netvigator.com
      nate.com hanmir.com kakao.com nifty.com ezweb.ne.jp softbank.ne.jp i.softbank.jp biglobe.ne.jp ocn.ne.jp
      indiatimes.com rediff.com singnet.com.sg telkomsa.net mweb.co.za webmail.co.za
      fastmail.com fastmail.fm hushmail.com tutanota.com tuta.com tuta.io pm.me protonmail.ch hey.com duck.com zohomail.com
      gmx.co.uk gmx.fr gmx.us usa.net excite.com lycos.com inbox.com email.com windowslive.com netscape.net compuserve.com
      cs.com eircom.net iol.ie btopenworld.com sasktel.net eastlink.ca netcourrier.com mailo.com runbox.com startmail.com
      disroot.org riseup.net mailfence.com movistar.es jazztel.es plusnet.com kabelmail.de vodafonemail.de
      infinitum.com.mx emirates.net.ae`,
    reason: 'The rest a visitor of some country is likely to have: access providers, national variants, paid mailboxes',
  },
];

/** Names that are a mailbox service's and nothing else: under a suffix where it has no mail, they are a typo. */
export const MAIL_BRANDS: ReadonlySet<string> = new Set([
  'gmail',
  'googlemail',
  'hotmail',
  'yahoo',
  'ymail',
  'rocketmail',
  'aol',
  'icloud',
  'protonmail',
  'tutanota',
  'rediffmail',
  'hanmail',
  'sbcglobal',
  'btinternet',
  'bigpond',
  'windowslive',
]);

/** Mailbox services of many countries whose names others bear too: under another suffix `.com` may have been meant. */
export const WORLD_BRANDS: ReadonlySet<string> = new Set(['outlook', 'live', 'gmx']);

export interface MailboxDomain {
  readonly domain: string;
  /** Before the first dot. */
  readonly brand: string;
  /** After it. */
  readonly suffix: string;
  /** The suffix typed twice, with one dot missing or none. */
  readonly repeated: readonly string[];
  /** Natural logarithm of its share of typed addresses. */
  readonly logShare: number;
}

function mailboxDomain(domain: string, share: number): MailboxDomain {
  const dot = domain.indexOf('.');
  const suffix = domain.slice(dot + 1);
  const repeated = [`.${suffix}.${suffix}`, `.${suffix}${suffix}`, `${suffix}.${suffix}`];
  return { domain, brand: domain.slice(0, dot), suffix, repeated, logShare: Math.log(share) };
}

const domainsIn = (domains: string): string[] => domains.trim().split(/\s+/);

export const MAILBOX_DOMAINS: readonly MailboxDomain[] = ROWS.flatMap(({ share, domains }) =>
  domainsIn(domains).map((domain) => mailboxDomain(domain, share)),
);

const BY_DOMAIN: ReadonlyMap<string, MailboxDomain> = new Map(
  MAILBOX_DOMAINS.map((provider) => [provider.domain, provider]),
);
/** The largest domain of each brand. */
export const LARGEST_OF_BRAND: ReadonlyMap<string, MailboxDomain> = new Map(
  MAILBOX_DOMAINS.toReversed().map((provider) => [provider.brand, provider]),
);
export const mailboxDomainAt = (domain: string): MailboxDomain | null => BY_DOMAIN.get(domain) ?? null;
export const isMailboxDomain = (domain: string): boolean => BY_DOMAIN.has(domain);

interface Node {
  readonly symbol: number;
  readonly children: Node[];
  /** The greatest log share below. */
  best: number;
  provider: MailboxDomain | null;
  /** The domains of a node that ends a brand (`yahoo`). */
  readonly variants: MailboxDomain[];
}

const newNode = (symbol: number): Node => ({
  symbol,
  children: [],
  best: Number.NEGATIVE_INFINITY,
  provider: null,
  variants: [],
});

function plant(providers: readonly MailboxDomain[]): Node {
  const root = newNode(BOUNDARY);
  for (const provider of providers) {
    let node = root;
    symbolsOf(provider.domain).forEach((symbol, i) => {
      node.best = Math.max(node.best, provider.logShare);
      if (i === provider.brand.length) node.variants.push(provider);
      let child = node.children.find((one) => one.symbol === symbol);
      if (child === undefined) {
        child = newNode(symbol);
        node.children.push(child);
      }
      node = child;
    });
    node.best = provider.logShare;
    node.provider = provider;
  }
  sortChildren(root);
  return root;
}

/** The likeliest first: what is found raises the floor for the rest. */
function sortChildren(node: Node): void {
  node.children.sort((a, b) => b.best - a.best);
  for (const child of node.children) sortChildren(child);
}

const ROOT = plant(MAILBOX_DOMAINS);
const DEEPEST = Math.max(...MAILBOX_DOMAINS.map(({ domain }) => domain.length));
/** A longer text is too long for a typo of any mailbox domain. Bounds the work. */
const LONGEST = DEEPEST + 8;
const WIDTH = LONGEST + 1;
/** One matrix for all walks: a walk never waits. */
const MATRIX = new Float64Array((DEEPEST + 1) * WIDTH);

/** What the first `length` typed characters cost as a typo, in nats. */
type CostAt = (length: number) => number;

interface Visitor {
  /** Log probability below which nothing is of interest any more; asked again at every branch. */
  floor(): number;
  /** A provider the text, or its beginning, may be a typo of. */
  provider(provider: MailboxDomain, costAt: CostAt): void;
  /** A brand the text's beginning may be a typo of, with its domains. */
  brand(variants: readonly MailboxDomain[], costAt: CostAt): void;
}

/**
 * Walks the trie of providers with the weighted edit distance to the typed text, a row of the matrix a node. Leaves out the
 * branches whose log probability can't reach the floor.
 */
export function walkMailboxDomains(text: string, substitute: Float64Array, visitor: Visitor): void {
  if (text.length > LONGEST) return;
  const typed = prepare(text, substitute);
  firstRow(MATRIX, typed);
  const visit = (node: Node, depth: number, cost: number): void => {
    if (node.provider !== null || node.variants.length > 0) {
      // What lies outside the band was not filled.
      const costAt: CostAt = (length) =>
        depth - length > BAND ? Number.POSITIVE_INFINITY : (MATRIX[depth * WIDTH + length] as number);
      if (node.provider !== null) visitor.provider(node.provider, costAt);
      if (node.variants.length > 0) visitor.brand(node.variants, costAt);
    }
    for (const child of node.children) {
      // No row costs less than the one before it.
      if (child.best - cost < visitor.floor()) continue;
      const least = nextRow(MATRIX, WIDTH, depth + 1, node.symbol, child.symbol, typed);
      if (child.best - least >= visitor.floor()) visit(child, depth + 1, least);
    }
  };
  visit(ROOT, 0, 0);
}
