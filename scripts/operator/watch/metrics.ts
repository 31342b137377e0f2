import { cronFailures, errorRatio, quotaUses, runChecks, type ServiceState } from './checks.ts';

export interface Point {
  readonly value: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A gauge as OpenTelemetry has it: named by its conventions, units in UCUM. Attributes are ids and names of ours. */
export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly points: readonly Point[];
}

const PREFIX = 'email_verification';

const gauge = (name: string, unit: string, description: string, points: readonly Point[]): Metric => ({
  name: `${PREFIX}.${name}`,
  unit,
  description,
  points,
});

const one = (value: number | null): Point[] => (value === null ? [] : [{ value, attributes: {} }]);

/** A point for each row, under its own attribute. */
const each = <T>(
  rows: readonly T[],
  attribute: string,
  read: (row: T) => readonly [of: string, value: number],
): Point[] =>
  rows.map((row) => {
    const [of, value] = read(row);
    return { value, attributes: { [attribute]: of } };
  });

const ORGANISATION = `${PREFIX}.organisation.id`;
const STEP = `${PREFIX}.cron.step`;

export function metricsOf(state: ServiceState): readonly Metric[] {
  const { totals, organisations, providers, dead_letters: letters, cron } = state.status;
  return [
    gauge(
      'check.failed',
      '1',
      '1 where a check of `watch` finds something wrong, else 0.',
      each(runChecks(state), `${PREFIX}.check.name`, ({ check, found }) => [check.name, found.length > 0 ? 1 : 0]),
    ),
    gauge(
      'outbox.age',
      's',
      'How long the oldest row has waited for Postgres.',
      each(organisations, ORGANISATION, ({ id, outbox_age_s: age }) => [id, age ?? 0]),
    ),
    gauge('outbox.rows', '{row}', 'Rows that wait for Postgres.', one(totals.outbox_rows)),
    gauge('outbox.refused', '{row}', 'Rows that Postgres has rejected, ever.', one(totals.outbox_dead)),
    gauge(
      'organisation.unreachable',
      '{organisation}',
      'Organisations whose object does not answer.',
      one(totals.unreachable),
    ),
    gauge(
      'request.error_ratio',
      '1',
      'The share of calls that failed on our side in the last 24 hours.',
      one(errorRatio(state)?.ratio ?? null),
    ),
    gauge(
      'provider.error_ratio',
      '1',
      'The share of a provider’s calls that failed in the last 24 hours.',
      each(providers, `${PREFIX}.provider.name`, ({ provider, error_rate: share }) => [provider, share]),
    ),
    gauge(
      'provider.spend',
      '{USD}',
      'What vendors may bill for this month.',
      each(organisations, ORGANISATION, ({ id, provider_spend_usd: spend }) => [id, spend]),
    ),
    gauge(
      'dead_letter.count',
      '{message}',
      'Messages that a queue gave up on in the last 14 days.',
      each(letters, 'messaging.destination.name', ({ queue, count }) => [queue, count]),
    ),
    gauge(
      'cron.age',
      's',
      'How long ago a step of a cron ended.',
      each(cron, STEP, ({ step, age_s: age }) => [step, age]),
    ),
    gauge(
      'cron.failures',
      '{failure}',
      'How often the last run of a step failed: of a nightly step for how many organisations.',
      each(cron, STEP, ({ step, report }) => [step, cronFailures(report)]),
    ),
    gauge(
      'quota.utilization',
      '1',
      'What an organisation has used of its month’s verifications.',
      each(quotaUses(state), ORGANISATION, ({ id, used }) => [id, used]),
    ),
  ];
}
