import type { StatusResponse } from '../../src/contract/operator.ts';
import type { CounterName } from '../../src/kernel/log.ts';

/** What `status` counts for each organisation and in all. docs/operations.md has the same rows. */
export const TOTALS: Readonly<Record<keyof StatusResponse['totals'], string>> = {
  outbox_rows: 'rows that wait in an object for Postgres, now',
  outbox_age_s: 'the age of the oldest of them, in seconds',
  outbox_dead: 'rows that Postgres refused for what they hold, set aside in the object, ever',
  erasures: 'forgotten addresses still to be cut off in Postgres, now',
  jobs_failed: 'bulk jobs that failed on our side, ever; a file that can’t be read does not count',
  organisations: 'organisations, now',
  unreachable: 'organisations whose object gave no answer to this call',
  dead_letters: 'messages that a queue gave up on in the last 14 days',
};

export interface CounterWords {
  /** What follows the name, behind colons. */
  readonly label: string;
  /** What one is, and what `sum` and `max` are made of. */
  readonly counts: string;
}

/** The counters of `last_24h`. docs/operations.md has the same rows. */
export const COUNTERS: Readonly<Record<CounterName, CounterWords>> = {
  request_failed: {
    label: 'dependency',
    counts: 'requests that failed on our side (5xx), for a dependency or a `bug`',
  },
  object_ms: { label: 'call', counts: 'calls that an organisation’s object answered; ms each took' },
  object_failed: {
    label: 'call:failure',
    counts: 'calls that an organisation’s object did not answer, or with an error',
  },
  outbox_rows: { label: 'kind', counts: 'writings of an outbox to Postgres, failed ones too; rows in each' },
  outbox_age_ms: { label: '', counts: 'writings that left rows behind; the age of the oldest, in ms' },
  dns_ms: { label: 'result', counts: 'questions to DNS, each with all its resolvers; ms each took' },
  provider_ms: { label: 'provider', counts: 'calls that a provider answered; ms each took' },
  provider_failed: { label: 'provider:failure', counts: 'calls that a provider did not answer, or that were given up' },
  provider_spend_micros: {
    label: 'provider',
    counts: 'answers of a provider; what each cost, in millionths of a dollar',
  },
  provider_owed_micros: {
    label: 'provider',
    counts: 'failed calls that may be billed; the most each may cost, in millionths of a dollar',
  },
  model_ms: { label: 'question', counts: 'questions that screening’s model answered; ms each took' },
  model_failed: { label: 'question:failure', counts: 'questions that brought no label, unsent ones too' },
  model_spend_micros: {
    label: 'question',
    counts: 'questions that may be billed; what each cost, in millionths of a dollar',
  },
  enrichment_ms: { label: 'source', counts: 'calls that an enrichment vendor answered; ms each took' },
  enrichment_failed: { label: 'source:failure', counts: 'calls that an enrichment vendor did not answer' },
  enrichment_spend_micros: {
    label: 'source',
    counts: 'calls that an enrichment vendor billed; what each cost, in millionths of a dollar',
  },
  bounce_overruled: {
    label: 'service',
    counts: 'reports of mail services whose own class the server’s words contradict; the words count',
  },
  cron_step_ms: { label: 'step', counts: 'steps of crons; of a nightly step one an organisation; ms each took' },
};

/** Over what time the counters go. */
export const COUNTED_OVER = 'the last 24 full hours and the present one';

const lines = (rows: readonly (readonly [name: string, words: string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, words]) => `  ${name.padEnd(width)}  ${words}`).join('\n');
};

/** Stands below `status --help`. */
export const STATUS_WORDS = `
Totals, and the row of each organisation:
${lines(Object.entries(TOTALS))}

Counters (last_24h), of all isolates, over ${COUNTED_OVER}.
The part behind a colon says of which. count: how many; sum and max: of the values, each 1 where none is named.
${lines(Object.entries(COUNTERS).map(([name, { label, counts }]) => [label === '' ? name : `${name}:${label}`, counts]))}`;
