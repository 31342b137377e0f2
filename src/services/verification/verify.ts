import { FIRST_ROUTES } from '../../contract/first-routes.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { type KeptVerification, keptOf } from '../../domain/answer/assess.ts';
import { billedMicros } from '../../domain/router/provider-queries.ts';
import { traceJson } from '../../domain/traces/traces.ts';
import { meteredVerb } from '../verb.ts';
import { askable } from './ask-providers.ts';
import { answerTo, assessRequest, judge } from './judge.ts';
import { observe, subjectOf } from './observe.ts';

/** One address, one calibrated bounce probability. Throws only refusals: a failed dependency shows in the answer. */
export const verify = meteredVerb({
  route: FIRST_ROUTES.verify,
  parse: ({ body: { email, context } }) => ({
    email,
    context: { ...context, purpose: context?.purpose ?? USUAL_PURPOSE.call },
  }),
  serve: async (request, { email, context }, deps) => {
    const asked = assessRequest(request, context);
    const subject = subjectOf(deps, request, email);
    const seen = await observe(deps, request, { email, subject, name: null, deadlineMs: asked.deadlineMs });
    const { observed } = seen;
    const first = await request.verify({ observed, request: asked, providers: askable(deps, deps.now()) });
    if (first.concluded !== null) return answerTo(email, first.concluded);
    const concluded = await judge(deps, request, first.authorization, seen, asked);
    const { record, queries, observation } = concluded;
    const kept = await request.commit({
      trace: { kind: 'trace', id: record.id, record: traceJson(record), addressHash: record.addressHash },
      spendMicros: billedMicros(queries),
      providerMicros: billedMicros(queries),
      answer: () => JSON.stringify(keptOf(concluded)),
      observation,
    });
    return answerTo(email, kept === null ? keptOf(concluded) : (JSON.parse(kept) as KeptVerification));
  },
});
