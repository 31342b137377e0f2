import type { StoredPolicyDecision } from '../../contract/traces.ts';
import type { TraceRecord } from './record.ts';

/** The mask of an address that is erased. */
const ERASED = '•••';

/** A trace cut off from its address before it is stored, as `forgetTraces` leaves one that was. */
export const withoutAddress = (trace: TraceRecord): TraceRecord => ({
  ...trace,
  addressHash: null,
  display: ERASED,
  domain: '',
  meantDomain: trace.meantDomain === null ? null : '',
  backEnds: null,
  policyDecision: trace.policyDecision && withoutPerson(trace.policyDecision),
});

function withoutPerson(decision: StoredPolicyDecision): StoredPolicyDecision {
  const { company: _, person: __, ...rest } = decision;
  return { ...rest, attributes: null };
}
