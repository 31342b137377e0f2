import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../src/contract/error.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const PUBLIC = join(import.meta.dirname, '../../public');
const page = readFileSync(join(PUBLIC, 'docs.html'), 'utf8');
const PAGE_FILES = Array.from(page.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g), ([, path]) => path ?? '');

describe('without a key', () => {
  it('/openapi.json is the committed document', async () => {
    const response = await service.request('/openapi.json');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('etag')).not.toBeNull();
    expect(await response.text()).toBe(readFileSync(join(PUBLIC, 'openapi.json'), 'utf8'));
  });

  it('/docs is a page, and every file it names is there', async () => {
    const response = await service.request('/docs');
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await response.text()).toBe(page);
    expect(PAGE_FILES.length).toBeGreaterThan(2);
    for (const path of PAGE_FILES) expect((await service.request(path)).status, path).toBe(200);
  });

  it('/docs/ leads to /docs', async () => {
    const response = await service.request('/docs/', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([307, '/docs']);
  });

  it.each(['/docs', '/docs/page.js', '/openapi.json'])(
    '%s has the headers of every answer, and may load nothing from elsewhere',
    async (path) => {
      const { headers } = await service.request(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/https?:|\*|unsafe-/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-trace-id')).toMatch(/^rq_/);
    },
  );
});

describe('what is not there', () => {
  it.each(['/docs/nothing', '/docs/..%2fdocs.html', '/docs.html', '/docs/a/b'])('%s is 404', async (path) => {
    const { status, body } = await service.call('GET', path, null);
    expect([status, ErrorEnvelope.parse(body).error.code]).toEqual([404, 'not_found']);
  });

  it.each(['/openapi.json', '/docs', '/docs/', '/docs/page.js'])('another method on %s is 405', async (path) => {
    const { status, headers, body } = await service.call('POST', path, null, {});
    expect([status, headers.get('allow'), body.error.code]).toEqual([405, 'GET', 'method_not_allowed']);
  });
});
