import type { Company, ExperimentArm, Explanation, Person } from '../../contract/decision.ts';
import type { Decision, Experiment, IcpFit } from '../../contract/policy.ts';
import type { ScreeningLabels } from '../../contract/screening.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import {
  type AskedFacts,
  type CompiledComparison,
  type CompiledCondition,
  type CompiledPolicy,
  type CompiledRule,
  type Facts,
  type GivenFacts,
  factsOf,
  icpFit,
} from './compile.ts';
import { DEFAULT_RULE_ID } from './document.ts';
import type { EnrichmentScope, EnrichmentVendor, Prices } from './enrichment.ts';
import type { AskedSource, EnrichmentKind, FactSource } from './paths.ts';

export type Arm = 'treatment' | 'control';

/** 32 bits of a hash, as 8 hex digits. */
const SHARE_DIGITS = 8;
const SHARES = 16 ** SHARE_DIGITS;

/**
 * An address's arm in an experiment: stable, in treatment as often as `weight` (1 to 100 percent), and independent of
 * other experiments. `addressHash` is keyed, so a plain hash over it is enough. An address that could not be parsed is
 * in control, unless everybody is in treatment.
 */
export function armOf(experiment: { readonly id: string; readonly weight: number }, addressHash: string | null): Arm {
  if (experiment.weight === 100) return 'treatment';
  if (addressHash === null) return 'control';
  const digits = sha256Hex(`experiment ${experiment.id} ${addressHash}`).slice(0, SHARE_DIGITS);
  return (Number.parseInt(digits, 16) / SHARES) * 100 < experiment.weight ? 'treatment' : 'control';
}

export interface RuleDecision {
  readonly decision: Decision;
  /** `default` when no rule matched. */
  readonly ruleId: string;
  readonly reason: string | null;
  readonly flow: string | null;
  /** The first experiment that the address took part in, in either arm. */
  readonly experiment: ExperimentArm | null;
}

export type Evaluation =
  | ({ readonly kind: 'decided' } & RuleDecision)
  | {
      readonly kind: 'undecided';
      /** The first undecided rule, and the sources it waits for. */
      readonly ruleIndex: number;
      readonly needs: ReadonlySet<AskedSource>;
      /** Sources that it and later rules may wait for, as far as is known now. */
      readonly mayNeed: ReadonlySet<AskedSource>;
    };

export type AssignArm = (experiment: Experiment) => Arm;

/** Like `AssignArm`; null where the arm can't be computed any more. */
type RecallArm = (experiment: Experiment) => Arm | null;

/**
 * The first match decides. An unknown source stops the walk only where a rule depends on it. Pure; with everything
 * known it always decides.
 */
export function evaluate(policy: CompiledPolicy, facts: Facts, assign: RecallArm): Evaluation {
  let met: ExperimentArm | null = null;
  for (const [ruleIndex, { rule, when, experiment }] of policy.rules.entries()) {
    // Control falls through, and only the first experiment is recorded.
    if (met !== null && experiment !== null && assign(experiment) === 'control') continue;
    const matched = holds(when, facts);
    if (matched === null) {
      const needs = waitsFor(policy, when, facts);
      return { kind: 'undecided', ruleIndex, needs, mayNeed: neededFrom(policy, ruleIndex, facts) };
    }
    if (!matched) continue;
    if (experiment !== null) {
      const arm = assign(experiment);
      if (arm === null) return { kind: 'undecided', ruleIndex, needs: new Set(), mayNeed: new Set() };
      met ??= { id: experiment.id, arm };
      if (arm === 'control') continue;
    }
    return {
      kind: 'decided',
      decision: rule.decision,
      ruleId: rule.id,
      reason: rule.description ?? null,
      flow: rule.flow ?? null,
      experiment: met,
    };
  }
  return {
    kind: 'decided',
    decision: policy.default,
    ruleId: DEFAULT_RULE_ID,
    reason: null,
    flow: null,
    experiment: met,
  };
}

/** Null if it depends on an unknown source. */
function holds(condition: CompiledCondition, facts: Facts): boolean | null {
  switch (condition.kind) {
    case 'comparison': {
      const actual = facts.values.get(condition.path);
      const isHidden = actual === undefined ? isUnknown(condition, facts) : isMasked(condition, facts);
      return isHidden ? null : condition.test(actual);
    }
    case 'not': {
      const held = holds(condition.child, facts);
      return held === null ? null : !held;
    }
    case 'all':
    case 'any': {
      // One child with this value settles the condition.
      const settling = condition.kind === 'any';
      let unknown = false;
      for (const child of condition.children) {
        const held = holds(child, facts);
        if (held === settling) return settling;
        unknown ||= held === null;
      }
      return unknown ? null : !settling;
    }
  }
}

const isUnknown = (condition: CompiledComparison, facts: Facts): boolean =>
  !facts.known.has(condition.source) || (facts.unstored?.has(condition.path) ?? false);

const isMasked = ({ path, comparison }: CompiledComparison, facts: Facts): boolean =>
  comparison.op !== 'exists' && (facts.masked?.has(path) ?? false);

/** The unknown sources that the condition depends on; empty when it is settled. */
function waitsFor(policy: CompiledPolicy, condition: CompiledCondition, facts: Facts): ReadonlySet<AskedSource> {
  const sources = new Set<AskedSource>();
  collect(condition);
  return sources;

  function collect(node: CompiledCondition): void {
    if (holds(node, facts) !== null) return;
    if (node.kind === 'comparison') for (const source of askedFor(node.source)) sources.add(source);
    else if (node.kind === 'not') collect(node.child);
    else node.children.forEach(collect);
  }

  /** `icp` waits for the sources it derives from. A value that was not stored can't be asked for later. */
  function askedFor(source: FactSource): AskedSource[] {
    if (source === 'icp') return [...policy.icpSources].filter((part) => !facts.known.has(part));
    return facts.known.has(source) ? [] : [source as AskedSource];
  }
}

/** What the rules from `first` on may wait for, up to the first that is sure to decide. */
function neededFrom(policy: CompiledPolicy, first: number, facts: Facts): ReadonlySet<AskedSource> {
  const needed = new Set<AskedSource>();
  for (const { when, experiment } of policy.rules.slice(first)) {
    if (holds(when, facts) === true && experiment === null) break;
    for (const source of waitsFor(policy, when, facts)) needed.add(source);
  }
  return needed;
}

/** Each rule up to the deciding one, with its comparisons, actual values and matches. */
export function explain(policy: CompiledPolicy, facts: Facts, decided: Pick<RuleDecision, 'ruleId'>): Explanation {
  const decidedAt = policy.rules.findIndex(({ rule }) => rule.id === decided.ruleId);
  return (decidedAt === -1 ? policy.rules : policy.rules.slice(0, decidedAt + 1)).map((rule) =>
    explainRule(rule, facts),
  );
}

const explainRule = ({ rule, when }: CompiledRule, facts: Facts): Explanation[number] => ({
  rule_id: rule.id,
  matched: holds(when, facts) ?? false,
  conditions: comparisonsOf(when).map((node) => ({
    ...node.comparison,
    actual: actualOf(facts, node.path),
    matched: holds(node, facts),
  })),
});

function actualOf(facts: Facts, path: string): Explanation[number]['conditions'][number]['actual'] {
  const actual = facts.values.get(path);
  if (actual === undefined) return null;
  return Array.isArray(actual) ? [...actual] : (actual as Exclude<typeof actual, readonly string[]>);
}

const comparisonsOf = (node: CompiledCondition): CompiledComparison[] => {
  if (node.kind === 'comparison') return [node];
  return node.kind === 'not' ? comparisonsOf(node.child) : node.children.flatMap(comparisonsOf);
};

/** What an evaluation may ask for. Neither call rejects: an unavailable value is null. */
export interface Asks {
  screening(): Promise<ScreeningLabels | null>;
  /** `needs`: of the current rule; `mayNeed`: also of later rules. */
  enrichment(
    needs: ReadonlySet<EnrichmentKind>,
    mayNeed: ReadonlySet<EnrichmentKind>,
  ): Promise<{ readonly company?: Company | null; readonly person?: Person | null }>;
}

export interface Resolution {
  readonly ruleDecision: RuleDecision;
  /** Everything known at the end, for explanations. */
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
    const resolved = resolve(policy, given, asked, assign);
    if (resolved.kind === 'decided') return resolved;
    const { needs, mayNeed } = resolved;
    if (needs.has('screening')) asked = { ...asked, screening: await asks.screening() };
    else asked = { ...asked, ...settled(needs, await asks.enrichment(wanted(needs), wanted(mayNeed))) };
  }
}

/** The policy's decision from what is known so far, else what it waits for. */
export function resolve(
  policy: CompiledPolicy,
  given: GivenFacts,
  known: AskedFacts,
  assign: AssignArm,
): ({ readonly kind: 'decided' } & Resolution) | Extract<Evaluation, { kind: 'undecided' }> {
  const asked = withIcp(policy, known);
  const facts = factsOf(given, asked);
  const evaluation = evaluate(policy, facts, assign);
  if (evaluation.kind === 'undecided') return evaluation;
  return { kind: 'decided', ruleDecision: evaluation, facts, asked, icp: asked.icp ?? 'unknown' };
}

/** `icp.fit` is known as soon as its parts are; without a profile, from the start. */
const withIcp = (policy: CompiledPolicy, asked: AskedFacts): AskedFacts =>
  [...policy.icpSources].every((source) => asked[source] !== undefined)
    ? { ...asked, icp: icpFit(policy.icp, asked.company ?? null, asked.person ?? null) }
    : asked;

const WANTS: readonly EnrichmentKind[] = ['company', 'person'];

const wanted = (sources: ReadonlySet<AskedSource>): ReadonlySet<EnrichmentKind> =>
  new Set(WANTS.filter((want) => sources.has(want)));

/** Marks needs as asked whatever came back, so that nothing is asked for twice. */
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

/** The highest cost of a decision beside the verification, in micros. */
export interface HighestCost {
  readonly enrichmentMicros: number;
  readonly screeningMicros: number;
}

/**
 * The most that a policy's rules can cause: each vendor is asked once, for the dearest scope that the rules read.
 * @param modelMicros cost of the model's requests about one address
 */
export function highestCost(
  { rules, icpSources }: CompiledPolicy,
  vendors: readonly Pick<EnrichmentVendor, 'prices'>[],
  modelMicros: number,
): HighestCost {
  const read = new Set<FactSource>(rules.flatMap(({ when }) => comparisonsOf(when).map(({ source }) => source)));
  if (read.has('icp')) for (const source of icpSources) read.add(source);
  const shapes: readonly EnrichmentScope[] = (['company', 'person', 'both'] as const).filter((wants) =>
    wants === 'both' ? read.has('company') && read.has('person') : read.has(wants),
  );
  const dearest = (prices: Prices): number => Math.max(0, ...shapes.map((wants) => prices[wants]));
  return {
    enrichmentMicros: vendors.reduce((sum, { prices }) => sum + dearest(prices), 0),
    screeningMicros: read.has('screening') ? modelMicros : 0,
  };
}
