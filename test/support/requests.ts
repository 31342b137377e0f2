import { OBSERVED } from './observed.ts';
import { type Id, newId, siblingId } from '../../src/kernel/ids.ts';
import type { AdmitRequest, DecideRequest, FinishRequest, VerifyRequest } from '../../src/organisation/api.ts';
import { traceRecord } from './records.ts';

/** A live member's verification that nothing speaks against. Its ids are its own. */
export function admitRequest(change: Partial<AdmitRequest> = {}): AdmitRequest {
  const operationId = change.operationId ?? newId('vr', Date.now());
  return {
    operationId,
    traceId: operationId,
    keyHash: '',
    role: 'member',
    operator: false,
    rate: 'verify',
    meter: 'verify',
    probe: null,
    bodyHash: null,
    holdMs: 10_000,
    faulty: false,
    ...change,
  };
}

/** What `finishRequest` changes; a trace of which no address is told has none. */
export type FinishChange = Partial<Omit<FinishRequest, 'trace' | 'more'>> & {
  readonly trace?: FinishedTrace;
  readonly more?: readonly FinishedTrace[];
};
type FinishedTrace = Omit<FinishRequest['trace'], 'addressHash'> & { readonly addressHash?: string | null };

export function finishRequest(operationId: string, { trace, more = [], ...change }: FinishChange = {}): FinishRequest {
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
    learnt: null,
    ...change,
  };
}

/** A verification of an unremarkable address, for which no provider is on unless told otherwise. */
export function verifyRequest(admit: AdmitRequest, change: Partial<VerifyRequest> = {}): VerifyRequest {
  const { traceId } = admit;
  return {
    admit: {
      ...admit,
      probe: {
        addressHash: OBSERVED.addressHash,
        domain: OBSERVED.domain,
        history: { domain: OBSERVED.domainName ?? '', purpose: 'signup' },
      },
    },
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
export function decideRequest(admit: AdmitRequest, change: Partial<DecideRequest> = {}): DecideRequest {
  const { slug } = change.decision ?? { slug: 'default' };
  const sent = verifyRequest({ ...admit, meter: 'decide', policySlug: slug });
  return {
    ...sent,
    request: { ...sent.request, traceId: siblingId('vr', admit.traceId as Id<'dc'>) },
    decision: {
      id: admit.traceId as Id<'dc'>,
      slug,
      email: 'ada@example.com',
      attributes: {},
      isExplained: false,
    },
    policyKnown: null,
    ...change,
  };
}
