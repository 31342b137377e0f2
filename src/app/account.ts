import type { Identity, Usage } from '../contract/account.ts';
import type { Trace } from '../contract/traces.ts';
import { monthBounds, screeningQuota, usd, verificationQuota } from '../domain/metering/index.ts';
import { callObject, type ObjectDeps } from '../domain/organisation/client.ts';
import type { Admission, Operation } from '../domain/organisation/index.ts';
import { maySeeTrace, type TraceRecord, traceBody } from '../domain/traces/index.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';

/** Inspection needs the object's word on the key; its routes are never served without it. */
async function admitReached(op: Operation): Promise<Extract<Admission, { reached: true }>> {
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

interface TraceDeps {
  readonly objects: ObjectDeps;
  findTrace(organisationId: Id<'org'>, id: string): Promise<TraceRecord | null>;
}

/** One trace by its `vr_` or `dc_` id, as soon as the answer that named it has arrived. */
export async function readTrace(deps: TraceDeps, op: Operation, id: string): Promise<{ trace: Trace }> {
  const { key } = await admitReached(op);
  const flushed = await callObject(
    deps.objects,
    op.organisationId,
    'flush',
    (stub) => stub.flush(id),
    FLUSH_TIMEOUT_MS,
  );
  const held = flushed.ok ? flushed.value.held : null;
  const trace = held === null ? await deps.findTrace(op.organisationId, id) : (JSON.parse(held) as TraceRecord);
  if (trace === null || !maySeeTrace(key, trace)) throw new DomainError('not_found', 'There is no such trace.');
  return { trace: traceBody(trace) };
}

/** The flush itself gives up after 2 s. */
const FLUSH_TIMEOUT_MS = 3_000;
