/** What the address of the page says: which list, its filters, the record that is open. No address of a person is here. */
export const FILTERS = [
  'time',
  'kind',
  'decision',
  'recommendation',
  'verdict',
  'reason',
  'email_type',
  'esp',
  'domain',
  'bulk_job_id',
  'key_id',
] as const;
export type FilterName = (typeof FILTERS)[number];

export interface LogSearch extends Readonly<Partial<Record<FilterName, string>>> {
  readonly view?: 'screenings' | undefined;
  readonly trace?: string | undefined;
}

export type Filters = Partial<Record<FilterName, string>>;

interface Choice {
  readonly name: FilterName;
  readonly label: string;
  readonly values: readonly string[];
}

/** The filters of verifications with a closed set of values. */
const TRACE_CHOICES: readonly Choice[] = [
  { name: 'kind', label: 'Kind', values: ['verify', 'decide', 'bulk'] },
  { name: 'decision', label: 'Decision', values: ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'] },
  { name: 'recommendation', label: 'Recommendation', values: ['send', 'hold', 'challenge', 'drop'] },
  {
    name: 'verdict',
    label: 'Verdict',
    values: ['valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown'],
  },
  {
    name: 'reason',
    label: 'Reason',
    values: [
      'syntax_invalid',
      'address_blocklisted',
      'domain_blocklisted',
      'no_mx',
      'mx_unresolved',
      'disposable_domain',
      'disposable_suspected',
      'domain_allowlisted',
      'address_allowlisted',
    ],
  },
  { name: 'email_type', label: 'Type', values: ['business', 'free', 'role', 'disposable', 'relay', 'unknown'] },
  {
    name: 'esp',
    label: 'Hosted by',
    values: ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown'],
  },
];

/** Those of screenings. */
const SCREENING_CHOICES: readonly Choice[] = [
  { name: 'recommendation', label: 'Recommendation', values: ['allow', 'review'] },
  {
    name: 'reason',
    label: 'Reason',
    values: [
      'syntax_invalid',
      'address_blocklisted',
      'domain_blocklisted',
      'no_mx',
      'disposable_domain',
      'typo_domain',
      'typo_name',
      'placeholder',
      'name_mismatch',
      'fake_name',
      'domain_suspicious',
      'role_account',
    ],
  },
];

export const choicesOf = ({ view }: LogSearch): readonly Choice[] =>
  view === 'screenings' ? SCREENING_CHOICES : TRACE_CHOICES;

/** Filters by an id, which a link of another screen sets. */
const LINKED: readonly FilterName[] = ['bulk_job_id', 'key_id'];

/** What the filters are called. */
export const FILTER_LABELS: Readonly<Record<FilterName, string>> = {
  time: 'Time',
  kind: 'Kind',
  decision: 'Decision',
  recommendation: 'Recommendation',
  verdict: 'Verdict',
  reason: 'Reason',
  email_type: 'Type',
  esp: 'Hosted by',
  domain: 'Domain',
  bulk_job_id: 'List',
  key_id: 'Key',
};

export const PERIODS = [
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', label: 'Last 30 days', hours: 30 * 24 },
  { value: '90d', label: 'Last 90 days', hours: 90 * 24 },
] as const;

/** The filters that are set, of those that the shown list has. A value that the list does not know is left out. */
export function filtersOf(search: LogSearch): Filters {
  const closed = new Map(choicesOf(search).map(({ name, values }) => [name, values]));
  const open: readonly FilterName[] = search.view === 'screenings' ? ['domain', 'key_id'] : ['domain', ...LINKED];
  return Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = search[name];
      if (typeof value !== 'string' || value === '') return [];
      const isKnown =
        name === 'time'
          ? PERIODS.some((period) => period.value === value)
          : open.includes(name) || closed.get(name)?.includes(value) === true;
      return isKnown ? [[name, value]] : [];
    }),
  );
}

const HOUR_S = 3_600;

/** The filters as the API takes them. A period begins at a full hour, so that the same question stays the same. */
export function queryOf({ time, ...filters }: Filters, nowS: number): object {
  const period = PERIODS.find(({ value }) => value === time);
  if (period === undefined) return filters;
  return { ...filters, from: (Math.floor(nowS / HOUR_S) - period.hours) * HOUR_S };
}
