import type { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { StatusCode } from 'hono/utils/http-status';
import { DomainError } from '../../kernel/errors.ts';
import type { HttpEnv } from './env.ts';

/** Pages for people and generators, in `public/`: no key, no use case. */
export const DOCS_PATHS = ['/openapi.json', '/docs', '/docs/:file'] as const;

/** All of the page comes from here; it styles its elements as it makes them, and searches in a worker of its own. */
const policy = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    workerSrc: ['blob:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Serves `public/` as it stands, with the tags and cache headers that assets have. */
export function mountDocs(app: Hono<HttpEnv>): void {
  for (const path of DOCS_PATHS) {
    app.get(path, policy, async (c) => {
      c.set('route', path);
      const asset = await c.env.ASSETS.fetch(c.req.raw);
      if (asset.status === 404) throw new DomainError('not_found', 'There is nothing at this path.');
      return c.newResponse(asset.body, asset.status as StatusCode, Object.fromEntries(asset.headers));
    });
  }
}
