import type { Company, Person } from '../../../contract/decision.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { LATE, within } from '../../../kernel/deadline.ts';
import type { FactStore } from '../../dns/fact-store.ts';
import type { Want } from '../paths.ts';
import type { Asks } from '../resolve.ts';
import { readCompany, writeCompany } from './company-cache.ts';
import { planCall } from './plan.ts';
import type { Source, SourceFailure, SourceId, Wants } from './source.ts';

/**
 * The month's budget, at its one authority. The request's own sum may now come to `totalMicros`, calls made included
 * (`refused`: the budget has not that much left; `failed`: nobody could say). Never rejects.
 */
export type ReserveBudget = (totalMicros: number) => Promise<'granted' | 'refused' | 'failed'>;

/** One vendor may not use up the time of all. */
const CALL_MS_MAX = 2_000;

export interface EnrichmentDeps {
  readonly sources: readonly Source[];
  readonly cache: FactStore;
  readonly now: Clock;
  readonly reserve: ReserveBudget;
  /** Lets work go on behind the answer (`waitUntil`). */
  readonly defer: (work: Promise<unknown>) => void;
}

export interface EnrichmentSubject {
  readonly email: string;
  /** Lower-case A-labels. */
  readonly domain: string;
  /** False for free, relay and disposable domains: their company is not that of the address. */
  readonly hasCompany: boolean;
  /** False where the address is nobody's own (a role, a relay, a disposable one). */
  readonly hasPerson: boolean;
}

export interface EnrichmentLimits {
  /** What the request's cost ceiling leaves beside enrichment, in micros, read before each call; below 0: nobody is asked. */
  readonly costMicros: number;
  /** What was left of the organisation's monthly budget when the request came in, in micros; below 0: there is none. */
  readonly budgetMicros: number;
  /** Service time by which the answer has to leave. */
  readonly deadlineMs: number;
}

/** One call of this request. */
export interface EnrichmentCall {
  readonly source: SourceId;
  readonly wants: Wants;
  readonly ms: number;
  /** What it may have cost at most, in micros. */
  readonly costMicros: number;
  readonly failure: SourceFailure['kind'] | null;
}

export interface Enrichment {
  /** As `resolveDecision` asks for it; can be called again for more. Never rejects. */
  readonly settle: Asks['enrichment'];
  /** How it went. `degraded`: a value is missing because a call failed, and nobody else had it. */
  report(): { readonly calls: readonly EnrichmentCall[]; readonly costMicros: number; readonly degraded: boolean };
}

/** The enrichment of one request: each source asked once at most, both limits kept, a failure a missing value. */
export function openEnrichment(
  { sources, cache, now, reserve, defer }: EnrichmentDeps,
  subject: EnrichmentSubject | null,
  limits: EnrichmentLimits,
): Enrichment {
  const calls: EnrichmentCall[] = [];
  const failed = new Set<Want>();
  let budgetIsOpen = true;
  let company: Company | null | undefined = subject?.hasCompany ? undefined : null;
  let person: Person | null | undefined = subject?.hasPerson ? undefined : null;

  const isOpen = (want: Want): boolean => (want === 'company' ? company : person) === undefined;
  const spent = (): number => calls.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const open = (wants: ReadonlySet<Want>): Set<Want> => new Set([...wants].filter(isOpen));

  /** No call before the budget has room for it: requests side by side do not know of each other. */
  async function mayCall(source: Source, wants: Wants): Promise<boolean> {
    const answer = await within(reserve(spent() + source.prices[wants]), limits.deadlineMs - now());
    if (answer === 'granted') return true;
    budgetIsOpen = false;
    if (answer !== 'refused') partsOf(wants).forEach((want) => failed.add(want));
    return false;
  }

  async function call(about: EnrichmentSubject, source: Source, wants: Wants): Promise<void> {
    const startedAt = now();
    const timeoutMs = Math.min(CALL_MS_MAX, limits.deadlineMs - startedAt);
    const result = await source.ask({ wants, ...about }, timeoutMs, new AbortController().signal);
    const { costMicros } = result.ok ? result.value : result.error;
    const failure = result.ok ? null : result.error.kind;
    calls.push({ source: source.id, wants, ms: Math.max(0, now() - startedAt), costMicros, failure });
    if (!result.ok) return partsOf(wants).forEach((want) => failed.add(want));
    company ??= result.value.company ?? undefined;
    person ??= result.value.person ?? undefined;
  }

  return {
    async settle(needs, mayNeed) {
      if (subject !== null) {
        if (mayNeed.has('company') && company === undefined) company = await cachedCompany(subject.domain);
        const cached = company;
        while (budgetIsOpen && open(needs).size > 0 && now() < limits.deadlineMs) {
          const planned = planCall({
            needs: open(needs),
            mayNeed: open(mayNeed),
            sources: sources.filter(({ id }) => calls.every((made) => made.source !== id)),
            leftMicros: Math.min(limits.costMicros, limits.budgetMicros) - spent(),
          });
          const source = sources.find(({ id }) => id === planned?.source);
          if (planned === null || source === undefined || !(await mayCall(source, planned.wants))) break;
          await call(subject, source, planned.wants);
        }
        if (cached === undefined && mayKeep()) defer(writeCompany(cache, subject.domain, company ?? null, now));
      }
      return {
        ...(needs.has('company') || company ? { company: company ?? null } : {}),
        ...(needs.has('person') || person ? { person: person ?? null } : {}),
      };
    },
    report: () => ({
      calls,
      costMicros: spent(),
      degraded: [...failed].some(isOpen),
    }),
  };

  async function cachedCompany(domain: string): Promise<Company | null | undefined> {
    const kept = await within(readCompany(cache, domain, now()), Math.max(0, limits.deadlineMs - now()));
    return kept === LATE ? undefined : kept;
  }

  /** A company found is kept; that nobody knows it, only when every source was asked for it and answered. */
  function mayKeep(): boolean {
    if (company) return true;
    const answered = calls.filter(({ wants, failure }) => wants !== 'person' && failure === null);
    return sources.length > 0 && answered.length === sources.length;
  }
}

const partsOf = (wants: Wants): readonly Want[] => (wants === 'both' ? ['company', 'person'] : [wants]);
