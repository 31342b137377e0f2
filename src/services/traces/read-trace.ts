import { ROUTES } from '../../contract/routes.ts';
import { reportedOutcome } from '../../domain/feedback/outcomes.ts';
import { maySeeTrace, traceBody } from '../../domain/traces/present.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId, siblingId } from '../../kernel/ids.ts';
import { findTrace } from '../../storage/postgres/traces.ts';
import { verb } from '../verb.ts';
import { flush } from './history.ts';
import { outcomeInForce } from './outcome-in-force.ts';

const NO_TRACE = new DomainError('not_found', 'This trace does not exist.');

/** Reads a trace by its `vr_` or `dc_` id. It is there as soon as the answer that named it has arrived. */
export const readTrace = verb({
  route: ROUTES.trace,
  run: async (context, { params: { trace_id: id } }) => {
    const { deps, organisationId, admitted } = context;
    const known = parseId('vr', id) ?? parseId('dc', id);
    if (known === null) throw NO_TRACE;
    const flushed = await flush(deps, context, known);
    const { held } = flushed;
    const [trace, outcome] = await Promise.all([
      held === null ? findTrace(deps.db, organisationId, known) : (JSON.parse(held) as TraceRecord),
      outcomeInForce(deps.db, context, siblingId('vr', known), flushed),
    ]);
    if (trace === null || !maySeeTrace(admitted.key, trace)) throw NO_TRACE;
    return { trace: traceBody(trace, outcome && reportedOutcome(outcome)) };
  },
});
