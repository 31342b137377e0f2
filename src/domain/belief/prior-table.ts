import { type Figure, figure } from './figure.ts';
import type { HostClass } from './host-class.ts';

/**
 * What the recipient's mail server says to RCPT TO for this address. Every provider looks at it, and given the server's
 * answer their reports are independent, so it alone carries the correlation between them.
 */
export type ServerAnswer = 'accepts' | 'refuses' | 'accepts_all' | 'inconclusive';

/** A cell: whether the domain accepts every recipient, and the server's answer for this one. */
export interface Cell {
  readonly acceptsAll: boolean;
  readonly answer: ServerAnswer;
  /** Pseudo-observations of this cell; over the host class's total it is the cell's share (Dirichlet). */
  readonly alpha: number;
  /** Pseudo-observations of a hard bounce, and of none, for mail sent to an address in this cell (Beta). */
  readonly bounced: number;
  readonly landed: number;
}

export type HostPrior = readonly Cell[];

/**
 * The seeded prior: how the addresses of each host class divide over the cells, and how often mail to each cell hard-bounces.
 * Every number stands here once, with its reference and its weight in pseudo-observations.
 *
 * Where the figures are read:
 * - OrbiSearch: orbisearch.com/research/catch-all-domains
 * - ZeroBounce 2025: its report of 2026-02-26 on prnewswire.com (302697945); guarantee: zerobounce.in, The ZB Guarantee
 * - DeBounce: debounce.io/deliverability-guarantee. Reacher: help.reacher.email/faq. Dropcontact: dropcontact.io
 * - biz-genius: biz-genius.com/benchmarking-3-email-cleaning-apps (1,000 addresses that had been mailed)
 * - centminmod: github.com/centminmod/validate-emails (15 addresses, 9 verifiers, May 2024)
 * - Prospeo: prospeo.io/s/check-if-email-address-is-real (second-hand). Superkabe: superkabe.com/blog
 * - NeverBounce lineage: bulkmail.co.za, "What is a catch-all". Every Market Media: everymarketmedia.com/blog
 * - owner/name #n: the issue or pull request on GitHub
 */

/**
 * Weight of the shares of one host class. The rates behind REFUSED differ by about a factor of ten in odds (standard
 * deviation 1.1 in log-odds), which equals a cell of 1 to 2 pseudo-observations; hence 20.
 */
const SHARES = 20;

const ORBISEARCH = 'OrbiSearch, MX of 1.6 M business domains, May 2026';

/** Share of a host's domains that accept every recipient. */
const CATCH_ALL = {
  google: figure(0.36, SHARES, `${ORBISEARCH}: Google Workspace, 658,000 domains`),
  microsoft: figure(0.226, SHARES, `${ORBISEARCH}: Microsoft 365, 691,000 domains`),
  other: figure(0.329, SHARES, `${ORBISEARCH}: other and self-hosted, 212,000 domains`),
  proofpoint: figure(0.714, SHARES, `${ORBISEARCH}: Proofpoint, 9,100 domains`),
  mimecast: figure(0.229, SHARES, `${ORBISEARCH}: Mimecast, 5,200 domains`),
  barracuda: figure(
    0.97,
    SHARES,
    `${ORBISEARCH}: Barracuda, 32,000 domains: .999; lower, so that one refusal is still worth something`,
  ),
  gateway: figure(
    0.857,
    SHARES,
    `${ORBISEARCH}: its four gateways (with Trend Micro, 86.1 % of 3,700) by their domains`,
  ),
  unresolved: figure(0.314, SHARES, `${ORBISEARCH}: all business domains, as the host is not known`),
  consumer: figure(
    0.01,
    SHARES,
    'Judgement: a consumer provider does not accept every name; above 0 because verifiers have reported Yahoo as accept-all (centminmod/validate-emails, May 2024)',
  ),
  relay: figure(
    0.05,
    10,
    'Judgement: some relays create an alias on its first mail (SimpleLogin directories); no published figure',
  ),
  disposable: figure(0.75, 10, 'Judgement: throwaway services make a mailbox when mail arrives; no published figure'),
};

/** Share that the server refuses, at domains that don't accept everything. */
const REFUSED = {
  submitted: figure(
    0.09,
    SHARES,
    'Mean in log-odds (.086) of the refused share of what was decided, from dirty lists to live sign-ups: .275 (ZeroBounce 2025: 23.5 % invalid, 62 % valid of 11 bn), .127 (Prospeo: 80.94 % valid of ~1 bn in 23 industries, the rest divided as at ZeroBounce), .044 (biz-genius: bounces of a known-good list of 1,000), .03 (Kilo-Org/cloud #1499: transactional mail). Left out: .21 % of opt-in sends, lists already cleaned by sending',
  ),
  unresolved: figure(
    0.12,
    SHARES,
    'As submitted and .03: a look-up that failed does not exclude domains without mail, which bounce every message',
  ),
  relay: figure(
    0.044,
    10,
    'biz-genius: bounces of a known-good list, the refused share of typed addresses being too high here: an alias is made by machine and pasted, not typed, and a disabled one drops mail without a bounce (Firefox Relay, micke/valid_email2 #202)',
  ),
};

/** Share for which the server gives no usable answer. */
const INCONCLUSIVE = {
  open: figure(
    0.06,
    SHARES,
    'Between ZeroBounce 2025 (4 % neither valid, invalid, catch-all nor abuse) and 10 % (Dropcontact)',
  ),
  guarded: figure(
    0.1,
    SHARES,
    'Dropcontact: 90 % of ordinary domains can be resolved; hosts that throttle or greylist probes (Yahoo and Microsoft are where verifiers differ, centminmod 2024)',
  ),
};

/** Hard bounces of mail sent to addresses of a cell. */
interface BounceRates {
  readonly accepts: Figure;
  readonly refuses: Figure;
  /** Also when a domain that accepts everything gave no usable answer: its answer would not depend on the mailbox. */
  readonly acceptsAll: Figure;
  readonly inconclusive: Figure;
}

const REFUSED_FOR_GOOD =
  'Reacher: 99 % of its invalid. The 1 % of delivered addresses that vendors call invalid (biz-genius) stands in their rows';
const REFUSED_ELSEWHERE = 'Judgement: less than at other hosts (99 %)';
const CATCH_ALL_BOUNCE =
  'between half of the list’s invalid rate (NeverBounce lineage) and 8 to 15 % of cold B2B (Superkabe)';
const UNDECIDED = 'Judgement: between the base rate and a catch-all’s';

const BOUNCE = {
  google: {
    accepts: figure(0.01, 30, 'Guarantees: ZeroBounce ≤ 1 %, DeBounce ≤ 2 %, outside Microsoft, Yahoo and AOL'),
    refuses: figure(0.99, 30, REFUSED_FOR_GOOD),
    acceptsAll: figure(0.07, 20, `Catch-all bounce: ${CATCH_ALL_BOUNCE}, at its low end`),
    inconclusive: figure(0.1, 20, UNDECIDED),
  },
  microsoft: {
    accepts: figure(
      0.03,
      30,
      'Guarantees: ZeroBounce ≤ 4 %, DeBounce ≤ 5 % on Microsoft hosts, promised with a margin',
    ),
    refuses: figure(
      0.97,
      20,
      `${REFUSED_ELSEWHERE}; existing Outlook mailboxes were answered as absent (AfterShip/email-verifier #55, #152)`,
    ),
    acceptsAll: figure(
      0.12,
      20,
      `Catch-all bounce: ${CATCH_ALL_BOUNCE}; tenants that refuse after accepting (Every Market Media)`,
    ),
    inconclusive: figure(0.15, 20, UNDECIDED),
  },
  yahoo: {
    accepts: figure(0.03, 30, 'Guarantee: ZeroBounce ≤ 4 % on Yahoo and AOL, disabled accounts excluded'),
    refuses: figure(0.97, 20, `${REFUSED_ELSEWHERE}; Yahoo answers differ between verifiers (centminmod 2024)`),
    acceptsAll: figure(0.1, 10, `Catch-all bounce: ${CATCH_ALL_BOUNCE}; none published for Yahoo`),
    inconclusive: figure(0.15, 20, UNDECIDED),
  },
  gateway: {
    accepts: figure(
      0.03,
      10,
      'Judgement: as strict as Microsoft, the host behind may still refuse; no published figure',
    ),
    refuses: figure(0.97, 20, `${REFUSED_ELSEWHERE}; a gateway refuses probes for the sender’s sake too`),
    acceptsAll: figure(0.1, 20, `Catch-all bounce: ${CATCH_ALL_BOUNCE}`),
    inconclusive: figure(0.12, 20, UNDECIDED),
  },
  other: {
    accepts: figure(0.02, 30, 'Guarantees: ZeroBounce ≤ 1 %, DeBounce ≤ 2 %; Reacher: < 2 to 3 % of its safe'),
    refuses: figure(0.99, 30, REFUSED_FOR_GOOD),
    acceptsAll: figure(0.1, 20, `Catch-all bounce: ${CATCH_ALL_BOUNCE}`),
    inconclusive: figure(0.2, 20, `${UNDECIDED}, raised: self-hosted servers greylist and time out more`),
  },
  otherConsumer: {
    accepts: figure(
      0.04,
      20,
      'Mean in log-odds of other hosts (.02) and GMX and web.de (.08; DeBounce: "maybe more than 10 %")',
    ),
    refuses: figure(0.97, 20, `${REFUSED_ELSEWHERE}; as Yahoo`),
    acceptsAll: figure(0.1, 10, `Catch-all bounce: ${CATCH_ALL_BOUNCE}; none published for consumer hosts`),
    inconclusive: figure(0.15, 20, UNDECIDED),
  },
  unresolved: {
    accepts: figure(0.02, 30, 'Mean of Google, Microsoft, gateways and others by OrbiSearch’s domains'),
    refuses: figure(0.98, 20, 'Mean of Google, Microsoft, gateways and others by OrbiSearch’s domains'),
    acceptsAll: figure(0.09, 20, 'Mean of Google, Microsoft, gateways and others by OrbiSearch’s catch-all domains'),
    inconclusive: figure(0.135, 20, 'Mean of Google, Microsoft, gateways and others by OrbiSearch’s domains'),
  },
  disposable: {
    accepts: figure(0.3, 10, 'Judgement: many take mail today and are gone within 30 days; no published figure'),
    refuses: figure(0.97, 20, `${REFUSED_ELSEWHERE}; as Yahoo`),
    acceptsAll: figure(0.3, 10, 'Judgement: many take mail today and are gone within 30 days; no published figure'),
    inconclusive: figure(0.3, 10, 'Judgement: many take mail today and are gone within 30 days; no published figure'),
  },
} satisfies Record<string, BounceRates>;

/**
 * The cells of a host class. Their total is the smallest weight among the shares'. To know that a domain accepts everything
 * never makes an address safer than a stranger: its server has not said that the mailbox is there.
 */
function cells(catchAll: Figure, refused: Figure, inconclusive: Figure, rates: BounceRates): HostPrior {
  const accepted = 1 - refused.mean - inconclusive.mean;
  const ofBaseline =
    accepted * rates.accepts.mean + refused.mean * rates.refuses.mean + inconclusive.mean * rates.inconclusive.mean;
  const acceptsAll = { ...rates.acceptsAll, mean: Math.max(rates.acceptsAll.mean, ofBaseline) };
  const total = Math.min(catchAll.weight, refused.weight, inconclusive.weight);
  const wild = total * catchAll.mean;
  const strict = total - wild;
  const bounces = ({ mean, weight }: Figure) => ({ bounced: mean * weight, landed: (1 - mean) * weight });
  return [
    {
      acceptsAll: false,
      answer: 'accepts',
      alpha: strict * accepted,
      ...bounces(rates.accepts),
    },
    { acceptsAll: false, answer: 'refuses', alpha: strict * refused.mean, ...bounces(rates.refuses) },
    { acceptsAll: false, answer: 'inconclusive', alpha: strict * inconclusive.mean, ...bounces(rates.inconclusive) },
    { acceptsAll: true, answer: 'accepts_all', alpha: wild * (1 - inconclusive.mean), ...bounces(acceptsAll) },
    { acceptsAll: true, answer: 'inconclusive', alpha: wild * inconclusive.mean, ...bounces(acceptsAll) },
  ];
}

const { open, guarded } = INCONCLUSIVE;
const { submitted } = REFUSED;

/** Hosts without a figure of their own share the row of other business, or other consumer, hosts. */
const OTHER_BUSINESS = cells(CATCH_ALL.other, submitted, guarded, BOUNCE.other);
const OTHER_CONSUMER = cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.otherConsumer);
/** Well-run consumer hosts: vendors promise the same for them as for Google. */
const STEADY_CONSUMER = cells(CATCH_ALL.consumer, submitted, open, BOUNCE.other);
/** A consumer provider behind a gateway: the gateway answers, and the provider does not accept every name. */
const GUARDED_CONSUMER = cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.gateway);

export type PriorTable = Readonly<Record<HostClass, HostPrior>>;

export const PRIOR_TABLE: PriorTable = {
  google_business: cells(CATCH_ALL.google, submitted, open, BOUNCE.google),
  google_consumer: cells(CATCH_ALL.consumer, submitted, open, BOUNCE.google),
  microsoft_business: cells(CATCH_ALL.microsoft, submitted, guarded, BOUNCE.microsoft),
  microsoft_consumer: cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.microsoft),
  yahoo_business: cells(CATCH_ALL.other, submitted, guarded, BOUNCE.yahoo),
  yahoo_consumer: cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.yahoo),
  apple_business: OTHER_BUSINESS,
  apple_consumer: STEADY_CONSUMER,
  zoho_business: OTHER_BUSINESS,
  zoho_consumer: STEADY_CONSUMER,
  proton_business: OTHER_BUSINESS,
  proton_consumer: STEADY_CONSUMER,
  fastmail_business: OTHER_BUSINESS,
  fastmail_consumer: STEADY_CONSUMER,
  yandex_business: OTHER_BUSINESS,
  yandex_consumer: STEADY_CONSUMER,
  proofpoint_business: cells(CATCH_ALL.proofpoint, submitted, guarded, BOUNCE.gateway),
  proofpoint_consumer: GUARDED_CONSUMER,
  mimecast_business: cells(CATCH_ALL.mimecast, submitted, guarded, BOUNCE.gateway),
  mimecast_consumer: GUARDED_CONSUMER,
  barracuda_business: cells(CATCH_ALL.barracuda, submitted, guarded, BOUNCE.gateway),
  barracuda_consumer: GUARDED_CONSUMER,
  gateway_business: cells(CATCH_ALL.gateway, submitted, guarded, BOUNCE.gateway),
  gateway_consumer: GUARDED_CONSUMER,
  unknown_business: OTHER_BUSINESS,
  unknown_consumer: OTHER_CONSUMER,
  // The average over hosts, domains without mail among them: a failed look-up is not evidence against an address.
  unresolved_business: cells(CATCH_ALL.unresolved, REFUSED.unresolved, guarded, BOUNCE.unresolved),
  unresolved_consumer: cells(CATCH_ALL.consumer, REFUSED.unresolved, guarded, BOUNCE.unresolved),
  relay: cells(CATCH_ALL.relay, REFUSED.relay, guarded, BOUNCE.other),
  disposable: cells(CATCH_ALL.disposable, submitted, guarded, BOUNCE.disposable),
};

export const isHostClass = (name: string): name is HostClass => Object.hasOwn(PRIOR_TABLE, name);
