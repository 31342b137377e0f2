import type { Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { StatusCode } from 'hono/utils/http-status';
import { DomainError } from '../../kernel/errors.ts';
import type { HttpEnv } from './env.ts';

/** Pages load all files from this service, and have no script or style of their own. */
const POLICY = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    workerSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Pages for people and generators, in `public/`, without a key. `asset`: the file, if not named by the path. */
const PAGES = [
  { path: '/openapi.json', asset: null },
  { path: '/llms.txt', asset: '/docs/llms.txt' },
  { path: '/docs', asset: null },
  { path: '/docs/*', asset: null },
] as const;

export const DOCS_PATHS = ['/', ...PAGES.map(({ path }) => path)] as const;

/** File names contain a hash of the content. */
const NEVER_CHANGES = /^\/docs\/assets\//;

/** Serves `public/` with the tags, cache headers and redirects of assets. */
export function mountDocs(app: Hono<HttpEnv>): void {
  app.get('/', (c) => {
    c.set('route', '/');
    return c.redirect('/docs/');
  });
  for (const { path, asset: file } of PAGES) {
    app.get(path, POLICY, async (c) => {
      c.set('route', path);
      const asset = await assetOf(c, file);
      if (asset.status === 404) return notFound(c);
      const headers = new Headers(asset.headers);
      if (asset.ok && NEVER_CHANGES.test(c.req.path))
        headers.set('Cache-Control', 'public, max-age=31536000, immutable');
      return c.newResponse(asset.body, asset.status as StatusCode, Object.fromEntries(headers));
    });
  }
}

const assetOf = (c: Context<HttpEnv>, path: string | null): Promise<Response> =>
  c.env.ASSETS.fetch(path === null ? c.req.raw : new Request(new URL(path, c.req.url)));

/** A page if a browser asks for one. */
async function notFound(c: Context<HttpEnv>): Promise<Response> {
  const page = c.req.header('Accept')?.includes('text/html') === true ? await assetOf(c, '/docs/404') : null;
  if (page?.ok !== true) throw new DomainError('not_found', 'There is nothing at this path.');
  return c.newResponse(page.body, 404, Object.fromEntries(page.headers));
}
