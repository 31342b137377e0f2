import type { Context } from 'hono';
import { MCP, TOOLS, toolRoute } from '../../contract/tools.ts';
import type { HttpEnv } from '../http/env.ts';
import { framedApp, type OpenServices } from '../http/frame.ts';
import { HANDLERS, type Handler } from '../http/handlers.ts';
import { mountRoute } from '../http/mount.ts';

/** Calls a tool's route on behalf of the message that names it. */
export type CallRoute = (c: Context<HttpEnv>, name: string, input: unknown) => Promise<Response>;

/** Headers of the message that are the call's as well. */
const OF_THE_CALL = ['Authorization', 'Idempotency-Key'];

/**
 * Each tool is its route mounted once more, in an app that nothing outside reaches: what authenticates, admits, checks,
 * meters, logs and refuses is the same.
 */
export function routeCaller(openServices: OpenServices): CallRoute {
  const app = framedApp(openServices);
  for (const tool of TOOLS) {
    const handle = HANDLERS[tool.route] as Handler;
    mountRoute(app, tool.route, toolRoute(tool), (call) => handle({ ...call, params: call.body }));
  }
  return async (c, name, input) => {
    const headers = new Headers({ 'Content-Type': 'application/json' });
    copyHeaders(c.req.raw.headers, headers, OF_THE_CALL);
    const request = new Request(`https://tools.invalid${MCP.path}/${name}`, {
      method: 'POST',
      headers,
      body: written(input),
    });
    return app.fetch(request, c.env, c.executionCtx);
  };
}

export function copyHeaders(from: Headers, to: Headers, names: readonly string[]): void {
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) to.set(name, value);
  }
}

/** What is nested thousands deep can be read but not written: to the route it is no JSON then. */
function written(input: unknown): string {
  try {
    return JSON.stringify(input);
  } catch {
    return '';
  }
}
