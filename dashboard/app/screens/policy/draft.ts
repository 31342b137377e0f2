import type { Comparison, Decision, EmailType, PolicyCondition, PolicyDocument, PolicyRule } from '../../api/schema.ts';

/** Changes of a policy's document. Pure. */

/** The kinds of address with a switch of their own. */
export const SWITCHES = ['disposable', 'relay', 'role', 'free'] as const satisfies readonly EmailType[];
export type Switch = (typeof SWITCHES)[number];

export type SwitchState = Exclude<Decision, 'allow_with_flow'> | 'none' | 'custom';

const isComparison = (condition: PolicyCondition): condition is Comparison => 'path' in condition;

/** A condition that is, or needs, this kind of address and no other. */
function isAbout(condition: PolicyCondition, type: Switch): boolean {
  if (isComparison(condition))
    return condition.path === 'verification.email_type' && condition.op === 'eq' && condition.value === type;
  if (!('all' in condition)) return false;
  const [first, ...others] = condition.all;
  return first !== undefined && isAbout(first, type) && others.every((other) => 'not' in other);
}

const isSwitchOf = (type: Switch) => (rule: PolicyRule) => rule.id === type && isAbout(rule.when, type);

/** What the switch shows: `custom` where a rule of the kind stands that a switch could not have made. */
export function switchState({ rules }: PolicyDocument, type: Switch): SwitchState {
  const rule = rules.find(isSwitchOf(type));
  if (rule === undefined) return rules.some(({ when }) => mentions(when, type)) ? 'custom' : 'none';
  return rule.decision === 'allow_with_flow' || rule.experiment !== undefined ? 'custom' : rule.decision;
}

function mentions(condition: PolicyCondition, type: Switch): boolean {
  if (isComparison(condition))
    return condition.path === 'verification.email_type' && [condition.value].flat().includes(type);
  if ('not' in condition) return mentions(condition.not, type);
  return ('all' in condition ? condition.all : condition.any).some((each) => mentions(each, type));
}

const DESCRIPTIONS: Readonly<Record<Switch, string>> = {
  disposable: 'A disposable address.',
  relay: 'A relay address.',
  role: 'A role address.',
  free: 'A free mailbox.',
};

/**
 * Sets decision and place, so that the switch means what it says. What denies stands first. What allows stands last, behind every
 * reason against an address: a free mailbox that does not exist is still denied. What asks stands behind what denies.
 */
export function withSwitch(
  document: PolicyDocument,
  type: Switch,
  state: Exclude<SwitchState, 'custom'>,
): PolicyDocument {
  const others = document.rules.filter((rule) => !isSwitchOf(type)(rule));
  if (state === 'none') return { ...document, rules: others };
  const rule: PolicyRule = {
    id: type,
    description: DESCRIPTIONS[type],
    when: { path: 'verification.email_type', op: 'eq', value: type },
    decision: state,
  };
  const lastDenial = others.findLastIndex(({ decision }) => decision === 'deny');
  const place = state === 'deny' ? 0 : state === 'allow' ? others.length : lastDenial + 1;
  return { ...document, rules: others.toSpliced(place, 0, rule) };
}

/** The limit above which the number alone decides. */
export const NUMBER_RULE = 'number';

export function numberLimit({ rules }: PolicyDocument): number | null {
  const when = rules.find(({ id }) => id === NUMBER_RULE)?.when;
  return when !== undefined && isComparison(when) && when.op === 'gte' && typeof when.value === 'number'
    ? when.value
    : null;
}

export function withNumberLimit(
  document: PolicyDocument,
  limit: number | null,
  decision: 'review' | 'challenge' | 'deny',
): PolicyDocument {
  const others = document.rules.filter(({ id }) => id !== NUMBER_RULE);
  if (limit === null) return { ...document, rules: others };
  const rule: PolicyRule = {
    id: NUMBER_RULE,
    description: 'The bounce probability is too high.',
    when: { path: 'verification.bounce_probability', op: 'gte', value: limit },
    decision,
  };
  const lastDenial = others.findLastIndex((each) => each.decision === 'deny');
  return { ...document, rules: others.toSpliced(decision === 'deny' ? 0 : lastDenial + 1, 0, rule) };
}

export const moved = (document: PolicyDocument, from: number, to: number): PolicyDocument => {
  const rule = document.rules[from];
  if (rule === undefined || to < 0 || to >= document.rules.length) return document;
  return { ...document, rules: document.rules.toSpliced(from, 1).toSpliced(to, 0, rule) };
};

export const withoutRule = (document: PolicyDocument, at: number): PolicyDocument => ({
  ...document,
  rules: document.rules.toSpliced(at, 1),
});

/** What is written: without the members that only a reader gets. */
export const documentOf = ({ name, rules, default: otherwise, icp }: PolicyDocument): PolicyDocument => ({
  name,
  rules,
  default: otherwise,
  icp: icp ?? null,
});

/** The document that a text holds; throws where it is no JSON object. What it may say the service checks. */
export function parsed(text: string): PolicyDocument {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || !Array.isArray((value as PolicyDocument).rules))
    throw new SyntaxError('The document is an object with `name`, `rules` and `default`.');
  return value as PolicyDocument;
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  exists: 'exists:',
  contains: 'contains',
  starts_with: 'begins with',
  ends_with: 'ends with',
};

/** A condition as a sentence. */
export function sentence(condition: PolicyCondition): string {
  if (isComparison(condition))
    return `${condition.path} ${OPERATORS[condition.op] ?? condition.op} ${JSON.stringify(condition.value)}`;
  if ('not' in condition) return `not (${sentence(condition.not)})`;
  const [list, word] = 'all' in condition ? [condition.all, ' and '] : [condition.any, ' or '];
  return list.length === 0
    ? 'always'
    : list.map((each) => (isComparison(each) ? sentence(each) : `(${sentence(each)})`)).join(word);
}
