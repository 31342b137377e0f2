/** What the address of the page says: which list, its filters, the record that is open. No address of a person is here. */
export const FILTERS = [
  'kind',
  'decision',
  'recommendation',
  'verdict',
  'email_type',
  'domain',
  'bulk_job_id',
  'key_id',
] as const;
export type FilterName = (typeof FILTERS)[number];

export interface LogSearch extends Readonly<Partial<Record<FilterName, string>>> {
  readonly view?: 'screenings' | undefined;
  readonly trace?: string | undefined;
}

/** The filters that are set. */
export const filtersOf = (search: LogSearch): Partial<Record<FilterName, string>> =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );

interface Choice {
  readonly name: FilterName;
  readonly label: string;
  readonly values: readonly string[];
}

/** The filters with a closed set of values. */
export const CHOICES: readonly Choice[] = [
  { name: 'kind', label: 'Kind', values: ['verify', 'decide', 'bulk'] },
  { name: 'decision', label: 'Decision', values: ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'] },
  { name: 'recommendation', label: 'Recommendation', values: ['send', 'hold', 'challenge', 'drop'] },
  {
    name: 'verdict',
    label: 'Verdict',
    values: ['valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown'],
  },
  { name: 'email_type', label: 'Type', values: ['business', 'free', 'role', 'disposable', 'relay', 'unknown'] },
];
