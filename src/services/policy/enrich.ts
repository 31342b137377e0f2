import type { Company, EnrichmentLimit, Person } from '../../contract/decision.ts';
import {
  type EnrichmentCall,
  type EnrichmentReport,
  type EnrichmentScope,
  type EnrichmentVendor,
  type EnrichmentVendorId,
  type PlanInput,
  type NotAsked,
  type Prices,
  planCall,
} from '../../domain/policy/enrichment.ts';
import type { Asks } from '../../domain/policy/evaluate.ts';
import type { EnrichmentKind } from '../../domain/policy/paths.ts';
import type { ProviderHealthTracker } from '../../domain/router/provider-health.ts';
import { type Clock, LATE, within } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Counters, log } from '../../kernel/log.ts';
import type { FactStore } from '../../storage/kv.ts';
import { type KeptCompany, keepCompany, NOTHING_KEPT, readCompany } from '../../storage/domain-facts.ts';
import type { ReserveBudget } from '../reservation.ts';

/** One vendor may not use up the time of all. */
const CALL_MS_MAX = 2_000;
/** In less time no vendor answers, but may still bill the call. */
const CALL_MS_MIN = 250;

export interface EnrichmentDeps {
  readonly enrichmentVendors: readonly EnrichmentVendor[];
  readonly enrichmentHealth: ProviderHealthTracker<EnrichmentVendorId>;
  readonly cache: FactStore;
  readonly now: Clock;
  readonly reserve: ReserveBudget;
  readonly onEnrichment: (call: EnrichmentCall) => void;
  /** Defers work until after the answer. */
  readonly defer: (work: Promise<unknown>) => void;
}

export interface EnrichmentSubject {
  readonly organisationId: Id<'org'>;
  readonly email: string;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** False for free, relay and disposable domains: their company says nothing about the person. */
  readonly hasCompany: boolean;
  /** False for addresses without a single person: roles, relays, disposable ones. */
  readonly hasPerson: boolean;
}

export interface EnrichmentLimits {
  /** What the cost ceiling leaves for enrichment, in micros. Read before each call; below 0 no vendor is asked. */
  readonly costMicros: number;
  /** The month's remaining budget when the request came, in micros; below 0 without one. */
  readonly budgetMicros: number;
  /** Service time by which the answer is sent. */
  readonly deadlineMs: number;
}

/** In the order of the answer's `limited_by`. */
const LIMITS: readonly EnrichmentLimit[] = ['cost_ceiling', 'latency_ceiling', 'budget'];

interface Enrichment {
  /** Fetches what `resolveDecision` needs. May be called again for more. Never rejects. */
  readonly settle: Asks['enrichment'];
  report(): EnrichmentReport;
}

/** The price of a value that a source is not asked for. */
const NEVER = Number.POSITIVE_INFINITY;
const withoutCompany = ({ person }: Prices): Prices => ({ company: NEVER, person, both: NEVER });

/** The enrichment of one request. Asks each source at most once within both limits; a failed value is missing. */
export function openEnrichment(
  { enrichmentVendors, enrichmentHealth, cache, now, reserve, onEnrichment, defer }: EnrichmentDeps,
  subject: EnrichmentSubject | null,
  limits: EnrichmentLimits,
): Enrichment {
  const calls: EnrichmentCall[] = [];
  const notAsked = new Map<EnrichmentVendorId, NotAsked>();
  const failed = new Set<EnrichmentKind>();
  const limited = new Map<EnrichmentLimit, Set<EnrichmentKind>>();
  let budgetAnswer: 'refused' | 'failed' | null = null;
  let kept: KeptCompany | null = null;
  let company: Company | null | undefined = subject?.hasCompany ? undefined : null;
  let person: Person | null | undefined = subject?.hasPerson ? undefined : null;

  const isOpen = (want: EnrichmentKind): boolean => (want === 'company' ? company : person) === undefined;
  const spent = (): number => calls.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const open = (wants: ReadonlySet<EnrichmentKind>): Set<EnrichmentKind> => new Set([...wants].filter(isOpen));
  const hasTime = (): boolean => limits.deadlineMs - now() >= CALL_MS_MIN;
  const isResting = (id: EnrichmentVendorId): boolean => enrichmentHealth.healthOf(id, now()).open;

  /** Unasked vendors. Those known not to have the company cost `NEVER` for it. */
  const askable = (): PlanInput['vendors'] =>
    enrichmentVendors
      .filter(({ id }) => calls.every((made) => made.source !== id))
      .map(({ id, prices }) => ({ id, prices: kept?.unknown_to[id] === undefined ? prices : withoutCompany(prices) }));

  const plan = (
    needs: ReadonlySet<EnrichmentKind>,
    mayNeed: ReadonlySet<EnrichmentKind>,
    among: PlanInput['vendors'],
    limit: number,
  ) => planCall({ needs: open(needs), mayNeed: open(mayNeed), vendors: among, leftMicros: limit - spent() });

  /** Reserves budget before each call, since concurrent requests don't know of each other. */
  async function mayCall(source: EnrichmentVendor, wants: EnrichmentScope): Promise<boolean> {
    const answer = await within(reserve(spent() + source.prices[wants]), limits.deadlineMs - now());
    if (answer !== 'granted') budgetAnswer = answer === 'refused' ? 'refused' : 'failed';
    return answer === 'granted';
  }

  async function call(about: EnrichmentSubject, source: EnrichmentVendor, wants: EnrichmentScope): Promise<void> {
    const startedAt = now();
    enrichmentHealth.begin(source.id, startedAt);
    const result = await source.ask(
      { wants, domain: about.domain, email: about.email },
      Math.min(CALL_MS_MAX, limits.deadlineMs - startedAt),
    );
    const ms = Math.max(0, now() - startedAt);
    const { costMicros } = result.ok ? result.value : result.error;
    enrichmentHealth.note(source.id, ms, result.ok ? null : result.error.kind, now());
    const made = { source: source.id, wants, ms, costMicros, result: resultOf(result) };
    calls.push(made);
    onEnrichment(made);
    if (!result.ok) return partsOf(wants).forEach((want) => failed.add(want));
    company ??= result.value.company ?? undefined;
    person ??= result.value.person ?? undefined;
  }

  /** Records why each source that may have a missing value is not asked. */
  function explainMissing(needs: ReadonlySet<EnrichmentKind>, mayNeed: ReadonlySet<EnrichmentKind>): void {
    for (const source of askable()) {
      const wished = plan(needs, mayNeed, [source], NEVER);
      if (wished === null) continue;
      const why = whyNot(source, needs, mayNeed);
      notAsked.set(source.id, why);
      const wanted = partsOf(wished.wants);
      if (why === 'circuit_open' || why === 'budget_unreachable') wanted.forEach((want) => failed.add(want));
      else limited.set(why, new Set([...(limited.get(why) ?? []), ...wanted]));
    }
  }

  function whyNot(
    source: PlanInput['vendors'][number],
    ...wanted: [ReadonlySet<EnrichmentKind>, ReadonlySet<EnrichmentKind>]
  ): NotAsked {
    if (budgetAnswer === 'failed') return 'budget_unreachable';
    if (plan(...wanted, [source], limits.costMicros) === null) return 'cost_ceiling';
    if (budgetAnswer === 'refused' || plan(...wanted, [source], limits.budgetMicros) === null) return 'budget';
    return hasTime() ? 'circuit_open' : 'latency_ceiling';
  }

  return {
    async settle(needs, mayNeed) {
      if (subject !== null) {
        if (mayNeed.has('company') && company === undefined && kept === null) {
          kept = await keptCompany(subject);
          company = kept.known?.company;
        }
        const [madeBefore, found] = [calls.length, company];
        while (budgetAnswer === null && open(needs).size > 0 && hasTime()) {
          const awake = askable().filter(({ id }) => !isResting(id));
          const planned = plan(needs, mayNeed, awake, Math.min(limits.costMicros, limits.budgetMicros));
          const source = enrichmentVendors.find(({ id }) => id === planned?.vendor);
          if (planned === null || source === undefined || !(await mayCall(source, planned.wants))) break;
          await call(subject, source, planned.wants);
        }
        if (open(needs).size > 0) explainMissing(needs, mayNeed);
        keepLearnt(subject, calls.slice(madeBefore), found === undefined ? (company ?? null) : null);
      }
      return {
        ...(needs.has('company') || company ? { company: company ?? null } : {}),
        ...(needs.has('person') || person ? { person: person ?? null } : {}),
      };
    },
    report: () => ({
      calls,
      notAsked: [...notAsked].map(([source, why]) => ({ source, why })),
      costMicros: spent(),
      degraded: [...failed].some(isOpen),
      limitedBy: LIMITS.filter((limit) => [...(limited.get(limit) ?? [])].some(isOpen)),
    }),
  };

  async function keptCompany(about: EnrichmentSubject): Promise<KeptCompany> {
    const read = await within(readCompany(cache, about, now()), Math.max(0, limits.deadlineMs - now()));
    return read === LATE ? NOTHING_KEPT : read;
  }

  /** Stores the company, and which sources don't know the domain. A question by address tells nothing about it. */
  function keepLearnt(about: EnrichmentSubject, made: readonly EnrichmentCall[], learnt: Company | null): void {
    const unknownTo = made
      .filter(({ wants, result }) => wants === 'company' && result === 'not_found')
      .map(({ source }) => source);
    if (learnt !== null || unknownTo.length > 0)
      defer(keepCompany(cache, about, kept ?? NOTHING_KEPT, { company: learnt, unknownTo }, now()));
  }
}

const resultOf = (answer: Awaited<ReturnType<EnrichmentVendor['ask']>>): EnrichmentCall['result'] => {
  if (!answer.ok) return answer.error.kind;
  return answer.value.company === null && answer.value.person === null ? 'not_found' : 'found';
};

const partsOf = (wants: EnrichmentScope): readonly EnrichmentKind[] =>
  wants === 'both' ? ['company', 'person'] : [wants];

/** Counts enrichment's calls by source and logs each failure: the source and the reason, never the person. */
export const countEnrichment =
  (counters: Counters): EnrichmentDeps['onEnrichment'] =>
  ({ source, result, ms, costMicros }) => {
    if (costMicros > 0) counters.add('enrichment_spend_micros', costMicros, source);
    if (result === 'found' || result === 'not_found') return counters.add('enrichment_ms', ms, source);
    counters.add('enrichment_failed', 1, `${source}:${result}`);
    log('warn', 'enrichment_failed', { source, failure: result, ms });
  };
