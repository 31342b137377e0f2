import type { Context } from 'hono';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import { newId } from '../../kernel/ids.ts';
import { discardRest } from '../../kernel/read-body.ts';
import { serviceClock } from '../../runtime/clock.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import type { HttpEnv } from './env.ts';
import { errorAnswer } from './errors.ts';
import { logRequest, reportFailure, sendJson } from './response.ts';

/** Builds what a request needs from the bindings; `defer` lets work go on behind the answer. */
export type OpenDeps = (env: Env, defer: (work: Promise<unknown>) => void) => ServiceDeps;

/** Names requests, those too for which the setting of the service's clock can't be read. */
const wallClock = serviceClock(0);

/**
 * A caller who is still sending may find the connection closed and miss the answer. So the rest of a refused body is read
 * first: somewhat more than the largest file, for a limited time, as less may come than was announced.
 */
const REST = { limitBytes: 64 * 2 ** 20, timeoutMs: 2_000 };

/** Names the request and opens what it needs, then answers it. Its line is logged once the answer stands. */
export async function served(
  c: Context<HttpEnv>,
  openDeps: OpenDeps,
  person: PersonClaims | undefined,
  answer: () => Promise<Response>,
): Promise<Response> {
  c.set('requestId', newId('rq', wallClock()));
  const deps = openDeps(c.env, (work) => c.executionCtx.waitUntil(work));
  c.set('deps', deps);
  c.set('person', person);
  const startedAt = deps.now();
  const serve = async (): Promise<Response> => {
    const response = await answer();
    deps.endInvocation();
    logRequest(c, response, deps.now() - startedAt);
    return response;
  };
  const serving = serve();
  // When a caller hangs up, the runtime ends all work that `waitUntil` does not know. A charged request has to finish: its
  // trace and spend are entered, and a repeat under its `Idempotency-Key` finds the answer.
  c.executionCtx.waitUntil(serving);
  return serving;
}

/** Answers an error of any kind, and takes back what the request was charged. */
export async function answerError(error: unknown, c: Context<HttpEnv>): Promise<Response> {
  const traceId = c.get('requestId');
  const { status, body, headers, failure } = errorAnswer(error, traceId);
  c.set('errorCode', body.error.code);
  if (failure !== null) reportFailure(c, failure);
  await c.get('exchange')?.reverse();
  await discardRest(c.req.raw.body, REST);
  return sendJson(c, { traceId, status, body, headers });
}
