import type { Context, Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { StatusCode } from 'hono/utils/http-status';
import { DomainError } from '../../kernel/errors.ts';
import type { HttpEnv } from './env.ts';

/** The renderer of the API page has an empty style element, which a script fills, and one with text. */
const EMPTY_STYLE = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
const RENDERER_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='";

/** Pages load all files from this service, and have no script or style of their own beside what is named here. */
const policyWith = (styles: readonly string[], workers: readonly string[]) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", ...styles],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      workerSrc: [...workers],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });

const DOCS = policyWith([], ["'none'"]);
/** Its search runs in a worker that it makes itself. */
const API_PAGE = policyWith([EMPTY_STYLE, RENDERER_STYLE], ['blob:']);

/** Pages for people and generators, in `public/`: no key, no use case. The first that matches answers. */
const PAGES = [
  { path: '/openapi.json', policy: DOCS },
  { path: '/llms.txt', policy: DOCS, asset: '/docs/llms.txt' },
  { path: '/docs/api', policy: API_PAGE },
  { path: '/docs/api/*', policy: API_PAGE },
  { path: '/docs', policy: DOCS },
  { path: '/docs/*', policy: DOCS },
] as const;

export const DOCS_PATHS = ['/', ...PAGES.map(({ path }) => path)] as const;

/** Their names say what they hold. */
const NEVER_CHANGES = /^\/docs\/assets\//;

/** Serves `public/` as it stands, with the tags, cache headers and redirects that assets have. */
export function mountDocs(app: Hono<HttpEnv>): void {
  app.get('/', (c) => {
    c.set('route', '/');
    return c.redirect('/docs/');
  });
  for (const { path, policy, ...page } of PAGES) {
    app.get(path, policy, async (c) => {
      c.set('route', path);
      const asset = await assetOf(c, 'asset' in page ? page.asset : null);
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

/** A page where a browser asks for one. */
async function notFound(c: Context<HttpEnv>): Promise<Response> {
  const page = c.req.header('Accept')?.includes('text/html') === true ? await assetOf(c, '/docs/404') : null;
  if (page?.ok !== true) throw new DomainError('not_found', 'There is nothing at this path.');
  return c.newResponse(page.body, 404, Object.fromEntries(page.headers));
}
