import type { Company, Person } from '../../contract/decision.ts';
import type { IcpFit } from '../../contract/policy.ts';
import type { ScreeningLabels } from '../../contract/screening.ts';
import type { CompiledPolicy } from './compile.ts';
import { type AssignArm, evaluate, type RuleDecision } from './evaluate.ts';
import { type AskedFacts, type Facts, factsOf, type GivenFacts } from './facts.ts';
import { icpFit } from './icp.ts';
import type { AskedSource, EnrichmentKind } from './paths.ts';

/** What an evaluation may ask for. Neither rejects: a value that can't be had is null. */
export interface Asks {
  screening(): Promise<ScreeningLabels | null>;
  /** `needs`: what the current rule depends on; `mayNeed`: also what the rules behind it may depend on. */
  enrichment(
    needs: ReadonlySet<EnrichmentKind>,
    mayNeed: ReadonlySet<EnrichmentKind>,
  ): Promise<{ readonly company?: Company | null; readonly person?: Person | null }>;
}

export interface Resolution {
  readonly ruleDecision: RuleDecision;
  /** Everything known at the end; explanations show it. */
  readonly facts: Facts;
  readonly asked: AskedFacts;
  readonly icp: IcpFit;
}

/**
 * Evaluates a policy and asks for facts only where a rule depends on them: cheap screening first, then paid enrichment,
 * which may have become needless. Rejects only when an ask does.
 */
export async function resolveDecision(
  policy: CompiledPolicy,
  given: GivenFacts,
  assign: AssignArm,
  asks: Asks,
): Promise<Resolution> {
  let asked: AskedFacts = {};
  for (;;) {
    asked = withIcp(policy, asked);
    const facts = factsOf(given, asked);
    const evaluation = evaluate(policy, facts, assign);
    if (evaluation.kind === 'decided') return { ruleDecision: evaluation, facts, asked, icp: asked.icp ?? 'unknown' };
    const { needs, mayNeed } = evaluation;
    if (needs.has('screening')) asked = { ...asked, screening: await asks.screening() };
    else asked = { ...asked, ...settled(needs, await asks.enrichment(wanted(needs), wanted(mayNeed))) };
  }
}

/** `icp.fit` is known as soon as its parts are; without a profile it is known from the start. */
const withIcp = (policy: CompiledPolicy, asked: AskedFacts): AskedFacts =>
  [...policy.icpSources].every((source) => asked[source] !== undefined)
    ? { ...asked, icp: icpFit(policy.icp, asked.company ?? null, asked.person ?? null) }
    : asked;

const WANTS: readonly EnrichmentKind[] = ['company', 'person'];

const wanted = (sources: ReadonlySet<AskedSource>): ReadonlySet<EnrichmentKind> =>
  new Set(WANTS.filter((want) => sources.has(want)));

/** What was needed counts as asked for whatever came back, so that nothing is asked for twice. */
function settled(
  needs: ReadonlySet<AskedSource>,
  found: { readonly company?: Company | null; readonly person?: Person | null },
): AskedFacts {
  return {
    ...(needs.has('company') ? { company: null } : {}),
    ...(needs.has('person') ? { person: null } : {}),
    ...found,
  };
}
