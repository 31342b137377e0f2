import { inOrder } from '../../contract/field-order.ts';
import { FIRST_ROUTES } from '../../contract/first-routes.ts';
import { Verification } from '../../contract/verification.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { billedMicros } from '../../domain/router/provider-queries.ts';
import { correctionOf } from '../../domain/screening/typo/corrected.ts';
import { traceJson } from '../../domain/traces/record.ts';
import { verb } from '../verb.ts';
import { assess, ceilingsOf, type PurposedContext } from './assess.ts';
import { gather } from './gather.ts';
import { verificationProbe } from './history.ts';
import { subjectOf } from './local-facts.ts';
import { traceRecord } from './trace-record.ts';

/** One address, one calibrated bounce probability. Throws refusals only: a failed dependency shows in the answer. */
export const verify = verb({
  route: FIRST_ROUTES.verify,
  parse: ({ body: { email, context: sent } }, caller, deps) => {
    const context: PurposedContext = { ...sent, purpose: sent?.purpose ?? USUAL_PURPOSE.call };
    return { email, context, ceilings: ceilingsOf(caller, context), subject: subjectOf(deps, caller, email) };
  },
  probe: ({ subject, context, ceilings: { deadlineMs } }, caller, deps) => ({
    rules: verificationProbe(deps, caller, subject, { purpose: context.purpose }),
    deadlineMs,
  }),
  begin: ({ subject, ceilings }, caller, deps) => gather(deps, caller, subject, ceilings.deadlineMs),
  mayAttempt: true,
  run: async (context, input, gathered) => {
    const assessment = await assess(context.deps, context, input, gathered);
    if (assessment.kind === 'repeated') return restore(assessment.answer, input.email);
    const { basis, answer } = assessment;
    const record = traceRecord(context, basis, answer, input.context);
    const kept = await context.commit({
      trace: { kind: 'trace', id: answer.trace_id, record: traceJson(record), addressHash: record.addressHash },
      spendMicros: billedMicros(basis.queries),
      providerMicros: billedMicros(basis.queries),
      answer: () => stored(answer, basis.facts.meantDomain),
      learnt: basis.learnt,
    });
    return kept === null ? answer : restore(kept, input.email);
  },
});

/**
 * What a repeat needs of an answer. Its body brings the address again, so neither the address nor a correction of it is
 * stored.
 */
type VerificationForRepeat = Verification & { readonly meantDomain?: string };

function stored({ did_you_mean: _, ...answer }: Verification, meantDomain: string | null): string {
  const kept: VerificationForRepeat = { ...answer, email: '', ...(meantDomain === null ? {} : { meantDomain }) };
  return JSON.stringify(kept);
}

function restore(text: string, email: string): Verification {
  const { meantDomain = null, ...answer } = JSON.parse(text) as VerificationForRepeat;
  const didYouMean = correctionOf(email, meantDomain);
  const restored = { ...answer, email, ...(didYouMean === null ? {} : { did_you_mean: didYouMean }) };
  return inOrder(Verification, restored) as Verification;
}
