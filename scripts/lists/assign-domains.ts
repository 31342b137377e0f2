import { isBelowRestrictedSuffix } from '../../src/domain/lists/review-list.ts';
import { DOMAIN_SETS } from '../../src/domain/lists/lists.ts';
import { judgeDomain, lineage } from './domain-name.ts';

/** Names as listed, before any judgement. Curated ones are our own tables. */
export interface DomainInputs {
  /** Each of these confirms a throwaway domain alone, unless another list knows the domain as a provider's. */
  readonly confirmed: readonly (readonly string[])[];
  /** Offered by a throwaway service, so never typos, however they look. */
  readonly offered: readonly string[];
  /** Independent lists: two of them confirm, one only suspects. */
  readonly reported: readonly (readonly string[])[];
  /** Reports of these are stale: a reviewer confirmed and later withdrew them. */
  readonly withdrawn: readonly string[];
  readonly freeProviders: readonly string[];
  readonly known: readonly string[];
  /** The well-known ones among the known. */
  readonly imitated: readonly string[];
  /** Whether a domain is a typo of a mailbox provider's. `known`: whether a domain is known to be in use. */
  readonly isTypo: (domain: string, known: (domain: string) => boolean) => boolean;
  readonly curated: {
    readonly consumer: readonly string[];
    readonly known: readonly string[];
    readonly relay: readonly string[];
    readonly agent: readonly string[];
    readonly notFree: readonly string[];
    readonly notKnown: readonly string[];
  };
}

/** A name left out of a set, for the build's report. */
export interface Exclusion {
  readonly from: string;
  readonly why: string;
  readonly name: string;
}

export interface Assignment {
  /** Domain to its set bits. */
  readonly sets: ReadonlyMap<string, number>;
  readonly exclusions: readonly Exclusion[];
}

const TYPO = "a typo of a mailbox provider's domain";

/**
 * Which sets each domain is in. What is known as legitimate beats every report: it is never blocked or suspected, nor
 * is anything below it unless a confirmed list names that.
 */
export function assignDomains(inputs: DomainInputs): Assignment {
  const exclusions: Exclusion[] = [];
  const exclude = (from: string, why: string, name: string): void => void exclusions.push({ from, why, name });
  const judged = (names: readonly string[], from: string): Set<string> => {
    const domains = new Set<string>();
    for (const name of names) {
      const { domain, why } = judgeDomain(name);
      if (domain === undefined) exclude(from, why, name);
      else domains.add(domain);
    }
    return domains;
  };
  const within = (set: ReadonlySet<string>, domain: string): boolean => lineage(domain).some((name) => set.has(name));

  const relay = judged(inputs.curated.relay, 'relay');
  const agent = judged(inputs.curated.agent, 'agent');
  const consumer = judged(inputs.curated.consumer, 'free');
  const trusted = new Set([...relay, ...agent, ...consumer, ...judged(inputs.curated.known, 'known')]);
  const confirmed = judged(inputs.confirmed.flat(), 'block');
  const reports = inputs.reported.map((names) => judged(names, 'signal'));

  const known = new Set([...consumer, ...judged(inputs.curated.known, 'known')]);
  const notKnown = judged(inputs.curated.notKnown, 'known');
  for (const domain of judged(inputs.known, 'known')) {
    if (within(notKnown, domain)) exclude('known', 'open to anybody', domain);
    else if (!relay.has(domain)) known.add(domain);
  }

  const legitimate = new Set([...trusted, ...known]);
  const isLegitimate = (domain: string): boolean => within(legitimate, domain) || isBelowRestrictedSuffix(domain);
  const offered = new Set(inputs.offered);
  const isTypo = (domain: string): boolean =>
    !offered.has(domain) && inputs.isTypo(domain, (name) => within(legitimate, name));

  const freeProviders = judged(inputs.freeProviders, 'free');
  // The list of free providers contains throwaway services too, so it does not clear what two lists name.
  const isOneListAlone = (domain: string): boolean =>
    !offered.has(domain) && !reports.some((report) => within(report, domain));

  const block = new Set<string>();
  const doubted = new Set<string>();
  for (const domain of confirmed) {
    if (trusted.has(domain) || known.has(domain) || isBelowRestrictedSuffix(domain))
      exclude('block', 'legitimate by a curated table or a known domain', domain);
    else if (isTypo(domain)) exclude('block', TYPO, domain);
    else if (!isOneListAlone(domain)) block.add(domain);
    else if (isLegitimate(domain)) exclude('block', 'named by one list alone, below a legitimate domain', domain);
    else if (within(freeProviders, domain)) doubted.add(domain);
    else block.add(domain);
  }
  for (const domain of new Set(reports.flatMap((report) => [...report]))) {
    if (reports.filter((report) => within(report, domain)).length < 2 || within(block, domain)) continue;
    if (isLegitimate(domain)) exclude('block', 'reported twice, but at or below a legitimate domain', domain);
    else if (isTypo(domain)) exclude('block', TYPO, domain);
    else block.add(domain);
  }

  const free = new Set(consumer);
  const notFree = judged(inputs.curated.notFree, 'free');
  for (const domain of freeProviders) {
    if (within(consumer, domain)) continue;
    if (within(block, domain)) exclude('free', 'disposable', domain);
    else if (within(relay, domain)) exclude('free', 'relay', domain);
    else if ([confirmed, ...reports].some((report) => within(report, domain)))
      exclude('free', 'suspected disposable', domain);
    else if (within(notFree, domain)) exclude('free', 'no free provider by a curated table', domain);
    else if (within(known, domain)) exclude('free', 'a known school, company or site', domain);
    else free.add(domain);
  }

  const takenBack = new Set(inputs.withdrawn);
  const signal = new Set<string>();
  for (const domain of doubted) {
    exclude('block', 'named by one list alone, and by a list of free providers', domain);
    signal.add(domain);
  }
  for (const domain of new Set(reports.flatMap((report) => [...report]))) {
    if (within(block, domain)) continue;
    if (isLegitimate(domain)) exclude('signal', 'at or below a legitimate domain', domain);
    else if (within(free, domain)) exclude('signal', 'below a free provider', domain);
    else if (isTypo(domain)) exclude('signal', TYPO, domain);
    else if (takenBack.has(domain)) exclude('signal', 'withdrawn by the curated list', domain);
    else signal.add(domain);
  }
  const said = { block, signal, free, relay, agent, known };
  const withdrawn = new Set(
    inputs.withdrawn.filter(
      (name) =>
        judgeDomain(name).domain === name &&
        !confirmed.has(name) &&
        !Object.values(said).some((set) => within(set, name)),
    ),
  );
  const imitated = new Set([...judged(inputs.imitated, 'imitated')].filter((domain) => known.has(domain)));
  return { sets: compact({ ...said, withdrawn, imitated }), exclusions };
}

/** Set bits by domain, without names whose listed parent gives the same answer. */
function compact(members: Record<keyof typeof DOMAIN_SETS, ReadonlySet<string>>): Map<string, number> {
  const all = new Map<string, number>();
  for (const [name, bit] of Object.entries(DOMAIN_SETS)) {
    for (const domain of members[name as keyof typeof DOMAIN_SETS]) all.set(domain, (all.get(domain) ?? 0) | bit);
  }
  const kept = [...all].filter(([domain, bits]) => {
    const parent = lineage(domain)
      .slice(1)
      .find((name) => all.has(name));
    return parent === undefined || all.get(parent) !== bits;
  });
  return new Map(kept);
}
