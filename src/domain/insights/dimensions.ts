/** A dimension that every exposure has, or that is missing. */
interface FixedDimension {
  readonly name: string;
  /** Where it stands in a trace `t`. */
  readonly column: string;
  /** What a policy's rule calls it; null where a recommendation makes no sense: no such exposure has events by chance. */
  readonly path: string | null;
  /** Any text, in whatever case somebody wrote it. */
  readonly isFreeText?: true;
}

/** The dimensions of the contract, but attributes: of these there are pairs. */
export const FIXED_DIMENSIONS: readonly FixedDimension[] = [
  { name: 'mailbox_type', column: 't.mailbox_type', path: 'verification.mailbox_type' },
  { name: 'esp', column: 't.esp', path: 'verification.esp' },
  { name: 'actor_class', column: 't.actor_class', path: 'verification.actor_class' },
  { name: 'signals.disposable', column: 't.disposable', path: 'verification.signals.disposable' },
  { name: 'signals.role_account', column: 't.role_account', path: 'verification.signals.role_account' },
  {
    name: 'company.industry',
    column: "t.policy_decision #> '{company,industry}'",
    path: 'company.industry',
    isFreeText: true,
  },
  {
    name: 'company.employees_range',
    column: "t.policy_decision #> '{company,employees_range}'",
    path: 'company.employees_range',
  },
  { name: 'company.country', column: "t.policy_decision #> '{company,country}'", path: 'company.country' },
  { name: 'person.seniority', column: "t.policy_decision #> '{person,seniority}'", path: 'person.seniority' },
  { name: 'icp.fit', column: "t.policy_decision #> '{icp,fit}'", path: 'icp.fit' },
  { name: 'decision', column: "t.policy_decision -> 'decision'", path: null },
  { name: 'rule_id', column: "t.policy_decision -> 'rule_id'", path: null },
];

/** Counted beside them for `/v1/policies/:slug/experiments`, and no segment: `slug id arm`. */
export const EXPERIMENT = {
  name: 'experiment',
  column: `(t.policy_decision #>> '{policy,slug}') || ' ' || (t.policy_decision #>> '{experiment,id}')
    || ' ' || (t.policy_decision #>> '{experiment,arm}')`,
} as const;

export const ATTRIBUTE_PREFIX = 'attributes.';

/** The value that stands for an attribute's rarer ones. */
export const OTHER = 'other';

/** How many segments there are. */
export const CELL_CAPS = {
  /** An account sends what it likes: of attributes the most frequent names and values are shown. */
  names: 10,
  values: 50,
  /** Beyond these a day's names and values are not told apart: far more than are shown of a year. */
  namesPerDay: 50,
  valuesPerDay: 200,
  pairs: 1_000,
  pairExposures: 100,
  customMetrics: 10,
} as const;
