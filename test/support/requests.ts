import { newId } from '../../src/kernel/ids.ts';
import { type AdmitRequest, type FinishRequest, PORT_VERSION } from '../../src/organisation/api.ts';
import { START_MS, traceRecord } from './records.ts';

/** A live member's verification that nothing speaks against. Its ids are its own. */
export function admitRequest(change: Partial<AdmitRequest> = {}): AdmitRequest {
  const operationId = change.operationId ?? newId('vr', START_MS);
  return {
    v: PORT_VERSION,
    operationId,
    traceId: operationId,
    keyHash: '',
    role: 'member',
    operator: false,
    rate: 'verify',
    meter: 'verify',
    probe: null,
    bodyHash: null,
    faulty: false,
    ...change,
  };
}

export function finishRequest(operationId: string, change: Partial<FinishRequest> = {}): FinishRequest {
  const id = newId('vr', START_MS);
  const trace = { kind: 'trace', id, record: JSON.stringify(traceRecord({ id })) } as const;
  return {
    v: PORT_VERSION,
    operationId,
    requestId: operationId,
    bodyHash: null,
    trace,
    spendMicros: 0,
    answer: null,
    ...change,
  };
}
