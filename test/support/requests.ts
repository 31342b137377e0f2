import { newId } from '../../src/kernel/ids.ts';
import type { AdmitRequest, FinishRequest } from '../../src/organisation/api.ts';
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
