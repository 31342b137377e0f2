import { type Figure, figure } from './figure.ts';
import type { HostClass } from './host-class.ts';
import type { ServerAnswer } from './prior-table.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from './provider.ts';

/**
 * The seeded rows of the providers: what each says for each answer of the recipient's server. Every number stands here once,
 * with its reference and its weight in pseudo-observations. Rates by provider and host are not published: what is known about
 * a host is a change to the provider's row, and the fit learns the rest.
 *
 * Where the figures are read:
 * - biz-genius: biz-genius.com/benchmarking-3-email-cleaning-apps (956 delivered addresses, three verifiers)
 * - centminmod: github.com/centminmod/validate-emails (15 addresses, 9 verifiers, May 2024)
 * - Superkabe: superkabe.com/blog/why-verified-emails-still-bounce. Reacher: help.reacher.email/faq and its source, v0.11.7
 * - ZeroBounce 2025: its report of 2026-02-26 on prnewswire.com (302697945). Dropcontact: dropcontact.io
 * - AfterShip/email-verifier #n: the issue on GitHub
 */

/**
 * Pseudo-observations of each verdict under one server answer. Above 0, because a verdict never seen is still possible.
 */
export type VerdictCounts = readonly [
  deliverable: number,
  undeliverable: number,
  catchAll: number,
  risky: number,
  unknown: number,
];

/** The place of a verdict in `VerdictCounts`. */
export const VERDICTS = [
  'deliverable',
  'undeliverable',
  'catch_all',
  'risky',
  'unknown',
] as const satisfies readonly ProviderVerdict[];

export const totalOf = ([d, u, c, r, k]: VerdictCounts): number => d + u + c + r + k;

export type AnswerRows = Readonly<Record<ServerAnswer, VerdictCounts>>;

export interface ProviderRows {
  /** Over all hosts. */
  readonly anyHost: AnswerRows;
  /** Hosts with a row of their own; every other host has the row over all hosts. */
  readonly hosts: Readonly<Partial<Record<HostClass, AnswerRows>>>;
}

export type ProviderTable = Readonly<Record<ProviderId, ProviderRows>>;

/**
 * How a provider reports. `undecided` and `silent` are shares of all addresses with that server answer; the others are
 * shares of those that the provider does not leave `unknown`.
 */
interface Skill {
  /** `undeliverable` although the server accepts. */
  readonly falseRefusal: Figure;
  /** `catch_all` although the server tells mailboxes apart. */
  readonly falseCatchAll: Figure;
  /** `deliverable` although the server accepts everything: it claims to know by other means, or did not look. */
  readonly resolved: Figure;
  /** `unknown` although the server gives an answer. */
  readonly undecided: Figure;
  /** `unknown` when the server's answer is not usable. */
  readonly silent: Figure;
}

/** `deliverable` although the server refuses. */
const MISSED = figure(0.04, 20, 'Superkabe: verifying misses 3 to 5 % of invalid addresses');
/** `risky` for a record (traps, complainers, full mailboxes), whatever the server says. */
const RISKY = figure(0.015, 20, 'ZeroBounce 2025: 1.4 % abuse, .01 % traps; no figure for full mailboxes');
/** `undeliverable`, and as often `catch_all`, of what is said when the server's answer is not usable. */
const INVENTED = figure(
  0.1,
  10,
  'Judgement: vendors take a server that gives no answer seldom for a refusal; no published figure',
);
const ASSUMED = figure(0.5, 10, 'Judgement: half is `deliverable`, the commonest answer of any server');

const TYPICAL: Skill = {
  falseRefusal: figure(0.014, 20, 'Mean in log-odds of the three measured: 1, 1 and 3 % (biz-genius)'),
  falseCatchAll: figure(0.02, 20, 'Judgement: one of nine called Yahoo accept-all (centminmod), other hosts none'),
  resolved: figure(
    0.06,
    15,
    'Judgement: "not sure" for 28 and 31 % of delivered addresses (biz-genius), as many as are catch-all; few are resolved',
  ),
  undecided: figure(
    0.1,
    20,
    'ZeroBounce 2025: 4 % undecided after retries; calls here are cut at 3.5 s, where vendors retry for 10 to 30 s',
  ),
  silent: figure(0.7, 10, 'Judgement: verifiers retry and keep records, so not always; no published figure'),
};

const MEASURED_REFUSAL = '1 % of 956 delivered addresses called invalid (biz-genius)';

const SKILLS: Readonly<Record<ProviderId, Skill>> = {
  zerobounce: {
    ...TYPICAL,
    falseRefusal: figure(0.01, 30, MEASURED_REFUSAL),
    resolved: figure(0.1, 15, 'Judgement: it alone has a word for a mailbox proved on a catch-all (valid/accept_all)'),
  },
  neverbounce: { ...TYPICAL, falseRefusal: figure(0.01, 30, MEASURED_REFUSAL) },
  kickbox: TYPICAL,
  emailable: {
    ...TYPICAL,
    undecided: figure(0.12, 15, 'Judgement: it may try 10 s at most where others try 30; no published figure'),
  },
  bouncer: {
    ...TYPICAL,
    undecided: figure(
      0.15,
      20,
      'Typical, and Bouncer: its single call gives about 5 % more unknown than its batch (docs.usebouncer.com)',
    ),
  },
  hunter: TYPICAL,
  reacher: {
    ...TYPICAL,
    undecided: figure(
      0.2,
      15,
      'Judgement: one connection in all, so a greylisting server stays unknown; its own address lacks a reputation',
    ),
    silent: figure(0.85, 10, 'Judgement: no retry and no record of earlier answers'),
    resolved: figure(
      0.03,
      15,
      'Judgement: catch-all is tested before the mailbox; only a failed test lets one through',
    ),
  },
};

/** Hosts where verifiers differ. */
const YAHOO: Partial<Skill> = {
  falseRefusal: figure(
    0.02,
    10,
    'One of nine called an existing Yahoo mailbox invalid in one run of two (centminmod), shrunk to other hosts’ 1.4 %',
  ),
  falseCatchAll: figure(0.06, 10, 'One of nine called Yahoo accept-all (centminmod), shrunk to other hosts’ 2 %'),
  undecided: figure(0.15, 10, 'Two to three of nine left Yahoo unknown (centminmod), shrunk to other hosts’ 3 %'),
};

const MICROSOFT: Partial<Skill> = {
  falseRefusal: figure(
    0.02,
    10,
    'Existing Outlook mailboxes answered as absent (AfterShip/email-verifier #55, #152), shrunk to other hosts’ 1.4 %',
  ),
  undecided: figure(0.15, 10, 'One of nine failed on Hotmail (centminmod)'),
};

/** Hunter's `webmail`: it says where the mailbox is, not whether it exists. */
const WEBMAIL: Partial<Skill> = {
  undecided: figure(0.9, 20, 'Hunter: webmail addresses are not verified the same way; they are `unknown` here'),
  silent: figure(0.95, 10, 'Hunter: as above'),
};

const CONSUMER: readonly HostClass[] = [
  'google_consumer',
  'microsoft_consumer',
  'yahoo_consumer',
  'apple_consumer',
  'zoho_consumer',
  'proton_consumer',
  'fastmail_consumer',
  'yandex_consumer',
  'proofpoint_consumer',
  'mimecast_consumer',
  'barracuda_consumer',
  'gateway_consumer',
  'unknown_consumer',
  'unresolved_consumer',
];

/** Hosts where a provider's row differs from its row over all hosts. */
const AT_HOSTS: readonly {
  readonly hosts: readonly HostClass[];
  readonly providers: readonly ProviderId[];
  readonly skill: Partial<Skill>;
}[] = [
  { hosts: ['yahoo_consumer', 'yahoo_business'], providers: PROVIDER_IDS, skill: YAHOO },
  { hosts: ['microsoft_consumer'], providers: PROVIDER_IDS, skill: MICROSOFT },
  { hosts: CONSUMER, providers: ['hunter'], skill: WEBMAIL },
];

/** A host that is hard to verify at never makes a provider better, but it may make it more careful. */
const harder = (own: Skill, there: Partial<Skill>): Skill => ({
  falseRefusal: worse(own.falseRefusal, there.falseRefusal),
  falseCatchAll: worse(own.falseCatchAll, there.falseCatchAll),
  resolved: worse(own.resolved, there.resolved),
  undecided: worse(own.undecided, there.undecided),
  silent: worse(own.silent, there.silent),
});

const worse = (own: Figure, there: Figure = own): Figure => (there.mean > own.mean ? there : own);

/**
 * The counts of one server answer. The verdict `rest` gets what the named ones leave; the row has the smallest weight.
 */
function counts(
  unknown: Figure,
  rest: ProviderVerdict,
  named: Partial<Record<ProviderVerdict, Figure>>,
): VerdictCounts {
  const figures = Object.values(named);
  const weight = Math.min(unknown.weight, ...figures.map((one) => one.weight));
  const decided = weight * (1 - unknown.mean);
  const left = 1 - figures.reduce((sum, { mean }) => sum + mean, 0);
  const of = (verdict: ProviderVerdict): number => decided * (verdict === rest ? left : (named[verdict]?.mean ?? 0));
  const silent = weight * unknown.mean;
  return [of('deliverable'), of('undeliverable'), of('catch_all'), of('risky'), silent + of('unknown')];
}

function rowsOf({ falseRefusal, falseCatchAll, resolved, undecided, silent }: Skill): AnswerRows {
  return {
    accepts: counts(undecided, 'deliverable', { undeliverable: falseRefusal, catch_all: falseCatchAll, risky: RISKY }),
    refuses: counts(undecided, 'undeliverable', { deliverable: MISSED, catch_all: falseCatchAll, risky: RISKY }),
    // Such a server accepts every name, so an `undeliverable` has another cause, as for a name that a server accepts.
    accepts_all: counts(undecided, 'catch_all', { deliverable: resolved, undeliverable: falseRefusal, risky: RISKY }),
    inconclusive: counts(silent, 'unknown', {
      deliverable: ASSUMED,
      undeliverable: INVENTED,
      catch_all: INVENTED,
      risky: RISKY,
    }),
  };
}

function providerRows(id: ProviderId): ProviderRows {
  const skills: Partial<Record<HostClass, Skill>> = {};
  for (const { hosts, providers, skill } of AT_HOSTS) {
    if (!providers.includes(id)) continue;
    for (const host of hosts) skills[host] = harder(skills[host] ?? SKILLS[id], skill);
  }
  const hosts = Object.entries(skills).map(([host, skill]) => [host, rowsOf(skill)] as const);
  return { anyHost: rowsOf(SKILLS[id]), hosts: Object.fromEntries(hosts) };
}

export const PROVIDER_TABLE = Object.fromEntries(PROVIDER_IDS.map((id) => [id, providerRows(id)])) as ProviderTable;
