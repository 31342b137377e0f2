import FIGURES from './figures.json' with { type: 'json' };
import type { HostClass } from './host-class.ts';
import type { Figure, ServerAnswer } from './prior-table.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from './provider.ts';

/**
 * The providers' seeded rows: what each says for each answer of the server. Rates by provider and host are not
 * published: known differences at a host are changes of the provider's row.
 */

/** Pseudo-observations of each verdict under one server answer; above 0, because an unseen one is possible. */
export type VerdictCounts = readonly [
  deliverable: number,
  undeliverable: number,
  catchAll: number,
  risky: number,
  unknown: number,
];

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
  readonly anyHost: AnswerRows;
  /** Hosts with their own row; others use `anyHost`. */
  readonly hosts: Readonly<Partial<Record<HostClass, AnswerRows>>>;
}

export type ProviderTable = Readonly<Record<ProviderId, ProviderRows>>;

/**
 * How a provider reports. `undecided` and `silent` are shares of all addresses with that server answer; the others are
 * shares of those not left `unknown`.
 */
interface Skill {
  /** `undeliverable` although the server accepts. */
  readonly falseRefusal: Figure;
  /** `catch_all` although the server distinguishes mailboxes. */
  readonly falseCatchAll: Figure;
  /** `deliverable` although the server accepts everything: the provider knows by other means, or did not look. */
  readonly resolved: Figure;
  /** `unknown` although the server gives an answer. */
  readonly undecided: Figure;
  /** `unknown` when the server's answer is unusable. */
  readonly silent: Figure;
}

const {
  /** `deliverable` although the server refuses. */
  missed: MISSED,
  /** `risky` for a record (traps, complainers, full mailboxes), whatever the server says. */
  risky: RISKY,
  /** The share of `undeliverable`, and as much of `catch_all`, when the server's answer is unusable. */
  invented: INVENTED,
  assumed: ASSUMED,
  typical: TYPICAL,
  own: OWN_FIGURES,
  yahoo: YAHOO,
  microsoft: MICROSOFT,
  /** It says where the mailbox is, not whether it exists. */
  hunterWebmail: WEBMAIL,
} = FIGURES.provider;

/** What differs from the typical provider. */
const OWN: Readonly<Record<ProviderId, Partial<Skill>>> = OWN_FIGURES;
const skillOf = (id: ProviderId): Skill => ({ ...TYPICAL, ...OWN[id] });

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

/** A host that is hard to verify never makes a provider better, but may make it more careful. */
const harder = (own: Skill, there: Partial<Skill>): Skill => ({
  falseRefusal: worse(own.falseRefusal, there.falseRefusal),
  falseCatchAll: worse(own.falseCatchAll, there.falseCatchAll),
  resolved: worse(own.resolved, there.resolved),
  undecided: worse(own.undecided, there.undecided),
  silent: worse(own.silent, there.silent),
});

const worse = (own: Figure, there: Figure = own): Figure => (there.mean > own.mean ? there : own);

/** One server answer's counts. `rest`: the verdict that gets the remainder. The row has the smallest weight. */
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
    // Such a server accepts every name, so an `undeliverable` has another cause.
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
    for (const host of hosts) skills[host] = harder(skills[host] ?? skillOf(id), skill);
  }
  const hosts = Object.entries(skills).map(([host, skill]) => [host, rowsOf(skill)] as const);
  return { anyHost: rowsOf(skillOf(id)), hosts: Object.fromEntries(hosts) };
}

export const PROVIDER_TABLE = Object.fromEntries(PROVIDER_IDS.map((id) => [id, providerRows(id)])) as ProviderTable;
