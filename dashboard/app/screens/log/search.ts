/** What the address of the page says: which list, its filters, the record that is open. No address of a person is here. */
export const FILTERS = [
  'days',
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
  days: 'Time',
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
  { value: '1', label: 'Last 24 hours' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
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
        name === 'days'
          ? PERIODS.some((period) => period.value === value)
          : open.includes(name) || closed.get(name)?.includes(value) === true;
      return isKnown ? [[name, value]] : [];
    }),
  );
}

const HOUR_S = 3_600;
const DAY_S = 86_400;

/** The filters as the API takes them. A period begins at a full hour, so that the same question stays the same. */
export function queryOf({ days, ...filters }: Filters, nowS: number): object {
  if (days === undefined) return filters;
  return { ...filters, from: Math.floor(nowS / HOUR_S) * HOUR_S - Number(days) * DAY_S };
}
