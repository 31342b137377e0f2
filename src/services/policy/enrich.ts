import type { Company, EnrichmentLimit, Person } from '../../contract/decision.ts';
import { type PlanInput, planCall } from '../../domain/policy/enrichment/plan.ts';
import type {
  EnrichmentFailure,
  EnrichmentScope,
  EnrichmentVendor,
  EnrichmentVendorId,
  Prices,
} from '../../domain/policy/enrichment/vendor.ts';
import type { EnrichmentKind } from '../../domain/policy/paths.ts';
import type { Asks } from '../../domain/policy/resolve.ts';
import type { ProviderHealthTracker } from '../../domain/verification/provider-health.ts';
import type { Clock } from '../../kernel/clock.ts';
import { LATE, within } from '../../kernel/deadline.ts';
import type { Id } from '../../kernel/ids.ts';
import { type KeptCompany, keepCompany, NOTHING_KEPT, readCompany } from '../../storage/companies.ts';
import type { FactStore } from '../../storage/kv.ts';

/**
 * The month's budget, at its one authority. The request's own sum may now come to `totalMicros`, calls made included
 * (`refused`: the budget has not that much left; `failed`: nobody could say). Never rejects.
 */
export type ReserveBudget = (totalMicros: number) => Promise<'granted' | 'refused' | 'failed'>;

/** One vendor may not use up the time of all. */
const CALL_MS_MAX = 2_000;
/** With less than this no vendor answers, and what it has not answered it may bill. */
const CALL_MS_MIN = 250;

export interface EnrichmentDeps {
  readonly sources: readonly EnrichmentVendor[];
  readonly sourceHealth: ProviderHealthTracker<EnrichmentVendorId>;
  readonly cache: FactStore;
  readonly now: Clock;
  readonly reserve: ReserveBudget;
  /** Told of each call once it has ended. */
  readonly onEnrichment: (call: EnrichmentCall) => void;
  /** Lets work go on behind the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

export interface EnrichmentSubject {
  readonly organisationId: Id<'org'>;
  readonly email: string;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** False for free, relay and disposable domains: their company is not that of the address. */
  readonly hasCompany: boolean;
  /** False where the address is nobody's own (a role, a relay, a disposable one). */
  readonly hasPerson: boolean;
}

export interface EnrichmentLimits {
  /** What the request's cost ceiling leaves beside enrichment, in micros, read before each call; below 0: no vendor is asked. */
  readonly costMicros: number;
  /** What was left of the organisation's monthly budget when the request came in, in micros; below 0: there is none. */
  readonly budgetMicros: number;
  /** Service time by which the answer has to leave. */
  readonly deadlineMs: number;
}

/** In the order that an answer names them. */
const LIMITS: readonly EnrichmentLimit[] = ['cost_ceiling', 'latency_ceiling', 'budget'];

/** One call of this request. */
export interface EnrichmentCall {
  readonly source: EnrichmentVendorId;
  readonly wants: EnrichmentScope;
  readonly ms: number;
  /** What it may have cost at most, in micros. */
  readonly costMicros: number;
  readonly outcome: 'found' | 'not_found' | EnrichmentFailure['kind'];
}

/** Why a source was not asked although a value it may have is missing. */
export type NotAsked = EnrichmentLimit | 'circuit_open' | 'budget_unreachable';

export interface EnrichmentReport {
  readonly calls: readonly EnrichmentCall[];
  readonly notAsked: readonly { readonly source: EnrichmentVendorId; readonly why: NotAsked }[];
  readonly costMicros: number;
  /** A value is missing because a vendor, or who keeps the budget, failed, and nobody else had it. */
  readonly degraded: boolean;
  /** A value is missing, and these left no room to ask who may have it. */
  readonly limitedBy: readonly EnrichmentLimit[];
}

export interface Enrichment {
  /** As `resolveDecision` asks for it; can be called again for more. Never rejects. */
  readonly settle: Asks['enrichment'];
  /** How it went. */
  report(): EnrichmentReport;
}

/** What a source costs that is not to be asked for this. */
const NEVER = Number.POSITIVE_INFINITY;
const withoutCompany = ({ person }: Prices): Prices => ({ company: NEVER, person, both: NEVER });

/** The enrichment of one request: each source asked once at most, both limits kept, a failure a missing value. */
export function openEnrichment(
  { sources, sourceHealth, cache, now, reserve, onEnrichment, defer }: EnrichmentDeps,
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
  const isResting = (id: EnrichmentVendorId): boolean => sourceHealth.healthOf(id, now()).open;

  /** Sources not asked yet, as far as they are worth asking. */
  const askable = (): PlanInput['sources'] =>
    sources
      .filter(({ id }) => calls.every((made) => made.source !== id))
      .map(({ id, prices }) => ({ id, prices: kept?.unknownTo.has(id) ? withoutCompany(prices) : prices }));

  const plan = (
    needs: ReadonlySet<EnrichmentKind>,
    mayNeed: ReadonlySet<EnrichmentKind>,
    among: PlanInput['sources'],
    limit: number,
  ) => planCall({ needs: open(needs), mayNeed: open(mayNeed), sources: among, leftMicros: limit - spent() });

  /** No call before the budget has room for it: requests side by side do not know of each other. */
  async function mayCall(source: EnrichmentVendor, wants: EnrichmentScope): Promise<boolean> {
    const answer = await within(reserve(spent() + source.prices[wants]), limits.deadlineMs - now());
    if (answer !== 'granted') budgetAnswer = answer === 'refused' ? 'refused' : 'failed';
    return answer === 'granted';
  }

  async function call(about: EnrichmentSubject, source: EnrichmentVendor, wants: EnrichmentScope): Promise<void> {
    const startedAt = now();
    sourceHealth.begin(source.id, startedAt);
    const result = await source.ask(
      { wants, domain: about.domain, email: about.email },
      Math.min(CALL_MS_MAX, limits.deadlineMs - startedAt),
    );
    const ms = Math.max(0, now() - startedAt);
    const { costMicros } = result.ok ? result.value : result.error;
    sourceHealth.note(source.id, ms, result.ok ? null : result.error.kind, now());
    const made = { source: source.id, wants, ms, costMicros, outcome: outcomeOf(result) };
    calls.push(made);
    onEnrichment(made);
    if (!result.ok) return partsOf(wants).forEach((want) => failed.add(want));
    company ??= result.value.company ?? undefined;
    person ??= result.value.person ?? undefined;
  }

  /** Why each source that may have what is missing is not asked for it. */
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
    source: PlanInput['sources'][number],
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
          company = kept.company ?? undefined;
        }
        const [madeBefore, found] = [calls.length, company];
        while (budgetAnswer === null && open(needs).size > 0 && hasTime()) {
          const awake = askable().filter(({ id }) => !isResting(id));
          const planned = plan(needs, mayNeed, awake, Math.min(limits.costMicros, limits.budgetMicros));
          const source = sources.find(({ id }) => id === planned?.source);
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

  /** A company that was found, and who does not know it: of whom was asked by domain, for an address may be unknown alone. */
  function keepLearnt(about: EnrichmentSubject, made: readonly EnrichmentCall[], learnt: Company | null): void {
    const unknownTo = made
      .filter(({ wants, outcome }) => wants === 'company' && outcome === 'not_found')
      .map(({ source }) => source);
    if (learnt !== null || unknownTo.length > 0)
      defer(keepCompany(cache, about, (kept ?? NOTHING_KEPT).stored, { company: learnt, unknownTo }, now()));
  }
}

const outcomeOf = (result: Awaited<ReturnType<EnrichmentVendor['ask']>>): EnrichmentCall['outcome'] => {
  if (!result.ok) return result.error.kind;
  return result.value.company === null && result.value.person === null ? 'not_found' : 'found';
};

const partsOf = (wants: EnrichmentScope): readonly EnrichmentKind[] =>
  wants === 'both' ? ['company', 'person'] : [wants];
