import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { HostClass } from './host-class.ts';
import type { ProviderId, ProviderVerdict, ProviderWarning } from './provider.ts';

/** What an account knows of one address: dated facts, and how a new one merges. Times are epoch milliseconds. */

/** What one provider says about an address. */
export interface Answer {
  readonly provider: ProviderId;
  readonly verdict: ProviderVerdict;
  /** The provider calls the mailbox full, which counts as a report of that. */
  readonly full?: true;
}

export interface DatedAnswer extends Answer {
  readonly at: number;
  /** When the provider was last asked again and said `unknown`, which is no news. Absent: never. */
  readonly silentAt?: number;
}

export interface KnownAnswer extends DatedAnswer {
  /** Whether the provider says that the domain accepts every recipient; absent if it does not say. */
  readonly catch_all?: boolean;
  /** The provider's word for a trap, a complainer and the like. */
  readonly warning?: ProviderWarning;
}

/** What a report says: no such user; refused for another reason; full; a transient failure; delivered; a complaint. */
export type DeliveryClass = 'user_unknown' | 'refused' | 'full' | 'soft' | 'delivered' | 'complaint';

/** A report about one message to the address. */
export interface DeliveryReport {
  readonly class: DeliveryClass;
  readonly at: number;
  /** The message: a trace, a webhook's event, a row of an import. A later report about it replaces this one. */
  readonly of: string;
  /** The reporting key, connection or import. */
  readonly source: string;
}

/** Reports of one class that count once. */
export interface KnownReport {
  readonly class: DeliveryClass;
  /** The newest, and the oldest if different. */
  readonly at: number;
  readonly from?: number;
  /** The latest messages, newest last. */
  readonly of: readonly string[];
  /** The first source, and others that reported the same. */
  readonly source: string;
  readonly confirmedBy?: readonly string[];
}

/** A report as the belief reads it. Without a source it has the table's weight. */
export type DatedReport = Pick<KnownReport, 'class' | 'at'> & Partial<Pick<KnownReport, 'source'>>;

/** What a person who reads the mailbox did: confirmed the address, or paid. */
export type LifeClass = 'confirmed' | 'paid';

export interface ProofOfLife {
  readonly class: LifeClass;
  readonly at: number;
}

/**
 * Features of the address itself. `impossible`: its provider never issued such a local part; `too_short`: hardly ever
 * so short a one; `unusual`: seldom.
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
  readonly list: string | null;
  readonly at: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
}

/** What is new about an address. No answers and nulls: nothing. */
export interface Observation {
  readonly context: ObservationContext;
  readonly answers: readonly KnownAnswer[];
  readonly report: DeliveryReport | null;
  readonly proof: ProofOfLife | null;
}

export interface Facts {
  /** The newest of each provider; an `unknown` only where that provider has no other. */
  readonly answers: readonly DatedAnswer[];
  readonly reports: readonly DatedReport[];
  readonly proofs: readonly ProofOfLife[];
}
export const NO_FACTS = { answers: [], reports: [], proofs: [] } as const satisfies Facts;

/** The account's stored facts about one address. */
export interface AddressFacts {
  readonly firstSeenAt: number;
  readonly host: HostClass;
  readonly features: readonly Feature[];
  readonly purpose: Purpose;
  readonly domain: string;
  /** The list in which it was first seen. */
  readonly list: string | null;
  readonly answers: readonly KnownAnswer[];
  readonly reports: readonly KnownReport[];
  readonly proofs: readonly ProofOfLife[];
}

/** A fact older than `to` is forgotten; from `from` on it fades (`posterior.ts`). */
export const MEMORY_MS = { from: 300 * DAY_MS, to: 400 * DAY_MS } as const;

/** The facts within a memory of some length, and the share of lengths with exactly these. */
interface Memory {
  readonly weight: number;
  readonly facts: Facts;
}

function since<F extends Facts>(from: number, facts: F): F {
  const kept = <T extends { readonly at: number }>(all: readonly T[]): readonly T[] =>
    all.filter(({ at }) => at > from);
  return { ...facts, answers: kept(facts.answers), reports: kept(facts.reports), proofs: kept(facts.proofs) };
}

export const remembered = <F extends Facts>(facts: F, now: number): F => since(now - MEMORY_MS.to, facts);

/**
 * The memory's length is uniform between 300 and 400 days, so that no fact ends abruptly: results are means over the
 * lengths. Few facts are that old, so few lengths differ.
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

/** Clocks and time zones of two machines differ by less. */
const AHEAD_MS = DAY_MS;

/** Whether a report or event of this time counts; slightly future times are stored as now. */
export const isInTime = (at: number, now: number): boolean => at > now - MEMORY_MS.to && at < now + AHEAD_MS;

/** What a report implies when sources and domains are judged; null if nothing. */
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

/** Reports of one class within this time are one: servers repeat themselves, and a message is reported in two ways. */
export const ONE_WITHIN_MS: Readonly<Record<DeliveryClass, number>> = {
  user_unknown: 7 * DAY_MS,
  refused: 7 * DAY_MS,
  full: 7 * DAY_MS,
  soft: 7 * DAY_MS,
  delivered: DAY_MS,
  complaint: DAY_MS,
};

/** Reports kept for each address, beside the newest of each class, and messages for each. */
const REPORTS_MAX = 8;
const MESSAGES_MAX = 8;

export const beginOf = ({ from, at }: Pick<KnownReport, 'from' | 'at'>): number => from ?? at;

export const sourcesOf = ({ source, confirmedBy = [] }: KnownReport): readonly string[] => [source, ...confirmedBy];

/** A known report extended by one of its class, if the whole span is short enough; else null. */
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

/** A known report without one message; none if it was the only one. */
function withoutMessage(known: KnownReport, message: string): KnownReport[] {
  const of = known.of.filter((each) => each !== message);
  return of.length === 0 ? [] : [{ ...known, of }];
}

/**
 * The reports with one more, in order of time. It replaces an older report of its message. The newest eight are kept,
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

/** The later of two answers of one provider; an `unknown` only without another. */
function laterOf<T extends DatedAnswer>(one: T, other: T): T {
  const [earlier, later] = other.at >= one.at ? [one, other] : [other, one];
  const isKept = later.verdict !== 'unknown' || earlier.verdict === 'unknown';
  const [kept, dropped] = isKept ? [later, earlier] : [earlier, later];
  const silentAt = Math.max(...[kept.silentAt, dropped.silentAt, isKept ? null : dropped.at].map((at) => at ?? 0));
  return silentAt > kept.at ? { ...kept, silentAt } : kept;
}

/** The newest answer of each provider: today's time-out does not erase last week's refusal. */
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

/** The address with a new observation, without forgotten facts. The initial list stays. Idempotent. */
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
export function joinedFacts(one: AddressFacts, other: AddressFacts): AddressFacts {
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

/** The time of the newest fact, or null. */
export function newestAt({
  answers,
  reports,
  proofs,
}: Pick<AddressFacts, 'answers' | 'reports' | 'proofs'>): number | null {
  const times = [...answers, ...reports, ...proofs].map(({ at }) => at);
  return times.length === 0 ? null : Math.max(...times);
}
