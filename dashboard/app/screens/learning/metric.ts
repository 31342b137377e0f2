import { t } from '@lingui/core/macro';
import { useFilters } from '../../lib/filters.ts';
import { formatRow } from '../../lib/format.ts';
import { capital, countryCode, EVENTS, label } from '../../lib/vocabulary.ts';

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
  mailbox_type: t`Mailbox`,
  esp: t`Kind of host`,
  actor_class: t`Kind of address`,
  'signals.disposable': t`Disposable`,
  'signals.role_account': t`Role account`,
  'company.industry': t`Industry`,
  'company.employees_range': t`Employees`,
  'company.country': t`Country`,
  'person.seniority': t`Seniority`,
  'icp.fit': t`Ideal customer`,
  decision: t`Decision`,
  rule_id: t`Rule`,
};

export const dimensionName = (dimension: string): string =>
  DIMENSIONS[dimension] ?? capital(dimension.replace(/^attributes\./, '').replaceAll('_', ' '));

type Value = string | number | boolean;

/** A word of ours by its name, a country in capitals, all else as it was written. */
function valueName(dimension: string, value: Value): string {
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  if (typeof value === 'number') return String(value);
  const code = countryCode(dimension, value);
  if (code !== null) return code;
  return dimension in DIMENSIONS && dimension !== 'rule_id' ? label(value) : value.replaceAll('_', ' ');
}

/** `Kind of host: Own mail hosts, Source: ads`. */
export const segmentName = (key: Readonly<Record<string, Value>>): string =>
  formatRow(
    Object.entries(key).map(([dimension, value]) => t`${dimensionName(dimension)}: ${valueName(dimension, value)}`),
  );
