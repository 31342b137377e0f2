import type { Health } from '../../../src/contract/account.ts';
import type { Organisation, StatusResponse } from '../../../src/contract/operator.ts';
import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';

/** The service's own account of itself: `/health`, the operators' status, and every organisation with its limits. */
export interface ServiceState {
  readonly health: Health;
  readonly status: StatusResponse;
  readonly organisations: readonly Pick<Organisation, 'id' | 'verification_quota'>[];
}

/** The used share of a month's verifications, 1 being all of them. */
export interface QuotaUse {
  readonly id: string;
  readonly used: number;
}

/** Quota use of the organisations that have one. */
export function quotaUses({ status, organisations }: ServiceState): QuotaUse[] {
  const limits = new Map(organisations.map(({ id, verification_quota: limit }) => [id, limit]));
  return status.organisations.flatMap(({ id, verifications }) => {
    const limit = limits.get(id) ?? 0;
    return limit > 0 ? [{ id, used: verifications / limit }] : [];
  });
}

/** The share of calls, authorised by an object in the last 24 hours, that failed on our side; null without calls. */
export function errorRatio({ status }: ServiceState): { readonly calls: number; readonly ratio: number } | null {
  const { counters } = status.last_24h;
  const calls = counters['object_ms:authorize']?.count ?? 0;
  if (calls === 0) return null;
  const failed = Object.entries(counters).filter(([name]) => name.startsWith('request_failed'));
  return { calls, ratio: failed.reduce((sum, [, { count }]) => sum + count, 0) / calls };
}

/** The number of organisations that a cron step's last run failed for; 1 for a failed step of the whole service. */
export function cronFailures(report: unknown): number {
  const { failed } = (report ?? {}) as { readonly failed?: unknown };
  return typeof failed === 'number' ? failed : failed === undefined ? 0 : 1;
}

/** The night begins once a day, and its steps end within the hour. */
const isNightly = (step: string): boolean => step === 'nightly' || step.startsWith('nightly ');

export interface Check {
  readonly name: string;
  /** What a finding means. */
  readonly means: string;
  /** Findings by ids and names of ours; empty if all is well. */
  readonly find: (state: ServiceState) => readonly string[];
}

const MINUTE_S = MINUTE_MS / SECOND_MS;
const HOUR_S = 60 * MINUTE_S;

/** Fewer calls say little about a share. */
const CALLS_THAT_TELL = 50;

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;

/** What to alert on. docs/guides/watch-it.md has the same rows. */
export const CHECKS: readonly Check[] = [
  {
    name: 'health',
    means: 'A setting that the service needs is wrong: calls are refused.',
    find: ({ health }) => (health.status === 'ok' ? [] : [health.status]),
  },
  {
    name: 'settings',
    means: 'A setting is wrong, and something is off.',
    find: ({ status }) => status.settings.map(({ setting }) => setting),
  },
  {
    name: 'errors',
    means:
      'More than 1 % of calls failed on our side in the last 24 hours. The log has `bug` or `dependency_failed` for each.',
    find: (state) => {
      const errors = errorRatio(state);
      return errors !== null && errors.calls >= CALLS_THAT_TELL && errors.ratio > 0.01 ? [percent(errors.ratio)] : [];
    },
  },
  {
    name: 'objects',
    means: 'An organisation’s object does not answer: its calls are refused or answered without its rules.',
    find: ({ status }) => status.unreachable,
  },
  {
    name: 'outbox_age',
    means:
      'Rows have waited for Postgres for over five minutes: it is away, or refuses them. Answers go on, history stands still.',
    find: ({ status }) =>
      status.organisations
        .filter(({ outbox_age_s: age }) => (age ?? 0) > 5 * MINUTE_S)
        .map(({ id, outbox_age_s: age }) => `${id} (${age} s)`),
  },
  {
    name: 'outbox_refused',
    means: 'Postgres has rejected rows for what they hold. The log has `outbox_row_refused` for each.',
    find: ({ status }) =>
      status.organisations
        .filter(({ outbox_dead: rows }) => rows > 0)
        .map(({ id, outbox_dead: rows }) => `${id} (${rows})`),
  },
  {
    name: 'dead_letters',
    means: 'A queue has given up on a message within the hour.',
    find: ({ status }) => status.dead_letters.filter(({ newest_age_s: age }) => age < HOUR_S).map(({ queue }) => queue),
  },
  {
    name: 'providers',
    means:
      'Over a fifth of a provider’s calls fail, of 50 or more. It is left out by itself; answers cost more or are weaker.',
    find: ({ status }) =>
      status.providers
        .filter(({ calls, error_rate: share }) => calls >= CALLS_THAT_TELL && share > 0.2)
        .map(({ provider, error_rate: share }) => `${provider} (${percent(share)})`),
  },
  {
    name: 'cron',
    means: 'The cron of every five minutes has not run for a quarter of an hour.',
    find: ({ status }) =>
      status.cron
        .filter(({ step, age_s: age }) => step === 'wake' && age > 15 * MINUTE_S)
        .map(({ step, age_s: age }) => `${step} (${age} s)`),
  },
  {
    name: 'nightly_run',
    means: 'The nightly run is over a day and two hours old, or a step of it failed.',
    find: ({ status }) =>
      status.cron
        .filter(({ step, age_s: age, report }) => isNightly(step) && (age > 26 * HOUR_S || cronFailures(report) > 0))
        .map(({ step, age_s: age }) => `${step} (${Math.round(age / HOUR_S)} h)`),
  },
  {
    name: 'quota',
    means:
      'An organisation has used over nine tenths of its month’s verifications. At 10 tenths its calls are refused (402).',
    find: (state) =>
      quotaUses(state)
        .filter(({ used }) => used > 0.9)
        .map(({ id, used }) => `${id} (${percent(used)})`),
  },
];

export interface Finding {
  readonly check: Check;
  readonly found: readonly string[];
}

export const runChecks = (state: ServiceState): Finding[] =>
  CHECKS.map((check) => ({ check, found: check.find(state) }));
