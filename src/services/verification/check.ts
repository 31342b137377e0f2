import { FIRST_ROUTES } from '../../contract/first-routes.ts';
import { underRules } from '../../domain/answer/observed.ts';
import { summariseCheck } from '../../domain/answer/precheck.ts';
import { emailType } from '../../domain/answer/signals.ts';
import { correctionOf } from '../../domain/screening/typo/corrected.ts';
import { verb } from '../verb.ts';
import { lookUp, refuseInSandbox, rulesProbe, subjectOf } from './observe.ts';

/** A check waits for DNS only. A look-up that takes longer is `mx_unresolved`. */
const LATENCY_MAX_MS = 3_500;

/** The free check: syntax, DNS, lists and the account's rules. It asks no provider and leaves no trace. */
export const check = verb({
  route: FIRST_ROUTES.check,
  parse: ({ body: { email } }, caller, deps) => ({
    email,
    subject: subjectOf(deps, caller, email),
    deadlineMs: caller.startedAt + LATENCY_MAX_MS,
  }),
  probe: ({ subject, deadlineMs }) => ({ rules: rulesProbe(subject), deadlineMs }),
  begin: ({ subject, deadlineMs }, caller, deps) => lookUp(deps, caller, { subject, name: null, deadlineMs }),
  run: async (context, { email }, lookedUp) => {
    const { deps, startedAt, traceId, admitted } = context;
    refuseInSandbox(lookedUp, context.meter);
    const facts = underRules(lookedUp, admitted.rules);
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
