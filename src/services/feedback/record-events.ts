import { ROUTES } from '../../contract/routes.ts';
import { eventBatch, eventFault } from '../../domain/feedback/events.ts';
import { DomainError } from '../../kernel/errors.ts';
import { verb } from '../verb.ts';

/** Takes events of a signup, all or none. The object has them before the answer leaves. */
export const recordEvents = verb({
  route: ROUTES.events,
  parse: ({ body }, { startedAt }) => {
    const fault = eventFault(body, startedAt);
    if (fault !== null) throw new DomainError('invalid_request', fault);
    return body;
  },
  run: async (context, body) => {
    const { organisationId, mode, startedAt: createdAt } = context;
    const batch = eventBatch({ organisationId, mode, createdAt }, body);
    const ids = batch.events.map(({ id }) => id);
    await context.commit({
      trace: { kind: 'event', id: context.traceId, record: JSON.stringify(batch), addressHash: null },
      spendMicros: 0,
      answer: () => '',
    });
    return { accepted: ids.length, ids };
  },
});
