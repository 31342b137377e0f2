import { type Context, type Handler, Hono } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import { DomainError } from '../../kernel/errors.ts';
import { open, prepare, type Received } from '../../services/frame.ts';
import type { AnyOpenVerb, AnyVerb, ReadInput } from '../../services/verb.ts';
import { respond } from './answers.ts';
import type { HttpEnv } from './env.ts';
import { authenticate, tokenOf } from './middleware.ts';
import { expectedVersions } from './preconditions.ts';
import { signedBody, streamedBody, uploadFault } from './streams.ts';
import { inputOf, validate } from './validate.ts';

/** The verbs at their routes. A verb has its route's name in the contract. */
export function routesOf(verbs: Readonly<Record<string, AnyVerb | AnyOpenVerb>>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const [name, verb] of Object.entries(verbs)) {
    const { route } = verb;
    const answer = 'prepare' in verb ? keyed(name, verb) : unkeyed(verb);
    app.on(route.method.toUpperCase(), [route.path], authenticate(route), ...validate(route), answer);
  }
  return app;
}

const keyed =
  (name: string, verb: AnyVerb): Handler<HttpEnv> =>
  async (c) => {
    const deps = c.get('deps');
    const exchange = open(deps, name, verb.route, received(c));
    c.set('exchange', exchange);
    const run = await prepare(deps, verb, exchange, wholeInput(c, verb.route));
    return respond(c, verb.route, await run());
  };

const unkeyed =
  (verb: AnyOpenVerb): Handler<HttpEnv> =>
  async (c) => {
    const { route } = verb;
    const read = inputOf(c, route);
    if (read instanceof DomainError) throw read;
    const signed = route.signed && (await signedBody(c, route.signed));
    const input = { ...read, signed, token: tokenOf(c), expected: expectedIn(c, route), upload: undefined };
    return respond(c, route, await verb.answer(c.get('deps'), input));
  };

/** A request as the frame takes it. */
export const received = (c: Context<HttpEnv>): Received => ({
  caller: c.get('caller'),
  startedAt: c.get('startedAt'),
  idempotencyKey: c.req.header('Idempotency-Key'),
  text: c.get('body')?.text ?? '',
  defer: (work) => c.executionCtx.waitUntil(work),
});

/** A request's input with its parts as `read`, or the first fault. */
export function wholeInput(
  c: Context<HttpEnv>,
  route: RouteDeclaration,
  read = inputOf(c, route),
): ReadInput | DomainError {
  const fault = route.upload && uploadFault(c, route.upload);
  if (read instanceof DomainError) return read;
  return (
    fault ?? { ...read, expected: expectedIn(c, route), signed: undefined, upload: route.upload && streamedBody(c) }
  );
}

const expectedIn = (c: Context<HttpEnv>, { versioned }: RouteDeclaration): ReadInput['expected'] =>
  expectedVersions(versioned === true ? c.req.header('If-Match') : undefined);
