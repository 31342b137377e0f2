import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { describe, expect, it } from 'vitest';
import { CALLS } from '../../docs/.vitepress/api/document.ts';
import { SIDEBAR } from '../../docs/.vitepress/sidebar.ts';
import { DOCUMENTED } from '../../scripts/openapi/document.ts';
import { operationIdOf } from '../../scripts/openapi/operation-ids.ts';
import { ErrorCode, ErrorEnvelope } from '../../src/contract/error.ts';
import { startService } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const PUBLIC = join(ROOT, 'public');
const service = await startService();

const pagesOf = (): string[] => globSync('docs/**/*.html', { cwd: PUBLIC }).sort();
const textOf = (page: string): string => readFileSync(join(PUBLIC, page), 'utf8');
const addressesIn = (html: string): string[] =>
  Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), ([, url]) => url ?? '');

describe('without a key', () => {
  it('/ sends a browser to the documentation', async () => {
    const { status, headers } = await service.request('/', { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, '/docs/']);
    expect((await service.request('/docs', { redirect: 'manual' })).headers.get('location')).toBe('/docs/');
  });

  it('/openapi.json is the committed document', async () => {
    const response = await service.request('/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('etag')).not.toBeNull();
    expect(await response.text()).toBe(readFileSync(join(PUBLIC, 'openapi.json'), 'utf8'));
  });

  it('/llms.txt names every page, each as Markdown', async () => {
    const text = await (await service.request('/llms.txt')).text();
    const named = Array.from(text.matchAll(/\]\((\/docs\/[^)]+)\)/g), ([, path]) => path ?? '');
    expect(named.map((path) => path.slice(1)).sort()).toEqual(globSync('docs/**/*.md', { cwd: PUBLIC }).sort());
    for (const path of named) expect(await (await service.request(path)).text(), path).toMatch(/^# /m);
  });

  it.each(['/docs/', '/docs/evidence', '/docs/api/', '/docs/api/verify-email', '/docs/icon.svg', '/openapi.json'])(
    '%s has the headers of every answer, and may load nothing from elsewhere',
    async (path) => {
      const { status, headers } = await service.request(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(status).toBe(200);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/https?:|\*|unsafe-|sha256-|blob:/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-trace-id')).toMatch(/^rq_/);
    },
  );

  it('files that are named by what they hold are kept for good, pages are asked for again', async () => {
    const [file = ''] = globSync('docs/assets/app.*.js', { cwd: PUBLIC });
    expect((await service.request(`/${file}`)).headers.get('cache-control')).toContain('immutable');
    expect((await service.request('/docs/evidence')).headers.get('cache-control')).toContain('must-revalidate');
  });
});

describe('the pages', () => {
  it('have no script and no style of their own: the policy would refuse both', () => {
    const pages = pagesOf();
    expect(pages.length).toBeGreaterThan(30);
    for (const page of pages) {
      const html = textOf(page);
      expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>|<style|\sstyle="|\son[a-z]+="/g), page).toBeNull();
      expect(
        addressesIn(html).filter((url) => /^(?:https?:)?\/\//.test(url) && html.includes(`src="${url}"`)),
        page,
      ).toEqual([]);
    }
  });

  it('lead only to what is there, to its part too', async () => {
    const ids = new Map(
      pagesOf().map((page) => [page, new Set(Array.from(textOf(page).matchAll(/\sid="([^"]+)"/g), ([, id]) => id))]),
    );
    const broken: string[] = [];
    // Every page has the same column of links.
    const statuses = new Map<string, Promise<number>>();
    const statusOf = async (path: string): Promise<number> => {
      const answer = await service.request(path);
      await answer.body?.cancel();
      return answer.status;
    };
    for (const page of pagesOf().filter((each) => each !== 'docs/404.html')) {
      const base = new URL(`http://service/${page.replace(/(?:index)?\.html$/, '')}`);
      for (const address of addressesIn(textOf(page))) {
        const { origin, pathname, hash } = new URL(address.replaceAll('&amp;', '&'), base);
        if (origin !== base.origin) continue;
        const status = statuses.get(pathname) ?? statusOf(pathname);
        statuses.set(pathname, status);
        const file = pathname
          .slice(1)
          .replace(/\/$/, '/index.html')
          .replace(/(^|\/)([^./]+)$/, '$1$2.html');
        const part = decodeURIComponent(hash.slice(1));
        if ((await status) !== 200 || (part !== '' && ids.get(file)?.has(part) !== true))
          broken.push(`${page}: ${address}`);
      }
    }
    expect(broken).toEqual([]);
  }, 120_000);

  it('have one page for each operation of the API, with samples where a reader may call it', () => {
    expect(new Set(CALLS.map(({ operationId }) => operationId))).toEqual(
      new Set(DOCUMENTED.map(([id, route]) => operationIdOf(id, route))),
    );
    for (const { page, method, path, 'x-codeSamples': samples } of CALLS) {
      const text = textOf(`docs/api/${page}.md`);
      expect(text).toContain(`\`${method.toUpperCase()} ${path}\``);
      expect([...text.matchAll(/^```\w+ \[(\w+)\]$/gm)].map(([, label]) => label)).toEqual(
        samples?.map(({ label }) => label) ?? [],
      );
    }
  });

  it('are each of one of the four kinds', () => {
    const linksOf = ({ link, items = [] }: DefaultTheme.SidebarItem): string[] => [
      ...(link === undefined ? [] : [link]),
      ...items.flatMap(linksOf),
    ];
    const links = SIDEBAR.flatMap(linksOf);
    const expected = globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/api/**'] }).map((file) => {
      const name = file.slice('docs'.length, -'.md'.length);
      return name.endsWith('/index') ? `${dirname(name).replace(/\/$/, '')}/` : name;
    });
    expect(new Set(links)).toEqual(new Set([...expected, '/api/']));
    expect(links).toHaveLength(new Set(links).size);
  });
});

it('each error code has its part of the errors page, and an error leads there', async () => {
  const page = textOf('docs/errors.html');
  for (const code of ErrorCode.options) expect(page).toContain(`id="${code}"`);
  const { headers } = await service.request('/v1/me');
  expect(headers.get('link')).toBe('</docs/errors#unauthorized>; rel="help"');
});

describe('what is not there', () => {
  it.each(['/docs/nothing', '/docs/..%2fopenapi.json', '/docs.html', '/docs/a/b', '/docs/api/nothing'])(
    '%s is 404',
    async (path) => {
      const { status, body } = await service.call('GET', path, null);
      expect([status, ErrorEnvelope.parse(body).error.code]).toEqual([404, 'not_found']);
    },
  );

  it('is a page where a browser asks', async () => {
    const response = await service.request('/docs/nothing', { headers: { accept: 'text/html,*/*' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      expect.stringMatching(/^text\/html/),
    ]);
  });

  it.each(['/', '/openapi.json', '/llms.txt', '/docs', '/docs/', '/docs/evidence', '/docs/icon.svg'])(
    'another method on %s is 405',
    async (path) => {
      const { status, headers, body } = await service.call('POST', path, null, {});
      expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'GET', 'method_not_allowed']);
    },
  );
});
