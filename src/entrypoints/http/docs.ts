import type { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { StatusCode } from 'hono/utils/http-status';
import { DomainError } from '../../kernel/errors.ts';
import type { HttpEnv } from './env.ts';

/** Pages for people and generators, in `public/`: no key, no use case. */
export const DOCS_PATHS = ['/openapi.json', '/docs', '/docs/', '/docs/:file'] as const;

/** The renderer has an empty style element, which a script fills, and one with text. The policy names both by their hash. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
const RENDERER_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

/** The page loads all files from this service. Its search runs in a worker that it makes itself. */
const policy = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", EMPTY_STYLE, RENDERER_STYLE],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    workerSrc: ['blob:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Serves `public/` as it stands, with the tags, cache headers and redirects (from `/docs/`) that assets have. */
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
