import { useSearch } from '@tanstack/react-router';
import type { TraceRow } from '../../api/schema.ts';
import { formatList, formatSentences, plural } from '../../lib/format.ts';
import { DECISIONS } from '../../lib/order.ts';
import { daysOf, fixedTime, PERIODS, spanOf } from '../../lib/period.ts';
import { capital } from '../../lib/vocabulary.ts';
import { wordsOf } from '../policy/catalogue.ts';

/** Search parameters: list, filters, open record. Never an email address. */
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

/** Props of a list. They stay the same while the rest of the page changes. */
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

/** Filters of verifications with a closed set of values, from the policy's catalogue where it has them. */
const TRACE_CHOICES: readonly Choice[] = [
  { name: 'kind', label: 'Kind', values: KINDS },
  { name: 'decision', label: 'Decision', values: DECISIONS },
  { name: 'recommendation', label: 'Recommendation', values: wordsOf('verification.recommendation') },
  { name: 'verdict', label: 'Verdict', values: wordsOf('verification.verdict') },
  { name: 'reason', label: 'Reason', values: wordsOf('verification.reason') },
  { name: 'email_type', label: 'Type', values: wordsOf('verification.email_type') },
  { name: 'esp', label: 'Mail host type', values: wordsOf('verification.esp') },
];

const SCREENING_CHOICES: readonly Choice[] = [
  { name: 'recommendation', label: 'Recommendation', values: wordsOf('screening.recommendation') },
  { name: 'reason', label: 'Reason', values: wordsOf('screening.reasons') },
];

export const choicesOf = ({ view }: LogSearch): readonly Choice[] =>
  view === 'screenings' ? SCREENING_CHOICES : TRACE_CHOICES;

/** Filters by id, set by links from other screens. */
const LINKED: readonly FilterName[] = ['bulk_job_id', 'key_id'];

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

/** Active filters of the shown list, without unknown values. */
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

/** Filters and values in the URL that the shown list does not know. */
export function leftOut(search: LogSearch): readonly string[] {
  const filters = filtersOf(search);
  return Object.entries(search).flatMap(([name, value]) => {
    if (name === 'view' || name === 'trace' || value === undefined || value === '' || Object.hasOwn(filters, name))
      return [];
    const title = FILTERS.find((each) => each === name);
    return [`${title === undefined ? capital(name) : FILTER_LABELS[title]}: ${value}`];
  });
}

/** Filters with a fixed time, so that all pages have the same. */
export function askedOf(search: LogSearch): Filters {
  const { time, ...filters } = filtersOf(search);
  return { ...filters, ...(time !== undefined && { time: fixedTime(time, Date.now() / 1000) }) };
}

/** Filters that the daily counts support. */
export const COUNTED = ['kind', 'decision', 'recommendation', 'key_id'] as const satisfies readonly FilterName[];

/** Why the active filters can't be charted; empty if they can. */
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

/** Filters as the API's query. */
export const queryOf = ({ time, ...filters }: Filters, nowS: number): object => ({ ...filters, ...spanOf(time, nowS) });
