import { useSearch } from '@tanstack/react-router';
import type { TraceRow } from '../../api/schema.ts';
import { formatList, formatSentences, plural } from '../../lib/format.ts';
import { DECISIONS } from '../../lib/order.ts';
import { daysOf, fixedTime, PERIODS, spanOf } from '../../lib/period.ts';
import { capital } from '../../lib/vocabulary.ts';
import { wordsOf } from '../policy/catalogue.ts';

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

/** Id of the open record. */
export const useOpened = () => useSearch({ strict: false, select: ({ trace }) => trace });

/** What the list of the log takes. All of it stays the same while something else of the page changes. */
export interface LogListProps {
  readonly search: LogSearch;
  readonly onOpen: (id: string | undefined, replace: boolean) => void;
}

export type Filters = Partial<Record<FilterName, string>>;

interface Choice {
  readonly name: FilterName;
  readonly label: string;
  readonly values: readonly string[];
}

const KINDS: readonly TraceRow['kind'][] = ['verify', 'decide', 'bulk'];

/** The filters of verifications with a closed set of values: the words that a policy can read, where it can. */
const TRACE_CHOICES: readonly Choice[] = [
  { name: 'kind', label: 'Kind', values: KINDS },
  { name: 'decision', label: 'Decision', values: DECISIONS },
  { name: 'recommendation', label: 'Recommendation', values: wordsOf('verification.recommendation') },
  { name: 'verdict', label: 'Verdict', values: wordsOf('verification.verdict') },
  { name: 'reason', label: 'Reason', values: wordsOf('verification.reason') },
  { name: 'email_type', label: 'Type', values: wordsOf('verification.email_type') },
  { name: 'esp', label: 'Mail host type', values: wordsOf('verification.esp') },
];

/** Those of screenings. */
const SCREENING_CHOICES: readonly Choice[] = [
  { name: 'recommendation', label: 'Recommendation', values: wordsOf('screening.recommendation') },
  { name: 'reason', label: 'Reason', values: wordsOf('screening.reasons') },
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
  esp: 'Mail host type',
  domain: 'Domain',
  bulk_job_id: 'List',
  key_id: 'Key',
};

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
          ? PERIODS.some((period) => period.value === value) || daysOf(value) !== null
          : open.includes(name) || closed.get(name)?.includes(value) === true;
      return isKnown ? [[name, value]] : [];
    }),
  );
}

/** What the page's address asks for beside the filters of the shown list: a filter or a value that it does not know. */
export function leftOut(search: LogSearch): readonly string[] {
  const filters = filtersOf(search);
  return Object.entries(search).flatMap(([name, value]) => {
    if (name === 'view' || name === 'trace' || value === undefined || value === '' || Object.hasOwn(filters, name))
      return [];
    const title = FILTERS.find((each) => each === name);
    return [`${title === undefined ? capital(name) : FILTER_LABELS[title]}: ${value}`];
  });
}

/** The filters that a list is read by, page after page. */
export function askedOf(search: LogSearch): Filters {
  const { time, ...filters } = filtersOf(search);
  return { ...filters, ...(time !== undefined && { time: fixedTime(time, Date.now() / 1000) }) };
}

/** What the counts by day are kept by. */
export const COUNTED = ['kind', 'decision', 'recommendation', 'key_id'] as const satisfies readonly FilterName[];

/** Which of the set filters the counts by day can't follow, and what to do; empty: they follow all. */
export function uncountedText(filters: Filters): string {
  const names = FILTERS.filter(
    (name) => filters[name] !== undefined && name !== 'time' && !COUNTED.some((counted) => counted === name),
  );
  if (names.length === 0) return '';
  return formatSentences(
    `No chart by ${formatList(names.map((name) => FILTER_LABELS[name].toLowerCase()))}.`,
    plural(names.length, 'Remove this filter to see it.', 'Remove these filters to see it.'),
  );
}

/** The filters as the API takes them. */
export const queryOf = ({ time, ...filters }: Filters, nowS: number): object => ({ ...filters, ...spanOf(time, nowS) });
