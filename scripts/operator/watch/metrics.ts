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

const one = (value: number | null): Point[] => (value === null ? [] : [{ value, attributes: {} }]);

export function metricsOf(state: ServiceState): readonly Metric[] {
  const { status } = state;
  const { totals, organisations, providers, dead_letters: letters, cron } = status;
  return [
    {
      name: `${PREFIX}.check.failed`,
      unit: '1',
      description: '1 where a check of `watch` finds something wrong, else 0.',
      points: runChecks(state).map(({ check, found }) => ({
        value: found.length > 0 ? 1 : 0,
        attributes: { [`${PREFIX}.check.name`]: check.name },
      })),
    },
    {
      name: `${PREFIX}.outbox.age`,
      unit: 's',
      description: 'How long the oldest row has waited for Postgres.',
      points: organisations.map(({ id, outbox_age_s: age }) => ({
        value: age ?? 0,
        attributes: { [`${PREFIX}.organisation.id`]: id },
      })),
    },
    {
      name: `${PREFIX}.outbox.rows`,
      unit: '{row}',
      description: 'Rows that wait for Postgres.',
      points: one(totals.outbox_rows),
    },
    {
      name: `${PREFIX}.outbox.refused`,
      unit: '{row}',
      description: 'Rows that Postgres has rejected, ever.',
      points: one(totals.outbox_dead),
    },
    {
      name: `${PREFIX}.organisation.unreachable`,
      unit: '{organisation}',
      description: 'Organisations whose object does not answer.',
      points: one(totals.unreachable),
    },
    {
      name: `${PREFIX}.request.error_ratio`,
      unit: '1',
      description: 'The share of calls that failed on our side in the last 24 hours.',
      points: one(errorRatio(state)?.ratio ?? null),
    },
    {
      name: `${PREFIX}.provider.error_ratio`,
      unit: '1',
      description: 'The share of a provider’s calls that failed in the last 24 hours.',
      points: providers.map(({ provider, error_rate: value }) => ({
        value,
        attributes: { [`${PREFIX}.provider.name`]: provider },
      })),
    },
    {
      name: `${PREFIX}.provider.spend`,
      unit: '{USD}',
      description: 'What vendors may bill for this month.',
      points: organisations.map(({ id, provider_spend_usd: value }) => ({
        value,
        attributes: { [`${PREFIX}.organisation.id`]: id },
      })),
    },
    {
      name: `${PREFIX}.dead_letter.count`,
      unit: '{message}',
      description: 'Messages that a queue gave up on in the last 14 days.',
      points: letters.map(({ queue, count: value }) => ({
        value,
        attributes: { 'messaging.destination.name': queue },
      })),
    },
    {
      name: `${PREFIX}.cron.age`,
      unit: 's',
      description: 'How long ago a step of a cron ended.',
      points: cron.map(({ step, age_s: value }) => ({ value, attributes: { [`${PREFIX}.cron.step`]: step } })),
    },
    {
      name: `${PREFIX}.cron.failures`,
      unit: '{failure}',
      description: 'How often the last run of a step failed: of a nightly step for how many organisations.',
      points: cron.map(({ step, report }) => ({
        value: cronFailures(report),
        attributes: { [`${PREFIX}.cron.step`]: step },
      })),
    },
    {
      name: `${PREFIX}.quota.utilization`,
      unit: '1',
      description: 'What an organisation has used of its month’s verifications.',
      points: quotaUses(state).map(({ id, used: value }) => ({
        value,
        attributes: { [`${PREFIX}.organisation.id`]: id },
      })),
    },
  ];
}
