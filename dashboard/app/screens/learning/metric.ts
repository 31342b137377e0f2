import { queryOptions } from '@tanstack/react-query';
import { answerOf, apiOf } from '../../api/client.ts';
import { useFilters } from '../../lib/filters.ts';
import { formatRow } from '../../lib/format.ts';
import { capital, countryCode, EVENTS, label } from '../../lib/vocabulary.ts';
import { policiesKey } from '../policy/queries.ts';

const WINDOWS = [30, 90, 180, 365] as const;
const WINDOW_DEFAULT = 90;

/** The counted event and the days, both stored in the URL. */
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
  esp: 'Mail host type',
  actor_class: 'Actor',
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
  DIMENSIONS[dimension] ?? capital(dimension.replace(/^attributes\./, '').replaceAll('_', ' '));

type Value = string | number | boolean;

/** A term by its label, a country in capitals, anything else as written. */
function valueName(dimension: string, value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  const code = countryCode(dimension, value);
  if (code !== null) return code;
  return dimension in DIMENSIONS && dimension !== 'rule_id' ? label(value) : value.replaceAll('_', ' ');
}

/** `Mail host type: Own mail hosts, Source: ads`. */
export const segmentName = (key: Readonly<Record<string, Value>>): string =>
  formatRow(
    Object.entries(key).map(([dimension, value]) => `${dimensionName(dimension)}: ${valueName(dimension, value)}`),
  );

export const calibrationQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [organisationId, 'calibration'],
    queryFn: () => answerOf(apiOf(organisationId).GET('/v1/calibration')),
  });

export const segmentsQuery = (organisationId: string, metric: string, days: number) =>
  queryOptions({
    queryKey: [organisationId, 'segments', metric, days],
    queryFn: () =>
      answerOf(apiOf(organisationId).GET('/v1/segments', { params: { query: { metric, window_days: days } } })),
  });

/** The current policies, read again, as another person may have saved one. */
export const newestPoliciesQuery = (organisationId: string) =>
  queryOptions({
    queryKey: [...policiesKey(organisationId), 'newest'],
    queryFn: async () =>
      (await answerOf(apiOf(organisationId).GET('/v1/policies', { params: { query: { limit: 200 } } }))).policies,
    staleTime: 0,
  });
