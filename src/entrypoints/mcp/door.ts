import type { Hono, MiddlewareHandler } from 'hono';
import type { ErrorEnvelope } from '../../contract/error.ts';
import { MCP } from '../../contract/tools.ts';
import { DomainError } from '../../kernel/errors.ts';
import type { HttpEnv } from '../http/env.ts';
import type { OpenServices } from '../http/frame.ts';
import { admission } from '../http/mount.ts';
import { copyHeaders, routeCaller } from './tools.ts';

/** What a tool's route answered. */
interface Called {
  readonly response: Response;
  readonly text: string;
}

/** Headers of a route's answer that are the message's as well. */
const OF_THE_ANSWER = ['x-trace-id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'];

/** `POST /mcp`: admission as on any route; a tool call is admitted by its own route instead, and counts there alone. */
export function mountMcp(app: Hono<HttpEnv>, openServices: OpenServices): void {
  const callRoute = routeCaller(openServices);
  app.on('POST', [MCP.path], ...admission('mcp', MCP), refusePages, async (c) => {
    // On first use: starting the library takes longer than starting all the rest.
    const { serveMessage } = await import('./server.ts');
    const calls: Called[] = [];
    const served = await serveMessage(c.req.raw, c.req.valid('json' as never), {
      version: c.var.services.readHealth().version,
      callTool: async (name, input) => {
        const response = await callRoute(c, name, input);
        const text = await response.text();
        calls.push({ response, text });
        return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text), isError: !response.ok };
      },
    });
    const headers = new Headers({ 'x-trace-id': c.var.requestId, 'Cache-Control': 'no-store' });
    if (served.contentType !== null) headers.set('Content-Type', served.contentType);
    const [called] = calls;
    if (called === undefined) await c.var.operation?.admit(null);
    else {
      refuseKey(called);
      copyHeaders(called.response.headers, headers, OF_THE_ANSWER);
    }
    return new Response(served.text === '' ? null : served.text, { status: served.status, headers });
  });
}

/** A bad key is no matter of the tool's: 401 in HTTP, as everywhere. */
function refuseKey({ response, text }: Called): void {
  if (response.status !== 401) return;
  throw new DomainError('unauthorized', (JSON.parse(text) as ErrorEnvelope).error.message);
}

/**
 * Asked of every MCP server: no page may speak through a browser that reaches it. Not even one of the same origin, which is
 * what a page is whose host name was rebound to this address.
 */
const refusePages: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header('Origin') !== undefined)
    throw new DomainError('forbidden', 'Web pages are not served: a key is secret and stays out of browsers.');
  await next();
};
