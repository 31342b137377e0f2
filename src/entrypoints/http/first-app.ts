import type { Hono } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { FIRST_VERBS } from '../first-verbs.ts';
import type { HttpEnv } from './env.ts';
import { answerVerb } from './mount.ts';
import { answerError, type OpenDeps, served } from './served.ts';
import { StaticPathsRouter } from './static-paths-router.ts';

/** An app that answers all routes. */
type WholeApp = Pick<Hono<HttpEnv>, 'fetch'>;

/**
 * The open door as an isolate starts with it: the few routes that callers wait for, by one handler each. `loadRest`: loads the app
 * that answers all else, with the first such request.
 */
export function createFirstApp(openDeps: OpenDeps, loadRest: () => Promise<WholeApp>): Hono<HttpEnv> {
  const app = new HonoBase<HttpEnv>({ router: new StaticPathsRouter() });
  for (const [name, verb] of Object.entries(FIRST_VERBS)) {
    const answer = answerVerb(name, verb);
    app.on(verb.route.method.toUpperCase(), [verb.route.path], (c) =>
      served(c, openDeps, undefined, () => answer(c).catch((error: unknown) => answerError(error, c))),
    );
  }
  app.notFound(async (c) => (await loadRest()).fetch(c.req.raw, c.env, c.executionCtx));
  return app;
}
