import { ROUTES } from '../../contract/routes.ts';
import type { Verification } from '../../contract/verification.ts';
import { traceJson } from '../../domain/traces/record.ts';
import { verb } from '../verb.ts';
import { assess, ceilingsOf, gather } from './assess.ts';
import { rulesProbe, subjectOf } from './local-facts.ts';
import { billedMicros } from './query-providers.ts';
import { traceRecord } from './trace-record.ts';

/** One address, one calibrated bounce probability. Throws refusals only: a failed dependency shows in the answer. */
export const verify = verb({
  route: ROUTES.verify,
  parse: ({ body: { email, context = {} } }, caller, deps) => ({
    email,
    context,
    ceilings: ceilingsOf(caller, context),
    subject: subjectOf(deps, caller, email),
  }),
  probe: ({ subject, ceilings: { deadlineMs } }) => ({ rules: rulesProbe(subject), deadlineMs }),
  begin: ({ subject, ceilings }, caller, deps) => gather(deps, caller, subject, ceilings.deadlineMs),
  run: async (context, input, gathered) => {
    const assessment = await assess(context.deps, context, input, gathered);
    if (assessment.kind === 'repeated') return restore(assessment.answer, input.email);
    const { basis, answer } = assessment;
    const record = traceRecord(context, basis, answer, input.context);
    const kept = await context.commit({
      trace: { kind: 'trace', id: answer.trace_id, record: traceJson(record), addressHash: record.addressHash },
      spendMicros: billedMicros(basis.queries),
      answer: JSON.stringify({ ...answer, email: '' }),
    });
    return kept === null ? answer : restore(kept, input.email);
  },
});

/** Answers are stored without the address. A repeat has the same body, and so the address that belongs there. */
const restore = (stored: string, email: string): Verification => ({ ...(JSON.parse(stored) as Verification), email });
