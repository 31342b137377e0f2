import type { Context, Hono } from 'hono';
import { inOrder } from '../../contract/field-order.ts';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { Download } from '../../services/files.ts';
import { open, serveOpen } from '../../services/frame.ts';
import type { AnyOpenVerb, AnyVerb } from '../../services/verb.ts';
import type { HttpEnv } from './env.ts';
import { incoming } from './incoming.ts';
import { sendFile, sendJson, traceIdOf, versionHeader } from './response.ts';

/** Serves a verb at its route. `name`: the route's in the contract. */
export function mountVerb(app: Hono<HttpEnv>, name: string, verb: AnyVerb | AnyOpenVerb): void {
  app.on(verb.route.method.toUpperCase(), [verb.route.path], answerVerb(name, verb));
}

/** Answers the requests of a verb's route; throws refusals. */
export function answerVerb(name: string, verb: AnyVerb | AnyOpenVerb): (c: Context<HttpEnv>) => Promise<Response> {
  const { route } = verb;
  return async (c) => {
    c.set('route', route.path);
    const request = incoming(c, route);
    if (!('prepare' in verb)) return respond(c, route, await serveOpen(c.get('deps'), verb, request));
    const { run } = await open(c.get('deps'), name, verb, request);
    return respond(c, route, await run());
  };
}

function respond(c: Context<HttpEnv>, route: RouteDeclaration, answer: unknown): Response {
  const traceId = traceIdOf(c, answer);
  const { response } = route;
  if ('contentType' in response) return sendFile(c, traceId, answer as Download, response.contentType);
  const headers = route.versioned === true ? versionHeader(answer) : {};
  return sendJson(c, { traceId, status: response.status, body: answerBody(route, answer), headers });
}

/** Puts an answer's fields in the contract's order. Metered answers are made in that order, and have no time for this. */
export const answerBody = ({ meter, response }: RouteDeclaration, answer: unknown): unknown =>
  meter === null && 'schema' in response ? inOrder(response.schema, answer) : answer;
