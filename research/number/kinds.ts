import type { ProviderId } from '../../src/domain/belief/provider.ts';

/** The vendors of an account in these worlds: two that bill an `unknown`, two that do not. */
export const VENDOR_IDS = ['zerobounce', 'neverbounce', 'kickbox', 'bouncer'] as const satisfies readonly ProviderId[];

/** The parameters of a kind of world, and its faults. */
export interface Kind {
  /** How long it lasts. */
  readonly days: number;
  /** Every rate is the table's with its log-odds moved by up to this much. */
  readonly origin: number;
  readonly addresses: number;
  /** Further visits of an address, on average, and the days between two. */
  readonly returns: number;
  readonly gapDays: number;
  /** Standard deviations of the levels of lists and domains, in log-odds, and the share of dead domains. */
  readonly listSpread: number;
  readonly domainSpread: number;
  readonly dead: number;
  /** The bounce rate of a stranger in place of the table's at all hosts, and of a mailbox at a catch-all. */
  readonly strangers: number | null;
  readonly catchAllBounces: number | null;
  /** Share of addresses that are reported the wrong way round on purpose. */
  readonly forged: number;
  /** Share of reports from a second source, half of which are wrong. */
  readonly leaked: number;
  readonly bouncesOnly: boolean;
  /** Hours on end in which Google's and Microsoft's hosts answer "no such user" to everybody; 0: never. */
  readonly outageHours: number;
  /** Share of business domains that answer so to everybody for a day. */
  readonly migrating: number;
  /** Somebody signs up with invented local parts at the largest domains. */
  readonly hostile: boolean;
  /** Share of the visits of dead mailboxes that do not take place: who signs up again reads mail. */
  readonly deadStayAway: number;
  /** Share of business domains that begin to accept every recipient, or cease to; half of them turn back. */
  readonly turning: number;
  /** People of one employer, who come in the course of a month. */
  readonly employer: number;
  /** Share of hosts at which a vendor errs far more than elsewhere. */
  readonly errsByHost: number;
  /**
   * All addresses are of one file, of which this share is dead: mailboxes that are gone and refused, but for a few. Null means
   * no file.
   */
  readonly file: number | null;
  /** Somebody has removed the addresses that a vendor called undeliverable, before the account got the lists. */
  readonly cleaned: boolean;
}

const NEAR: Kind = {
  days: 180,
  origin: 0.5,
  addresses: 2_800,
  returns: 2,
  gapDays: 45,
  listSpread: 0.8,
  domainSpread: 0.8,
  dead: 0.025,
  strangers: null,
  catchAllBounces: null,
  forged: 0,
  leaked: 0,
  bouncesOnly: false,
  outageHours: 0,
  migrating: 0,
  hostile: false,
  deadStayAway: 0,
  turning: 0,
  employer: 0,
  errsByHost: 0,
  file: null,
  cleaned: false,
};

export type Group = 'near' | 'departure' | 'far' | 'new';

interface KindRow {
  readonly group: Group;
  readonly kind: Kind;
  /** Weight among the kinds; default 1. */
  readonly times: number;
}

const row = (group: Group, change: Partial<Kind> = {}, times = 1): KindRow => ({
  group,
  kind: { ...NEAR, ...change },
  times,
});
/** Bounce rate of a file's rows that are not plainly gone. */
const FILE_STRANGERS = 0.02;
const file = (dead: number): KindRow =>
  row('new', { days: 2, addresses: 600, returns: 0, listSpread: 0, strangers: FILE_STRANGERS, file: dead }, 4);
const employer = (people: number): KindRow => row('new', { addresses: 400, employer: people, bouncesOnly: true });

/** Near the table; what misleads; far from the table; what the model has no form for. */
export const KINDS = {
  near: row('near', {}, 3),
  'hostile visitor': row('departure', { hostile: true }),
  'outage of two days': row('departure', { outageHours: 48 }),
  'leaked key': row('departure', { leaked: 0.2 }),
  'forged 5 %': row('departure', { forged: 0.05 }),
  'bounces only': row('departure', { bouncesOnly: true }),
  '25 % dead': row('far', { strangers: 0.25 }),
  '45 % dead': row('far', { strangers: 0.45 }),
  'catch-alls bounce 45 %': row('far', { catchAllBounces: 0.45 }),
  '0.3 % dead': row('far', { strangers: 0.003 }),
  'the dead stay away': row('new', { deadStayAway: 0.8 }),
  'gaps over 180 days': row('new', { days: 720, gapDays: 240, addresses: 1_800 }),
  'catch-alls turn': row('new', { turning: 0.4 }),
  'false 5.1.1 in bursts': row('new', { outageHours: 1, migrating: 0.25 }),
  'employer of 12': employer(12),
  'employer of 60': employer(60),
  'employer of 200': employer(200),
  'vendors differ by host': row('new', { errsByHost: 0.3 }),
  'file, 5 % dead': file(0.05),
  'file, 12 % dead': file(0.12),
  'file, 25 % dead': file(0.25),
  'file, 40 % dead': file(0.4),
  'file, 60 % dead': file(0.6),
  'bought, cleaned before': row('new', { strangers: 0.3, cleaned: true }),
} as const satisfies Record<string, KindRow>;
export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** Share of a file's rows that are plainly gone. */
export const goneShare = ({ file: dead }: Kind): number =>
  dead === null ? 0 : (dead - FILE_STRANGERS) / (1 - FILE_STRANGERS);

/** In which order a file's rows are asked about. */
export const ORDERS = ['as drawn', 'the dead first', 'the living first', 'domain by domain'] as const;

/**
 * Whether an exact posterior can be had: all that happens is drawn from the form that it is computed by, and nobody lies.
 */
export const isExact = (kind: Kind): boolean =>
  kind.forged === 0 &&
  kind.leaked === 0 &&
  !kind.bouncesOnly &&
  kind.outageHours === 0 &&
  kind.migrating === 0 &&
  !kind.hostile &&
  kind.deadStayAway === 0 &&
  kind.turning === 0 &&
  !kind.cleaned &&
  kind.employer === 0 &&
  kind.file === null;
