import type { ProviderId } from '../../src/domain/belief/provider.ts';

/** The vendors of an account in these worlds: two that bill an `unknown`, two that do not. */
export const VENDOR_IDS = ['zerobounce', 'neverbounce', 'kickbox', 'bouncer'] as const satisfies readonly ProviderId[];

/** How long a world lasts, in days. */
export const DAYS = 180;

/** What is drawn in a world, and what goes wrong in it. */
export interface Kind {
  /** Every rate is the table's with its log-odds moved by up to this much; `counts`: drawn from the table's own counts. */
  readonly origin: number | 'counts';
  readonly addresses: number;
  /** Further visits of an address, on average. */
  readonly returns: number;
  /** Standard deviations of the levels of lists and domains, in log-odds, and the share of dead domains. */
  readonly listSpread: number;
  readonly domainSpread: number;
  readonly dead: number;
  /** The bounce rate of a stranger in place of the table's at all hosts, and of a mailbox at a catch-all. */
  readonly strangers: number | null;
  readonly catchAllBounces: number | null;
  /** Vendors in pairs report one and the same probe of the server for a share of addresses. */
  readonly sharedProbes: boolean;
  /** Share of addresses of which all vendors see an answer that the server never gave. */
  readonly sharedMistakes: number;
  /** By how much the log-odds of new addresses rise until the last day; vendors' rows are drawn again half-way. */
  readonly drift: number;
  /** Share of reports whose class is another one's, and of addresses that are reported the wrong way round on purpose. */
  readonly mislabelled: number;
  readonly forged: number;
  /** Share of reports that come of a second source, which says the wrong thing in half of them. */
  readonly leaked: number;
  readonly bouncesOnly: boolean;
  /** For two days Google's hosts answer "no such user" to everybody. */
  readonly outage: boolean;
  /** Somebody signs up with invented local parts at the largest domains. */
  readonly hostile: boolean;
  /** What the model does not have: heavy tails, domains that lose mailboxes at their own rate, vendors that repeat themselves. */
  readonly misspecified: boolean;
}

const NEAR: Kind = {
  origin: 0.5,
  addresses: 2_800,
  returns: 2,
  listSpread: 0.8,
  domainSpread: 0.8,
  dead: 0.025,
  strangers: null,
  catchAllBounces: null,
  sharedProbes: false,
  sharedMistakes: 0,
  drift: 0,
  mislabelled: 0,
  forged: 0,
  leaked: 0,
  bouncesOnly: false,
  outage: false,
  hostile: false,
  misspecified: false,
};

/** `group`: which targets a kind is held to. */
export interface KindRow {
  readonly group: 'near' | 'departure' | 'far' | 'shown';
  readonly kind: Kind;
}

const row = (group: KindRow['group'], change: Partial<Kind> = {}): KindRow => ({ group, kind: { ...NEAR, ...change } });

export const KINDS = {
  near: row('near'),
  'twice as far from the table': row('shown', { origin: 1 }),
  'drawn from the counts': row('shown', { origin: 'counts' }),
  'shared probes': row('departure', { sharedProbes: true }),
  drift: row('departure', { drift: 1 }),
  'mislabelled 5 %': row('departure', { mislabelled: 0.05 }),
  'forged 2 %': row('departure', { forged: 0.02 }),
  'forged 5 %': row('departure', { forged: 0.05 }),
  'a leaked key': row('departure', { leaked: 0.2 }),
  'bounces only': row('departure', { bouncesOnly: true }),
  outage: row('departure', { outage: true }),
  'hostile visitor': row('departure', { hostile: true }),
  'no heterogeneity': row('departure', { listSpread: 0, domainSpread: 0, dead: 0 }),
  'twice the heterogeneity': row('departure', { listSpread: 1.6, domainSpread: 1.6, dead: 0.05 }),
  '160 addresses': row('departure', { addresses: 160 }),
  'each address once': row('departure', { returns: 0 }),
  misspecified: row('departure', { misspecified: true }),
  'shared mistakes 10 %': row('shown', { sharedMistakes: 0.1 }),
  'shared mistakes 25 %': row('shown', { sharedMistakes: 0.25 }),
  'far: 25 % dead': row('far', { strangers: 0.25 }),
  'far: 45 % dead': row('far', { strangers: 0.45 }),
  'far: 0.3 % dead': row('far', { strangers: 0.003 }),
  'far: catch-alls bounce 45 %': row('far', { catchAllBounces: 0.45 }),
} as const satisfies Record<string, KindRow>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/**
 * Whether vendors, reports or visitors mislead. There, costs are judged by one who knows the levels, the server's answers and what
 * really became of each message.
 */
export const lies = (kind: Kind): boolean =>
  kind.sharedProbes ||
  kind.drift !== 0 ||
  kind.mislabelled > 0 ||
  kind.forged > 0 ||
  kind.leaked > 0 ||
  kind.bouncesOnly ||
  kind.outage ||
  kind.hostile ||
  kind.misspecified;
