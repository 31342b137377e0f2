import { formatSentences } from '../../lib/format.ts';

interface Unasked {
  readonly why: string;
  /** What would have a provider asked; empty where nothing needs to be done. */
  readonly remedy: string;
}

/** Why no provider is asked, and what to do about it. */
const UNASKED: Readonly<Record<string, Unasked>> = {
  no_provider: { why: 'No provider is set up.', remedy: 'Ask the people who run this service to set one up.' },
  settled: { why: 'Local checks settle every address.', remedy: '' },
  known: { why: 'Earlier answers cover every address.', remedy: '' },
  not_worth_its_price: {
    why: 'No question is worth its price under your losses.',
    remedy: 'The settings say what mistakes cost you: where a bounce costs more, questions are worth more.',
  },
  budget_spent: {
    why: 'The provider budget of the month is spent.',
    remedy: 'Ask the people who run this service for a larger one, or clean the list next month.',
  },
  over_the_ceiling: {
    why: 'Every question is over the ceiling of an address.',
    remedy: 'Ask the people who run this service for a higher ceiling.',
  },
  unavailable: { why: 'Every provider has failed too often of late.', remedy: 'Clean the list again later.' },
};

/** Why the estimate leaves addresses out. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  terminal: 'A finding ends them: no mail host, a disposable domain and the like.',
  rule: 'A rule of yours names them.',
  recent: 'An answer or a report of the last 30 days says enough.',
  catch_all: 'Their domains are known to accept everything.',
  budget: 'The provider budget of the month does not reach for them.',
  no_provider: 'No provider is set up.',
};

/** A reason in sentences; null means it has none here. */
export function unaskedText(reason: string): string | null {
  const found = UNASKED[reason];
  return found === undefined ? null : formatSentences(found.why, found.remedy);
}

/** What the numbers rest on then. */
export const LOCAL_ONLY =
  'The numbers come from local checks and your own history alone: what a provider could settle stays in doubt.';

interface OpenReason {
  readonly reason: string;
  /** How many addresses have it. */
  readonly count: number;
  /** They are more than half of those of which no provider was asked. */
  readonly isOfMost: boolean;
}

/** The most frequent reason that can be acted on; null if there is none. */
export function openReason(counts: Readonly<Partial<Record<string, number>>>): OpenReason | null {
  const reasons = Object.entries(counts).map(([reason, count = 0]) => ({ reason, count }));
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  const open = reasons
    .filter(({ reason, count }) => count > 0 && UNASKED[reason]?.remedy !== '')
    .toSorted((one, other) => other.count - one.count)[0];
  return open === undefined ? null : { ...open, isOfMost: open.count > all / 2 };
}
