import { FIRST_ROUTES } from '../../contract/first-routes.ts';
import { underRules } from '../../domain/answer/observed.ts';
import { emailType, summariseCheck } from '../../domain/answer/precheck.ts';
import { correctionOf } from '../../domain/screening/typed-address.ts';
import { meteredVerb } from '../verb.ts';
import { lookUp, refuseInSandbox, rulesLookup, subjectOf } from './observe.ts';

/** A check waits only for DNS. A longer look-up is `mx_unresolved`. */
const LATENCY_MAX_MS = 3_500;

/** The free check: syntax, DNS, lists and the account's rules. Asks no provider and leaves no trace. */
export const check = meteredVerb({
  route: FIRST_ROUTES.check,
  parse: ({ body }) => body,
  serve: async (request, { email }, deps) => {
    const { startedAt, traceId, meter } = request;
    const subject = subjectOf(deps, request, email);
    const deadlineMs = startedAt + LATENCY_MAX_MS;
    const lookedUp = await lookUp(deps, request, { subject, name: null, deadlineMs });
    // The look-up comes first: the object counts domains new to the service.
    const authorized = await request.authorize(rulesLookup(subject), { deadlineMs });
    refuseInSandbox(lookedUp, meter);
    const facts = underRules(lookedUp, authorized.rules);
    const didYouMean = correctionOf(email, facts.meantDomain);
    const { passes, disposable, suspected, reason, reasons, checks } = summariseCheck(facts.precheck);
    return {
      email,
      domain: facts.domain,
      passes,
      disposable,
      suspected,
      reason,
      reasons: [...reasons],
      checks,
      esp: facts.provider.esp,
      email_type: emailType(facts.precheck, facts.traits, facts.meantDomain !== null),
      ...(didYouMean === null ? {} : { did_you_mean: didYouMean }),
      mx_hosts: facts.mail?.kind === 'found' ? [...facts.mail.hosts] : [],
      mx_provider: facts.provider.mxProvider,
      latency_ms: Math.max(0, deps.now() - startedAt),
      trace_id: traceId,
    };
  },
});
