import type { Identity, Usage } from '../../contract/account.ts';
import { monthBounds, screeningQuota, vendorSpendUsd, verificationQuota } from '../../domain/metering/usage.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { askObject, type ObjectDeps, type RuleProbe } from '../../organisation/api.ts';
import type { OpenOperation } from '../frame.ts';
import type { Admission, Operation } from '../operation.ts';

/** Inspection and rule lists need the object's word on the key; their routes are never served without it. */
export async function admitReached(
  op: Operation,
  probe: RuleProbe | null = null,
  policySlug?: string,
): Promise<Extract<Admission, { reached: true }>> {
  const admission = await op.admit(probe, policySlug === undefined ? {} : { policySlug });
  if (!admission.reached) throw new Error('this is not served without the organisation');
  return admission;
}

/** Refuses what only the use case can tell is wrong: after key and role, before the rate. */
export async function refuse(op: OpenOperation, message: string): Promise<never> {
  await op.admitFaulty();
  throw new DomainError('invalid_request', message);
}

export async function readIdentity(op: Operation): Promise<Identity> {
  const { key, organisation } = await admitReached(op);
  return {
    account_id: organisation.accountId,
    org: { id: organisation.id, name: organisation.name },
    key: { id: key.id, role: key.role, origin: key.origin },
    operator: key.operator,
    owner_user_id: key.userId,
  };
}

export async function readUsage(objects: ObjectDeps, op: Operation): Promise<Usage> {
  await admitReached(op);
  const { usage, limits } = await askObject(objects, op.organisationId, 'usage', (stub) => stub.usage());
  const { fromMs, toMs } = monthBounds(usage.month);
  const { used, limit, unmetered } = screeningQuota(usage, limits);
  return {
    period: { from: epochSeconds(fromMs), to: epochSeconds(toMs) },
    calls: { ...usage.calls },
    provider_spend_usd: vendorSpendUsd(usage),
    quota: verificationQuota(usage, limits),
    screening: { used, quota: limit, unmetered, period: 'utc_month' },
    bulk: { jobs_this_month: usage.bulkJobs, rows_this_month: usage.calls.bulk },
  };
}
