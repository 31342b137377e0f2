import { ROUTES } from '../../contract/routes.ts';
import { storedTextFault } from '../../contract/stored-text.ts';
import { writtenBy } from '../../domain/access/keys.ts';
import { compilePolicy } from '../../domain/policy/compile.ts';
import { parsePolicy } from '../../domain/policy/document.ts';
import { faultsMessage } from '../../domain/policy/conditions.ts';
import { openSimulation } from '../../domain/policy/simulate.ts';
import type { TraceRecord } from '../../domain/traces/record.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { countEventsOf } from '../../storage/postgres/feedback.ts';
import { listDecidableTraces } from '../../storage/postgres/trace-lists.ts';
import { flush } from '../traces.ts';
import { verb } from '../verb.ts';

/** Traces a statement, and of a simulation in all, the newest first: about ten seconds of work. */
const PAGE = 2_000;
const SIMULATED_MAX = 200_000;
/** A request has 30 s of CPU, and a costly draft may need more: after this time the simulation reads no further page. */
const SIMULATED_MS_MAX = 15_000;

/** Runs a draft over the stored traces that the key may read. It asks no vendor and is not metered. */
export const simulatePolicy = verb({
  route: ROUTES.simulatePolicy,
  parse: ({ params: { slug }, body: { policy: draft, window_days } }) => {
    const parsed = parsePolicy(draft, storedTextFault);
    if (!parsed.ok) throw new DomainError('invalid_request', faultsMessage(parsed.error, 'policy'));
    return { slug, window_days, draft: parsed.value };
  },
  // Refuses the request where the account has no policy of this name.
  lookup: ({ slug }) => ({ policySlug: slug }),
  run: async (context, { slug, window_days, draft }) => {
    const { deps, organisationId, authorized } = context;
    const { key } = authorized;
    const keyId = writtenBy(key, undefined);
    const run = openSimulation(compilePolicy(draft), slug);
    await flush(deps, context, null);
    const query = {
      filter: { mode: key.mode, keyId: keyId === 'none' ? key.id : keyId },
      fromMs: context.startedAt - window_days * DAY_MS,
      withDetail: run.readsDetail,
      limit: PAGE,
    };
    const until = deps.now() + SIMULATED_MS_MAX;
    let before: TraceRecord['id'] | null = null;
    let complete = false;
    for (let left = SIMULATED_MAX; left > 0 && !complete && deps.now() < until; left -= PAGE) {
      const page = await listDecidableTraces(deps.db, organisationId, { ...query, before });
      run.add(page);
      before = page.at(-1)?.id ?? null;
      complete = page.length < PAGE;
    }
    const { withEvents, events } = await countEventsOf(deps.db, organisationId, key.mode, run.denied());
    const denied = { traces: run.denied().length, with_events: withEvents, events };
    return { window_days, complete, ...run.result(), denied };
  },
});
