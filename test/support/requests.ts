import { OBSERVED } from './observed.ts';
import { type Id, newId, siblingId } from '../../src/kernel/ids.ts';
import type { AuthorizeRequest, DecideRequest, CommitRequest, VerifyRequest } from '../../src/organisation/api.ts';
import { traceRecord } from './records.ts';

/** A valid authorization request of a live member, with new ids. */
export function authorizeRequest(change: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  const operationId = change.operationId ?? newId('vr', Date.now());
  return {
    operationId,
    traceId: operationId,
    keyHash: '',
    role: 'member',
    operator: false,
    rate: 'verify',
    meter: 'verify',
    lookup: null,
    bodyHash: null,
    holdMs: 10_000,
    faulty: false,
    ...change,
  };
}

/** Overrides for `commitRequest`; a trace's `addressHash` defaults to null. */
export type CommitChange = Partial<Omit<CommitRequest, 'trace' | 'more'>> & {
  readonly trace?: FinishedTrace;
  readonly more?: readonly FinishedTrace[];
};
type FinishedTrace = Omit<CommitRequest['trace'], 'addressHash'> & { readonly addressHash?: string | null };

export function commitRequest(operationId: string, { trace, more = [], ...change }: CommitChange = {}): CommitRequest {
  const id = newId('vr', Date.now());
  const made = { kind: 'trace', id, record: JSON.stringify(traceRecord({ id })) } as const;
  return {
    operationId,
    requestId: operationId,
    bodyHash: null,
    trace: { addressHash: null, ...(trace ?? made) },
    more: more.map((each) => ({ addressHash: null, ...each })),
    spendMicros: 0,
    providerMicros: 0,
    answer: null,
    observation: null,
    ...change,
  };
}

/** A verification of an unremarkable address; by default without providers. */
export function verifyRequest(authorize: AuthorizeRequest, change: Partial<VerifyRequest> = {}): VerifyRequest {
  const { traceId } = authorize;
  return {
    authorize,
    observed: OBSERVED,
    request: {
      organisationId: 'org_a',
      mode: 'live',
      meter: 'verify',
      traceId,
      startedAt: Date.now(),
      context: { purpose: 'signup' },
      deadlineMs: Date.now() + 3_500,
      maxCostUsd: 0.02,
    },
    providers: [],
    ...change,
  };
}

/** A decision about the same address, by the default policy. */
export function decideRequest(authorize: AuthorizeRequest, change: Partial<DecideRequest> = {}): DecideRequest {
  const { slug } = change.decision ?? { slug: 'default' };
  const sent = verifyRequest({ ...authorize, meter: 'decide', policySlug: slug });
  return {
    ...sent,
    request: { ...sent.request, traceId: siblingId('vr', authorize.traceId as Id<'dc'>) },
    decision: {
      id: authorize.traceId as Id<'dc'>,
      slug,
      email: 'ada@example.com',
      attributes: {},
      isExplained: false,
    },
    policyKnown: null,
    ...change,
  };
}
