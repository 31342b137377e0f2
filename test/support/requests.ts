import { newId } from '../../src/kernel/ids.ts';
import type { AdmitRequest, FinishRequest } from '../../src/organisation/api.ts';
import { PORT_VERSION, type Versioned } from '../../src/organisation/ports.ts';
import { traceRecord } from './records.ts';

/** A live member's verification that nothing speaks against. Its ids are its own. */
export function admitRequest(change: Partial<AdmitRequest> = {}): Versioned<AdmitRequest> {
  const operationId = change.operationId ?? newId('vr', Date.now());
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

export function finishRequest(operationId: string, change: Partial<FinishRequest> = {}): Versioned<FinishRequest> {
  const id = newId('vr', Date.now());
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
