import type { Health } from '../../../src/contract/account.ts';
import type { Organisation, StatusResponse } from '../../../src/contract/operator.ts';

/** What the service says of itself: `/health`, the operators' status, and every organisation with its limits. */
export interface ServiceState {
  readonly health: Health;
  readonly status: StatusResponse;
  readonly organisations: readonly Pick<Organisation, 'id' | 'verification_quota'>[];
}

/** What an organisation has used of its month's verifications, 1 being all of them. */
export interface QuotaUse {
  readonly id: string;
  readonly used: number;
}

/** Of organisations that have a quota. */
export function quotaUses({ status, organisations }: ServiceState): QuotaUse[] {
  const limits = new Map(organisations.map(({ id, verification_quota: limit }) => [id, limit]));
  return status.organisations.flatMap(({ id, verifications }) => {
    const limit = limits.get(id) ?? 0;
    return limit > 0 ? [{ id, used: verifications / limit }] : [];
  });
}

/** Of the calls that an object authorised in the last 24 hours: the share that ended as a failure on our side; null without any. */
export function errorRatio({ status }: ServiceState): { readonly calls: number; readonly ratio: number } | null {
  const { counters } = status.last_24h;
  const calls = counters['object_ms:admit']?.count ?? 0;
  if (calls === 0) return null;
  const failed = Object.entries(counters).filter(([name]) => name.startsWith('request_failed'));
  return { calls, ratio: failed.reduce((sum, [, { count }]) => sum + count, 0) / calls };
}

/** Of a step of crons: how many organisations its last run failed for, 1 for a step of all that failed. */
export function cronFailures(report: unknown): number {
  const { failed } = (report ?? {}) as { readonly failed?: unknown };
  return typeof failed === 'number' ? failed : failed === undefined ? 0 : 1;
}

/** The night begins once a day, and its steps end within the hour. */
export const isNightly = (step: string): boolean => step === 'nightly' || step.startsWith('nightly ');
