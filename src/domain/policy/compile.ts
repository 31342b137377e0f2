import type { Company, Person } from '../../contract/decision.ts';
import type { Comparison, Condition, Experiment, IcpFit, IcpProfile, Op, PolicyRule } from '../../contract/policy.ts';
import type { FlatProperties } from '../../contract/properties.ts';
import type { ScreeningLabels } from '../../contract/screening.ts';
import type { Verification, VerificationContext } from '../../contract/verification.ts';
import type { ParsedPolicy } from './document.ts';
import { type AskedSource, type EnrichmentKind, type FactSource, sourceOf } from './paths.ts';

export type Value = string | number | boolean | readonly string[];

/**
 * What an evaluation can see. A path without a value is missing if its source is known, else not asked for yet.
 * `unstored`: paths that can't be asked for any more although their source is known.
 */
export interface Facts {
  readonly values: ReadonlyMap<string, Value>;
  readonly known: ReadonlySet<FactSource>;
  readonly unstored?: ReadonlySet<string>;
  /** Paths whose value is stored masked: only its existence is known. */
  readonly masked?: ReadonlySet<string>;
}

export interface GivenFacts {
  readonly verification: Verification;
  readonly attributes: FlatProperties;
  /** The effective context, with a decision's default purpose. */
  readonly context: VerificationContext;
}

/** Absent: not asked; null means asked without an answer. */
export interface AskedFacts {
  readonly screening?: ScreeningLabels | null;
  readonly company?: Company | null;
  readonly person?: Person | null;
  readonly icp?: IcpFit;
}

/** Enters values by path, at any depth. Null and undefined count as missing. */
export function flatten(path: string, value: object, into: Map<string, Value>): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === null || member === undefined) continue;
    if (typeof member === 'object' && !Array.isArray(member)) flatten(`${path}.${name}`, member, into);
    else into.set(`${path}.${name}`, member as Value);
  }
}

/** A request's facts. Without `asked` only its input and verification are known. */
export function factsOf({ verification, attributes, context }: GivenFacts, asked: AskedFacts = {}): Facts {
  const values = new Map<string, Value>();
  const known = new Set<FactSource>(['verification', 'attributes', 'context']);
  // Not readable by paths, and unbounded in size.
  const { providers: _, ...readable } = verification;
  flatten('verification', readable, values);
  flatten('attributes', attributes, values);
  flatten('context', context, values);
  const { icp, ...others } = asked;
  for (const [source, value] of Object.entries(others) as [AskedSource, object | null][]) {
    known.add(source);
    if (value !== null) flatten(source, value, values);
  }
  if (icp !== undefined) {
    known.add('icp');
    values.set('icp.fit', icp);
  }
  return { values, known };
}

/** What each dimension of a profile is compared with. Ignores case, because vendors write industries in either. */
const DIMENSIONS = [
  { of: 'company', list: 'industries', read: (company: Company | null) => company?.industry },
  { of: 'company', list: 'employees_ranges', read: (company: Company | null) => company?.employees_range },
  { of: 'company', list: 'countries', read: (company: Company | null) => company?.country },
  { of: 'person', list: 'seniorities', read: (_: Company | null, person: Person | null) => person?.seniority },
] as const;

const configured = (profile: IcpProfile | null) =>
  profile === null ? [] : DIMENSIONS.filter(({ list }) => profile[list].length > 0);

export const enrichmentOfIcp = (profile: IcpProfile | null): ReadonlySet<EnrichmentKind> =>
  new Set(configured(profile).map(({ of }) => of));

/**
 * How a company and a person match the profile. `strong`: every dimension that is set is known and matches; `partial`:
 * some match; `none`: some are known, none match; `unknown`: none are known, or there is no profile.
 */
export function icpFit(profile: IcpProfile | null, company: Company | null, person: Person | null): IcpFit {
  const dimensions = configured(profile);
  if (profile === null || dimensions.length === 0) return 'unknown';
  const matches = dimensions.map(({ list, read }) => {
    const actual = read(company, person)?.toLowerCase();
    return actual === undefined ? null : profile[list].some((wanted) => wanted.toLowerCase() === actual);
  });
  if (matches.every((match) => match === null)) return 'unknown';
  if (!matches.includes(true)) return 'none';
  return matches.every((match) => match === true) ? 'strong' : 'partial';
}

/** Undefined means missing. */
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

/** A policy ready for evaluation, compiled once a version. */
export interface CompiledPolicy {
  readonly rules: readonly CompiledRule[];
  readonly default: ParsedPolicy['default'];
  readonly icp: IcpProfile | null;
  /** The kinds of enrichment that `icp.fit` needs. */
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

/** Memoises the last folded text: a policy's rules read few texts, many times each. */
let lastRead = { text: '', lower: '' };
function lowerCase(text: string): string {
  if (text !== lastRead.text) lastRead = { text, lower: text.toLowerCase() };
  return lastRead.lower;
}

/**
 * Text comparison ignores case, also in attributes: codes (`us`, `US`) and vendors' industries come in either. Numbers
 * and booleans are strict: `'5'` is not 5.
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

/** A list contains an entry; a text contains a substring. */
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
