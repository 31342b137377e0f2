import { useFilters } from '../../lib/filters.ts';
import { EVENTS } from '../../lib/vocabulary.ts';

const WINDOWS = [30, 90, 180, 365] as const;
const WINDOW_DEFAULT = 90;

/** What is counted, and over how many days. Both stand in the page's address. */
export function useMetric() {
  const [search, change] = useFilters();
  const metric = search['metric'] ?? 'subscribed';
  const days = WINDOWS.find((each) => String(each) === search['days']) ?? WINDOW_DEFAULT;
  return {
    metric,
    days,
    windows: WINDOWS,
    metrics: EVENTS.some((each) => each === metric) ? EVENTS : [...EVENTS, metric],
    setMetric: (next: string) => change({ metric: next === 'subscribed' ? undefined : next }),
    setDays: (next: string) => change({ days: next === String(WINDOW_DEFAULT) ? undefined : next }),
  };
}

const DIMENSIONS: Readonly<Record<string, string>> = {
  mailbox_type: 'Mailbox',
  esp: 'Mail host',
  actor_class: 'Kind of address',
  'signals.disposable': 'Disposable',
  'signals.role_account': 'Role account',
  'company.industry': 'Industry',
  'company.employees_range': 'Employees',
  'company.country': 'Country',
  'person.seniority': 'Seniority',
  'icp.fit': 'Ideal customer',
  decision: 'Decision',
  rule_id: 'Rule',
};

export const dimensionName = (dimension: string): string =>
  DIMENSIONS[dimension] ?? dimension.replace(/^attributes\./, '');

type Value = string | number | boolean;

const valueName = (value: Value): string =>
  value === true ? 'yes' : value === false ? 'no' : String(value).replaceAll('_', ' ');

/** `Mail host: self hosted and source: ads`. */
export const segmentName = (key: Readonly<Record<string, Value>>): string =>
  Object.entries(key)
    .map(([dimension, value]) => `${dimensionName(dimension)}: ${valueName(value)}`)
    .join(', ');
