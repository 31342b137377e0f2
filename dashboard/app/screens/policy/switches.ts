import type { Comparison, Decision, EmailType, PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';

/**
 * Rules that the screen shows as a switch or a slider: their decision and their place together make what the switch says. A rule
 * that denies stands first; every other one behind the rules that are stricter than it, and in front of those that are not. The
 * rule of disposable addresses stands in front of the rules of the recommendation, as in the default policy: being disposable
 * is itself why an address is to be dropped.
 */

/** Lower is stricter. */
const STRICTNESS: Readonly<Record<Decision, number>> = {
  deny: 0,
  challenge: 1,
  review: 2,
  allow_with_flow: 3,
  allow: 4,
};

export const isStricter = (one: Decision, other: Decision): boolean => STRICTNESS[one] < STRICTNESS[other];

export type SwitchDecision = Exclude<Decision, 'allow_with_flow'>;

export const KINDS: readonly { readonly type: EmailType; readonly title: string; readonly hint: string }[] = [
  { type: 'free', title: 'Free mailboxes', hint: 'Gmail, Outlook.com, Yahoo and the like.' },
  { type: 'role', title: 'Role addresses', hint: 'info@, sales@, support@ and the like.' },
  { type: 'relay', title: 'Relay addresses', hint: 'Apple’s Hide My Email, DuckDuckGo and the like.' },
  { type: 'disposable', title: 'Disposable addresses', hint: 'Temporary mailboxes.' },
];

const TYPE = 'verification.email_type';
const RECOMMENDATION = 'verification.recommendation';
const NUMBER = 'verification.bounce_probability';

/** Accepts any value, as half-typed JSON may hold anything. */
export function isComparison(when: unknown): when is Comparison {
  const { path, op } = Object(when) as Partial<Comparison>;
  return typeof path === 'string' && typeof op === 'string';
}

/** The parts of an `all` group. A group with unknown members stays whole, as a newer service may read them. */
export const partsOf = (when: PolicyCondition): readonly PolicyCondition[] =>
  'all' in when && Array.isArray(when.all) && Object.keys(when).length === 1 ? when.all : [when];

/** Excludes reasons worse than being disposable, which have rules of their own. */
export const GUARD: PolicyCondition = {
  not: { path: 'verification.reason', op: 'in', value: ['address_blocklisted', 'domain_blocklisted', 'no_mx'] },
};

/** Whether a part is such a guard. */
export function isGuard(part: PolicyCondition): boolean {
  const { not } = Object(part) as { readonly not?: unknown };
  return isComparison(not) && not.path === 'verification.reason' && not.op === 'in';
}

/** Whether the rule depends on the recommendation alone. */
const isOfRecommendation = ({ when }: PolicyRule): boolean => isComparison(when) && when.path === RECOMMENDATION;

const isOfTypo = ({ when }: PolicyRule): boolean =>
  partsOf(when).some((part) => isComparison(part) && part.path === 'verification.did_you_mean');

/** Denies by reason, like the first rule of the default policy. */
const isOfReason = ({ when, decision }: PolicyRule): boolean =>
  decision === 'deny' && isComparison(when) && when.path === 'verification.reason';

/** Whether the rule is about this kind of address only. */
function isAbout(type: EmailType, { when, experiment }: PolicyRule): boolean {
  if (experiment !== undefined) return false;
  const parts = partsOf(when).filter((part) => !isGuard(part));
  const [only] = parts;
  return (
    parts.length === 1 &&
    only !== undefined &&
    isComparison(only) &&
    only.path === TYPE &&
    only.op === 'eq' &&
    only.value === type
  );
}

/** Index for a rule of this decision: after all stricter rules; an allowing one last. */
export const placeFor = (rules: readonly PolicyRule[], decision: Decision): number =>
  decision === 'allow' ? rules.length : rules.findLastIndex((rule) => isStricter(rule.decision, decision)) + 1;

const place = (rules: readonly PolicyRule[], rule: PolicyRule): PolicyRule[] =>
  rules.toSpliced(placeFor(rules, rule.decision), 0, rule);

/**
 * In front of the rules of the recommendation; where there are none, or where it denies, as any other rule. What is hopeless and
 * the rules of typos stay in front of it: a mistyped domain is on many lists of disposable ones.
 */
function placeDisposable(rules: readonly PolicyRule[], rule: PolicyRule): PolicyRule[] {
  const first = rules.findIndex((each) => !isOfTypo(each) && !isOfReason(each));
  const recommended = rules.findIndex(isOfRecommendation);
  const at = rule.decision === 'deny' || recommended === -1 ? placeFor(rules, rule.decision) : recommended;
  return rules.toSpliced(Math.max(at, first === -1 ? rules.length : first), 0, rule);
}

function freeId(rules: readonly PolicyRule[], wanted: string): string {
  if (rules.every(({ id }) => id !== wanted)) return wanted;
  for (let number = 2; ; number += 1)
    if (rules.every(({ id }) => id !== `${wanted}-${number}`)) return `${wanted}-${number}`;
}

export interface KindState {
  /** The kind's decision; null without a rule of its own. */
  readonly decision: Decision | null;
  /** Earlier rules that take addresses from it: less strict ones, and those on the recommendation, which the kind itself affects. */
  readonly before: readonly string[];
  /** The current decision if re-applying it would move the rule before some of these, else null. */
  readonly movable: SwitchDecision | null;
  /** The rule has a flow, which a switch can't set. */
  readonly isOwn: boolean;
}

export function kindState(document: PolicyDocument, type: EmailType): KindState {
  const { rules } = document;
  const at = rules.findIndex((rule) => isAbout(type, rule));
  const rule = rules[at];
  if (rule === undefined) return { decision: null, before: [], movable: null, isOwn: false };
  const before = rules
    .slice(0, at)
    .filter(
      (earlier) =>
        isStricter(rule.decision, earlier.decision) ||
        (type === 'disposable' && isOfRecommendation(earlier) && earlier.decision !== rule.decision),
    )
    .map(({ id }) => id);
  const { decision } = rule;
  if (decision === 'allow_with_flow') return { decision, before, movable: null, isOwn: true };
  const placed = withKind(document, type, decision).rules.map(({ id }) => id);
  const movable = before.some((id) => placed.indexOf(id) > placed.indexOf(rule.id)) ? decision : null;
  return { decision, before, movable, isOwn: false };
}

/** Descriptions of rules made by a switch. */
const REASONS: Readonly<Partial<Record<EmailType, string>>> = {
  free: 'A free mailbox.',
  role: 'A role address.',
  relay: 'A relay address.',
  disposable: 'A disposable address.',
};

/** The document with one switch set: one rule for the kind, at the index its decision needs. */
export function withKind(document: PolicyDocument, type: EmailType, decision: SwitchDecision | 'none'): PolicyDocument {
  const rules = document.rules.filter((rule) => !isAbout(type, rule));
  if (decision === 'none') return { ...document, rules };
  const reason = REASONS[type];
  const isType = { path: TYPE, op: 'eq', value: type } as const;
  const rule: PolicyRule = {
    id: freeId(rules, type),
    ...(reason !== undefined && { description: reason }),
    when: type === 'disposable' ? { all: [isType, GUARD] } : isType,
    decision,
  };
  return { ...document, rules: type === 'disposable' ? placeDisposable(rules, rule) : place(rules, rule) };
}

/** Bounce risks from which addresses are reviewed and denied; null without such a rule. */
export interface Limits {
  readonly review: number | null;
  readonly deny: number | null;
}

const isLimit =
  (decision: Decision) =>
  ({ when, decision: made, experiment }: PolicyRule): boolean =>
    experiment === undefined &&
    made === decision &&
    isComparison(when) &&
    when.path === NUMBER &&
    when.op === 'gte' &&
    typeof when.value === 'number';

export function limitsOf({ rules }: PolicyDocument): Limits {
  const valueOf = (decision: Decision): number | null => {
    const when = rules.find(isLimit(decision))?.when;
    return when !== undefined && isComparison(when) && typeof when.value === 'number' ? when.value : null;
  };
  return { review: valueOf('review'), deny: valueOf('deny') };
}

export function withLimits(document: PolicyDocument, limits: Limits): PolicyDocument {
  let rules = document.rules.filter((rule) => !isLimit('review')(rule) && !isLimit('deny')(rule));
  for (const decision of ['review', 'deny'] as const) {
    const value = limits[decision];
    if (value === null) continue;
    const rule: PolicyRule = {
      id: freeId(rules, `number-${decision}`),
      description: 'The bounce probability is too high.',
      when: { path: NUMBER, op: 'gte', value },
      decision,
    };
    rules = place(rules, rule);
  }
  return { ...document, rules };
}

/** Whether the rule is shown as a switch or limit. */
export const isSwitched = (rule: PolicyRule): boolean =>
  KINDS.some(({ type }) => isAbout(type, rule)) || isLimit('review')(rule) || isLimit('deny')(rule);

export const newRuleId = (document: PolicyDocument): string => freeId(document.rules, 'rule');
