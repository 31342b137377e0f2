import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { HostClass } from './host-class.ts';
import type { ProviderId, ProviderVerdict, ProviderWarning } from './provider.ts';

/**
 * What an account knows of one address: facts, each with its own time, and how a new one joins those that are there. All times
 * are epoch milliseconds.
 */

/** What one provider says about an address. */
export interface Answer {
  readonly provider: ProviderId;
  readonly verdict: ProviderVerdict;
  /** The provider says that the mailbox is full: the answer counts as a report of that. */
  readonly full?: true;
}

export interface DatedAnswer extends Answer {
  readonly at: number;
  /** When the provider was asked again and said `unknown`, which is no news of the address. Absent: it was not. */
  readonly silentAt?: number;
}

/** An answer as the address keeps it. */
export interface KnownAnswer extends DatedAnswer {
  /** Whether the provider says that the domain accepts every recipient; absent: it does not say. */
  readonly catch_all?: boolean;
  /** The provider's word for a trap, a complainer and the like. */
  readonly warning?: ProviderWarning;
}

/**
 * What a report says about the mailbox: the server knows no such user; it refuses the mailbox for another reason; the mailbox
 * is full; a transient failure; delivered; a complaint.
 */
export type DeliveryClass = 'user_unknown' | 'refused' | 'full' | 'soft' | 'delivered' | 'complaint';

/** A report about one message to the address. */
export interface DeliveryReport {
  readonly class: DeliveryClass;
  readonly at: number;
  /** Names the message: a trace, a webhook's event, a row of an import. A later report about the same message replaces it. */
  readonly of: string;
  /** The key, connection or import that reported it. */
  readonly source: string;
}

/** Reports of one class that count once. */
export interface KnownReport {
  readonly class: DeliveryClass;
  /** The newest of them, and the oldest if it differs. */
  readonly at: number;
  readonly from?: number;
  /** The messages, the newest last; of many the newest few. */
  readonly of: readonly string[];
  /** The source of the first that came, and the others that reported the same. */
  readonly source: string;
  readonly confirmedBy?: readonly string[];
}

/** A report as the belief reads it. Without its source it is worth what the table says. */
export type DatedReport = Pick<KnownReport, 'class' | 'at'> & Partial<Pick<KnownReport, 'source'>>;

/** What a person did who reads the mailbox: confirmed the address, or paid. */
export type LifeClass = 'confirmed' | 'paid';

export interface ProofOfLife {
  readonly class: LifeClass;
  readonly at: number;
}

/**
 * What the address itself shows, before anybody is asked. `typo_domain`: the domain is a typo of a well-known one. `impossible`:
 * its provider never gave out such a local part; `too_short`: hardly ever so short a one; `unusual`: seldom.
 */
export const FEATURES = [
  'typo_domain',
  'impossible',
  'too_short',
  'unusual',
  'gibberish',
  'placeholder',
  'parked_mail_hosts',
  'address_record_only',
  'role',
  'digits',
  'name_match',
] as const;
export type Feature = (typeof FEATURES)[number];

/** How one request sees an address without asking anybody. Hashes are 32 hex digits. */
export interface ObservationContext {
  readonly address: string;
  readonly domain: string;
  /** Null means the request belongs to no list. */
  readonly list: string | null;
  readonly at: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
}

/** What is new about an address. Null, and no answers: nothing. */
export interface Observation {
  readonly context: ObservationContext;
  readonly answers: readonly KnownAnswer[];
  readonly report: DeliveryReport | null;
  readonly proof: ProofOfLife | null;
}

/** The facts that a belief is computed from. */
export interface Facts {
  /** The newest of each provider; an `unknown` only where that provider has no other. */
  readonly answers: readonly DatedAnswer[];
  readonly reports: readonly DatedReport[];
  /** The newest of each class. */
  readonly proofs: readonly ProofOfLife[];
}
export const NO_FACTS = { answers: [], reports: [], proofs: [] } as const satisfies Facts;

/** What the account keeps of one address, under its keyed hash. */
export interface AddressFacts {
  readonly firstSeenAt: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
  /** Keyed hash of its domain. */
  readonly domain: string;
  /** The list that it was first seen in. */
  readonly list: string | null;
  readonly answers: readonly KnownAnswer[];
  /** Oldest first. */
  readonly reports: readonly KnownReport[];
  readonly proofs: readonly ProofOfLife[];
}

/** A fact of longer ago is forgotten; one of at least `from` is forgotten by degrees (`posterior.ts`). */
export const MEMORY_MS = { from: 300 * DAY_MS, to: 400 * DAY_MS } as const;

/** The facts that a memory of some length holds, and the share of lengths that hold just these. */
interface Memory {
  readonly weight: number;
  readonly facts: Facts;
}

/** With the facts of later than `from` alone. */
function since<F extends Facts>(from: number, facts: F): F {
  const kept = <T extends { readonly at: number }>(all: readonly T[]): readonly T[] =>
    all.filter(({ at }) => at > from);
  return { ...facts, answers: kept(facts.answers), reports: kept(facts.reports), proofs: kept(facts.proofs) };
}

/** With the facts alone that are not forgotten. */
export const remembered = <F extends Facts>(facts: F, now: number): F => since(now - MEMORY_MS.to, facts);

/**
 * The memory's length is uniform between 300 and 400 days, so that no fact ends at a cliff: what follows from facts is the mean
 * over the lengths. Few facts are that old, so few lengths differ.
 */
export function memoriesOf(facts: Facts, now: number): readonly Memory[] {
  const ages = [...facts.answers, ...facts.reports, ...facts.proofs]
    .map(({ at }) => now - at)
    .filter((age) => age >= MEMORY_MS.from && age < MEMORY_MS.to)
    .sort((one, other) => one - other);
  let from: number = MEMORY_MS.from;
  const found: Memory[] = [];
  for (const to of [...ages, MEMORY_MS.to]) {
    const weight = (to - from) / (MEMORY_MS.to - MEMORY_MS.from);
    if (weight > 0) found.push({ weight, facts: since(now - to, facts) });
    from = to;
  }
  return found;
}

/** Clocks of two machines, or their time zones, differ by less. */
const AHEAD_MS = DAY_MS;

/** Whether a report or an event of this time counts; what a fast clock dated ahead is kept as of now. */
export const isInTime = (at: number, now: number): boolean => at > now - MEMORY_MS.to && at < now + AHEAD_MS;

/** What a report implies for judging sources and domains; null if nothing. */
const POLARITY: Readonly<Record<DeliveryClass, 'refused' | 'delivered' | null>> = {
  user_unknown: 'refused',
  refused: 'refused',
  full: null,
  soft: null,
  delivered: 'delivered',
  complaint: 'delivered',
};
export const polarityOf = ({ class: kind }: Pick<KnownReport, 'class'>): 'refused' | 'delivered' | null =>
  POLARITY[kind];

/** Reports of one class within this time are one: a server says the same again, and a message is reported by two ways. */
export const ONE_WITHIN_MS: Readonly<Record<DeliveryClass, number>> = {
  user_unknown: 7 * DAY_MS,
  refused: 7 * DAY_MS,
  full: 7 * DAY_MS,
  soft: 7 * DAY_MS,
  delivered: DAY_MS,
  complaint: DAY_MS,
};

/** How many reports of an address are kept, beside the newest of each class, and how many messages of each. */
const REPORTS_MAX = 8;
const MESSAGES_MAX = 8;

/** When the first of them came. */
export const beginOf = ({ from, at }: Pick<KnownReport, 'from' | 'at'>): number => from ?? at;

/** Everybody who reported it, the first one first. */
export const sourcesOf = ({ source, confirmedBy = [] }: KnownReport): readonly string[] => [source, ...confirmedBy];

/** A known report with one more of its class, where the time from the first to the last is short enough. */
function merged(known: KnownReport, report: KnownReport): KnownReport | null {
  if (known.class !== report.class) return null;
  const [older, newest] = report.at >= known.at ? [known, report] : [report, known];
  const from = Math.min(beginOf(known), beginOf(report));
  if (newest.at - from >= ONE_WITHIN_MS[known.class]) return null;
  const { class: kind, source } = known;
  const { at } = newest;
  const others = [...new Set([...sourcesOf(known), ...sourcesOf(report)])].slice(1, MESSAGES_MAX);
  const of = [...older.of, ...newest.of].slice(-MESSAGES_MAX);
  return {
    class: kind,
    at,
    ...(from !== at && { from }),
    of,
    source,
    ...(others.length > 0 && { confirmedBy: others }),
  };
}

/** A known report without one message; none if it concerned no other. */
function withoutMessage(known: KnownReport, message: string): KnownReport[] {
  const of = known.of.filter((each) => each !== message);
  return of.length === 0 ? [] : [{ ...known, of }];
}

/**
 * The reports with one more, in order of time. What was known of its message goes, unless that is newer. The newest eight are kept,
 * and the newest of each class: a report costs the same whatever came before.
 */
export function withReport(known: readonly KnownReport[], report: DeliveryReport): readonly KnownReport[] {
  const same = known.find(({ of }) => of.includes(report.of));
  if (same !== undefined && same.at > report.at) return known;
  const others = known.flatMap((each) => (each === same ? withoutMessage(each, report.of) : [each]));
  const { class: kind, at, source } = report;
  const one: KnownReport = { class: kind, at, of: [report.of], source };
  const place = others.findIndex((each) => merged(each, one) !== null);
  const joined = place === -1 ? one : (merged(others[place] as KnownReport, one) as KnownReport);
  const all = [...others.filter((_, index) => index !== place), joined].sort((a, b) => a.at - b.at);
  const isNewest = (each: KnownReport, index: number): boolean =>
    index >= all.length - REPORTS_MAX || !all.slice(index + 1).some((later) => later.class === each.class);
  return all.filter(isNewest);
}

/** The later of two answers of one provider, and an `unknown` only where there is no other. */
function laterOf<T extends DatedAnswer>(one: T, other: T): T {
  const [earlier, later] = other.at >= one.at ? [one, other] : [other, one];
  const isKept = later.verdict !== 'unknown' || earlier.verdict === 'unknown';
  const [kept, dropped] = isKept ? [later, earlier] : [earlier, later];
  const silentAt = Math.max(...[kept.silentAt, dropped.silentAt, isKept ? null : dropped.at].map((at) => at ?? 0));
  return silentAt > kept.at ? { ...kept, silentAt } : kept;
}

/** The newest answer of each provider: a time-out of today does not erase a refusal of last week. */
export function newestOfEach<T extends DatedAnswer>(answers: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const answer of answers) {
    const other = best.get(answer.provider);
    best.set(answer.provider, other === undefined ? answer : laterOf(other, answer));
  }
  return [...best.values()];
}

const withProof = (known: readonly ProofOfLife[], proof: ProofOfLife): readonly ProofOfLife[] => {
  const other = known.find((each) => each.class === proof.class);
  if (other !== undefined && other.at >= proof.at) return known;
  return [...known.filter((each) => each !== other), proof];
};

/** The address with what is new about it, without what is forgotten. How it was first seen stays. A repeat changes nothing. */
export function withObservation(
  known: AddressFacts | null,
  { context, answers, report, proof }: Observation,
  now: number,
): AddressFacts {
  const { at, host, features, purpose, domain, list } = context;
  const before: AddressFacts = known ?? {
    firstSeenAt: at,
    host,
    features,
    purpose,
    domain,
    list,
    answers: [],
    reports: [],
    proofs: [],
  };
  const all: AddressFacts = {
    ...before,
    firstSeenAt: Math.min(before.firstSeenAt, at, report?.at ?? at),
    answers: newestOfEach([...before.answers, ...answers]).sort((one, other) => one.at - other.at),
    reports: report === null ? before.reports : withReport(before.reports, report),
    proofs: proof === null ? before.proofs : withProof(before.proofs, proof),
  };
  return remembered(all, now);
}

/** What two rows know of one address. How the address was seen first counts. */
export function joined(one: AddressFacts, other: AddressFacts): AddressFacts {
  const [older, newer] = one.firstSeenAt <= other.firstSeenAt ? [one, other] : [other, one];
  const isKnown = ({ of }: KnownReport): boolean =>
    older.reports.some((known) => known.of.some((id) => of.includes(id)));
  return {
    ...older,
    answers: newestOfEach([...older.answers, ...newer.answers]).sort((a, b) => a.at - b.at),
    reports: [...older.reports, ...newer.reports.filter((report) => !isKnown(report))].sort((a, b) => a.at - b.at),
    proofs: newer.proofs.reduce(withProof, older.proofs),
  };
}

/** The time of the newest fact; null without any. */
export function newestAt({
  answers,
  reports,
  proofs,
}: Pick<AddressFacts, 'answers' | 'reports' | 'proofs'>): number | null {
  const times = [...answers, ...reports, ...proofs].map(({ at }) => at);
  return times.length === 0 ? null : Math.max(...times);
}
