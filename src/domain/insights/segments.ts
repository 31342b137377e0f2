import type { Segments } from '../../contract/insights.ts';
import { type Count, fitPrior, rateOf, shownRate } from './rate.ts';

/** A segment's key maps dimensions to values; `{}` is everybody. */
export type SegmentKey = Readonly<Record<string, string | number | boolean>>;

export interface CellCount extends Count {
  readonly key: SegmentKey;
}

/** A segment with fewer exposures is shown without a rate. */
const RATED_FROM = 30;

/** A key's parts in a fixed order, so that equal keys give equal texts. */
export const keyEntries = (key: SegmentKey): [dimension: string, value: SegmentKey[string]][] =>
  Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1));

const dimensionsOf = (key: SegmentKey): string => Object.keys(key).sort().join(' ');

/** Cells by their dimensions, without the cell of everybody. */
export function byDimension<C extends { readonly key: SegmentKey }>(cells: readonly C[]): ReadonlyMap<string, C[]> {
  const grouped = new Map<string, C[]>();
  for (const cell of cells) {
    const dimensions = dimensionsOf(cell.key);
    if (dimensions === '') continue;
    const group = grouped.get(dimensions);
    if (group === undefined) grouped.set(dimensions, [cell]);
    else group.push(cell);
  }
  return grouped;
}

export const everybody = <C extends { readonly key: SegmentKey }>(cells: readonly C[]): C | undefined =>
  cells.find(({ key }) => dimensionsOf(key) === '');

/** All segments with their rates; those with too few exposures are listed separately. */
export function rateSegments(cells: readonly CellCount[]): Pick<Segments, 'segments' | 'too_few'> {
  const overall = everybody(cells) ?? { exposures: 0, events: 0 };
  const [segments, tooFew]: [Segments['segments'], Segments['too_few']] = [[], []];
  for (const group of byDimension(cells).values()) {
    const prior = fitPrior(overall, group);
    for (const { key, exposures, events } of group) {
      if (exposures < RATED_FROM) {
        tooFew.push({ key, exposures });
        continue;
      }
      segments.push({ key, exposures, events, ...shownRate(rateOf({ exposures, events }, prior)) });
    }
  }
  return { segments, too_few: tooFew };
}

/** A dimension that every exposure can have. */
interface FixedDimension {
  readonly name: string;
  /** Its SQL expression over a trace `t`. */
  readonly column: string;
  /** Its path in a policy's rules; null if our own decision shaped its events, which no rule should follow. */
  readonly path: string | null;
  /** Free text in any case. */
  readonly isFreeText?: true;
}

/** The contract's dimensions without attributes. Only these form pairs. */
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

/** Counted like a dimension for `/v1/policies/:slug/experiments`, but never shown as a segment: `slug id arm`. */
export const EXPERIMENT = {
  name: 'experiment',
  column: `(t.policy_decision #>> '{policy,slug}') || ' ' || (t.policy_decision #>> '{experiment,id}')
    || ' ' || (t.policy_decision #>> '{experiment,arm}')`,
} as const;

export const ATTRIBUTE_PREFIX = 'attributes.';

/** An attribute's rarer values together. */
export const OTHER = 'other';

export const CELL_CAPS = {
  /** Attributes are chosen freely, so only the most frequent names and values are shown. */
  names: 10,
  values: 50,
  /** Names and values kept apart within a day: far more than a year shows. */
  namesPerDay: 50,
  valuesPerDay: 200,
  pairs: 1_000,
  pairExposures: 100,
  customMetrics: 10,
} as const;
