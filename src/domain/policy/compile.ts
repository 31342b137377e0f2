import type { Comparison, Condition, Experiment, IcpProfile, Op, PolicyRule } from '../../contract/policy.ts';
import type { ParsedPolicy } from './document.ts';
import type { Value } from './facts.ts';
import { enrichmentOfIcp } from './icp.ts';
import { type EnrichmentKind, type FactSource, sourceOf } from './paths.ts';

/** Whether a value (undefined: missing) meets a comparison. */
type Test = (actual: Value | undefined) => boolean;

export interface CompiledComparison {
  readonly kind: 'comparison';
  readonly comparison: Comparison;
  readonly path: string;
  readonly source: FactSource;
  readonly test: Test;
}

export type CompiledCondition =
  | CompiledComparison
  | { readonly kind: 'all' | 'any'; readonly children: readonly CompiledCondition[] }
  | { readonly kind: 'not'; readonly child: CompiledCondition };

export interface CompiledRule {
  readonly rule: PolicyRule;
  readonly when: CompiledCondition;
  readonly experiment: Experiment | null;
}

/** A policy ready to be evaluated, compiled once for each version. */
export interface CompiledPolicy {
  readonly rules: readonly CompiledRule[];
  readonly default: ParsedPolicy['default'];
  readonly icp: IcpProfile | null;
  /** The kinds of enrichment that the profile's `icp.fit` needs. */
  readonly icpSources: ReadonlySet<EnrichmentKind>;
}

export const compilePolicy = ({ rules, default: otherwise, icp }: ParsedPolicy): CompiledPolicy => ({
  rules: rules.map((rule) => ({ rule, when: compileCondition(rule.when), experiment: rule.experiment ?? null })),
  default: otherwise,
  icp,
  icpSources: enrichmentOfIcp(icp),
});

function compileCondition(condition: Condition): CompiledCondition {
  if (condition.all) return { kind: 'all', children: condition.all.map(compileCondition) };
  if (condition.any) return { kind: 'any', children: condition.any.map(compileCondition) };
  if (condition.not) return { kind: 'not', child: compileCondition(condition.not) };
  const comparison: Comparison = condition;
  const { path, op, value } = comparison;
  return { kind: 'comparison', comparison, path, source: sourceOf(path), test: TESTS[op](value) };
}

/** Remembers the text folded last: a policy's rules read few texts, many times each. */
let lastRead = { text: '', lower: '' };
function lowerCase(text: string): string {
  if (text !== lastRead.text) lastRead = { text, lower: text.toLowerCase() };
  return lastRead.lower;
}

/**
 * Text is compared without regard to case, also in a caller's attributes: codes (`us`, `US`) and vendors' industries come
 * in either case. Numbers and booleans are compared as they are: `'5'` is not 5.
 */
const fold = <T>(value: T): T | string => (typeof value === 'string' ? lowerCase(value) : value);

const negated =
  (test: Test): Test =>
  (actual) =>
    !test(actual);

const equals = (value: Comparison['value']): Test => {
  const wanted = fold(value);
  return (actual) => fold(actual) === wanted;
};

const isAmong = (value: Comparison['value']): Test => {
  const wanted = new Set<unknown>((Array.isArray(value) ? value : [value]).map((one) => fold(one)));
  return (actual) => wanted.has(fold(actual));
};

const compares =
  (holds: (actual: number, wanted: number) => boolean) =>
  (value: Comparison['value']): Test =>
  (actual) =>
    typeof actual === 'number' && typeof value === 'number' && holds(actual, value);

const reads =
  (holds: (actual: string, wanted: string) => boolean) =>
  (value: Comparison['value']): Test => {
    const wanted = String(value).toLowerCase();
    return (actual) => typeof actual === 'string' && holds(lowerCase(actual), wanted);
  };

const containsText = reads((actual, wanted) => actual.includes(wanted));

/** A list contains an entry; a text contains a part of it. */
const contains = (value: Comparison['value']): Test => {
  const [inText, isEntry] = [containsText(value), equals(value)];
  return (actual) => (Array.isArray(actual) ? actual.some((entry) => isEntry(entry)) : inText(actual));
};

/** A missing value makes every operator false except `ne`, `not_in` and `exists`. */
const TESTS: Readonly<Record<Op, (value: Comparison['value']) => Test>> = {
  eq: equals,
  ne: (value) => negated(equals(value)),
  in: isAmong,
  not_in: (value) => negated(isAmong(value)),
  gt: compares((actual, wanted) => actual > wanted),
  gte: compares((actual, wanted) => actual >= wanted),
  lt: compares((actual, wanted) => actual < wanted),
  lte: compares((actual, wanted) => actual <= wanted),
  exists: (value) => (actual) => (actual !== undefined) === value,
  contains,
  starts_with: reads((actual, wanted) => actual.startsWith(wanted)),
  ends_with: reads((actual, wanted) => actual.endsWith(wanted)),
};
