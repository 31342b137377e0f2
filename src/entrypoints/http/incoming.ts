import type { Context } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { Incoming } from '../../services/frame.ts';
import { readJsonBody, signedBody, streamedBody, uploadFault } from './body.ts';
import type { HttpEnv } from './env.ts';
import { expectedVersions } from './preconditions.ts';

/** RFC 6750, with the scheme in any case (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/** Makes an HTTP request into what the frame takes. */
export function incoming(c: Context<HttpEnv>, { signed, upload, versioned }: RouteDeclaration): Incoming {
  return {
    key: BEARER.exec(c.req.header('Authorization') ?? '')?.[1] ?? '',
    idempotencyKey: c.req.header('Idempotency-Key'),
    params: c.req.param(),
    query: queryOf(c),
    readBody: async (route) =>
      route.body
        ? readJsonBody(c, route, route.body.limitBytes)
        : { text: '', value: undefined, fault: route.upload ? uploadFault(c, route.upload) : null },
    ...(signed && { signed: () => signedBody(c, signed) }),
    ...(upload && { upload: () => streamedBody(c) }),
    expected: expectedVersions(versioned === true ? c.req.header('If-Match') : undefined),
    defer: (work) => c.executionCtx.waitUntil(work),
    opened: (exchange) => c.set('exchange', exchange),
  };
}

/** A parameter that came once is a text; a repeated one is a list. */
const queryOf = (c: Context<HttpEnv>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
