import type { Context, Hono } from 'hono';
import { inOrder } from '../../contract/field-order.ts';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { Download } from '../../services/files.ts';
import { open, serveOpen } from '../../services/frame.ts';
import type { AnyOpenVerb, AnyVerb } from '../../services/verb.ts';
import type { HttpEnv } from './env.ts';
import { incoming } from './incoming.ts';
import { sendFile, setVersionTag, traceIdOf } from './response.ts';

/** Serves a verb at its route. `name`: the route's in the contract. */
export function mountVerb(app: Hono<HttpEnv>, name: string, verb: AnyVerb | AnyOpenVerb): void {
  const { route } = verb;
  app.on(route.method.toUpperCase(), [route.path], async (c) => {
    c.set('route', route.path);
    const request = incoming(c, route);
    if (!('prepare' in verb)) return respond(c, route, await serveOpen(c.get('deps'), verb, request));
    const { run } = await open(c.get('deps'), name, verb, request);
    return respond(c, route, await run());
  });
}

function respond(c: Context<HttpEnv>, route: RouteDeclaration, answer: unknown): Response {
  c.header('x-trace-id', traceIdOf(c, answer));
  if (route.versioned === true) setVersionTag(c, answer);
  if ('contentType' in route.response) return sendFile(c, answer as Download, route.response.contentType);
  return c.json(answerBody(route, answer) as object, route.response.status);
}

/** Puts an answer's fields in the contract's order. Metered answers are made in that order, and have no time for this. */
export const answerBody = ({ meter, response }: RouteDeclaration, answer: unknown): unknown =>
  meter === null && 'schema' in response ? inOrder(response.schema, answer) : answer;
