import type { Verification, VerifyRequest } from '../../contract/verification.ts';
import { traceJson } from '../../domain/traces/record.ts';
import type { Operation } from '../operation.ts';
import { examine, type VerifyDeps } from './assess.ts';
import { billedMicros } from './query-providers.ts';
import { traceRecord } from './trace-record.ts';

/** One address, one calibrated bounce probability. Throws refusals only; every failure of a dependency is in the answer. */
export async function verify(deps: VerifyDeps, op: Operation, request: VerifyRequest): Promise<Verification> {
  const examination = await examine(deps, op, request);
  if (examination.kind === 'repeated') return restore(examination.answer, request.email);
  const { findings, answer } = examination;
  const record = traceRecord(op, findings, answer, request.context ?? {});
  const settled = await op.settle({
    trace: { kind: 'trace', id: answer.trace_id, record: traceJson(record), addressHash: record.addressHash },
    spendMicros: billedMicros(findings.consultation),
    answer: JSON.stringify({ ...answer, email: '' }),
  });
  return settled === null ? answer : restore(settled, request.email);
}

/** A stored answer is kept without the address; the repeat's body is the same, so its address belongs there. */
const restore = (stored: string, email: string): Verification => ({ ...(JSON.parse(stored) as Verification), email });
