import { ROUTES } from '../../contract/routes.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { writtenBy } from '../../domain/access/keys.ts';
import { openLossSimulation } from '../../domain/answer/replay.ts';
import { lossesInForce } from '../../domain/router/losses.ts';
import type { TraceRecord } from '../../domain/traces/traces.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { listJudgedTraces } from '../../storage/postgres/trace-lists.ts';
import { flush } from '../traces.ts';
import { verb } from '../verb.ts';

/** Traces of one statement, each with its detail, and of one simulation, newest first. */
const PAGE = 2_000;
const SIMULATED_MAX = 100_000;
/** After this time the simulation reads no further page. */
const SIMULATED_MS_MAX = 15_000;

/** Judges the stored traces that the key may read by other losses. Asks no vendor, and is not metered. */
export const simulateLosses = verb({
  route: ROUTES.simulateLosses,
  run: async (context, { body: { losses, window_days } }) => {
    const { deps, organisationId, authorized } = context;
    const { key } = authorized;
    const keyId = writtenBy(key, undefined);
    const { table } = lossesInForce({ version: 0, document: JSON.stringify(losses) });
    const run = openLossSimulation(table, USUAL_PURPOSE.call);
    await flush(deps, context, null);
    const query = {
      filter: { mode: key.mode, keyId: keyId === 'none' ? key.id : keyId },
      fromMs: context.startedAt - window_days * DAY_MS,
      limit: PAGE,
    };
    const until = deps.now() + SIMULATED_MS_MAX;
    let before: TraceRecord['id'] | null = null;
    let complete = false;
    for (let left = SIMULATED_MAX; left > 0 && !complete && deps.now() < until; left -= PAGE) {
      const page = await listJudgedTraces(deps.db, organisationId, { ...query, before });
      run.add(page);
      before = page.at(-1)?.id ?? null;
      complete = page.length < PAGE;
    }
    return { window_days, complete, ...run.result() };
  },
});
