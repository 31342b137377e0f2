import type { Identity, Usage } from '../contract/account.ts';
import { monthBounds, screeningQuota, usd, verificationQuota } from '../domain/metering/index.ts';
import { callObject, type ObjectDeps } from '../domain/organisation/client.ts';
import type { Admission, Operation } from '../domain/organisation/index.ts';
import { epochSeconds } from '../kernel/clock.ts';

/** Inspection needs the object's word on the key; its routes are never served without it. */
export async function admitReached(op: Operation): Promise<Extract<Admission, { reached: true }>> {
  const admission = await op.admit(null);
  if (!admission.reached) throw new Error('inspection is not served without the organisation');
  return admission;
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
  const answer = await callObject(objects, op.organisationId, 'usage', (stub) => stub.usage());
  if (!answer.ok) throw new Error('the usage could not be read');
  const { usage, limits } = answer.value;
  const { fromMs, toMs } = monthBounds(usage.month);
  const { used, limit, unmetered } = screeningQuota(usage, limits);
  return {
    period: { from: epochSeconds(fromMs), to: epochSeconds(toMs) },
    calls: { ...usage.calls },
    provider_spend_usd: usd(usage.spendMicros),
    quota: verificationQuota(usage, limits),
    screening: { used, quota: limit, unmetered, period: 'utc_month' },
    bulk: { jobs_this_month: usage.bulkJobs, rows_this_month: usage.calls.bulk },
  };
}
