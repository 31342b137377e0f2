import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../../scripts/dashboard/chromium.ts';
import { DOCUMENTED } from '../../scripts/openapi/document.ts';
import { operationIdOf } from '../../scripts/openapi/operation-ids.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

const WIDTHS = [
  ['a desktop', 1_440],
  ['a tablet', 768],
  ['a phone', 360],
] as const;

describe('the documentation in Chromium', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    [stack, browser] = await Promise.all([startTestStack(), openChromium()]);
  });
  afterAll(async () => {
    await browser.close();
    await stack.remove();
  });

  /** The page as it stands when nothing more is loading, and what it did on the way. */
  async function openPage(path: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const faults: string[] = [];
    const left: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // The renderer's mark, which its policy keeps from being asked for.
      if (message.type() === 'error' && !message.text().includes('logo-mini.svg')) faults.push(message.text());
    });
    const isHere = (url: string) =>
      url.startsWith('blob:') || url.startsWith('data:') || url.startsWith(stack.base_url);
    page.on('requestfinished', (request) => void (isHere(request.url()) || left.push(request.url())));
    page.on('requestfailed', (request) => {
      if (!isHere(request.url()) && request.failure()?.errorText !== 'csp') left.push(request.url());
      if (isHere(request.url())) faults.push(request.url());
    });
    await page.goto(`${stack.base_url}${path}`, { waitUntil: 'networkidle' });
    return { page, faults, left };
  }

  /** The renderer takes its time over a document of this size. */
  const shownOperations = async (page: Page) => {
    const operations = page.locator('[id*="/operation/"]');
    await operations.nth(DOCUMENTED.length - 1).waitFor({ state: 'attached', timeout: 60_000 });
    return operations.evaluateAll((shown) => shown.map((one) => one.getAttribute('id') ?? ''));
  };

  describe.each(WIDTHS)('on %s', (_, width) => {
    it.each([
      ['/docs/', 'light'],
      ['/docs/start/signup-form', 'dark'],
      ['/docs/answers', 'light'],
      ['/docs/evidence', 'dark'],
    ] as const)(
      '%s, %s, has the width it has, without a fault, and loads nothing from another host',
      async (path, light) => {
        const { page, faults, left } = await openPage(path, width, light);
        expect({ faults, left }).toEqual({ faults: [], left: [] });
        expect(await page.locator('main h1').count()).toBe(1);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await page.close();
      },
    );

    it('the API page shows every operation in the width it has, without a fault, and loads nothing from another host', async () => {
      const { page, faults, left } = await openPage('/docs/api', width);
      const shown = (await shownOperations(page)).map((id) => id.split('/').at(-1));
      expect(new Set(shown)).toEqual(new Set(DOCUMENTED.map(([id, route]) => operationIdOf(id, route))));
      expect({ faults, left }).toEqual({ faults: [], left: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.close();
    });
  });

  it('a search finds a page by its words, and leads there', async () => {
    const { page, faults } = await openPage('/docs/', 1_440);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByPlaceholder('Search').fill('idempotency');
    await page.locator('.VPLocalSearchBox .result').first().click();
    await page.waitForURL((url) => url.pathname !== '/docs/');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('the API page finds what is searched for', async () => {
    const { page } = await openPage('/docs/api', 1_440);
    await shownOperations(page);
    await page.getByRole('textbox').first().fill('blocklist');
    const found = page.locator('[role="search"] [role="menuitem"]', { hasText: 'Block domains' }).first();
    await found.waitFor();
    expect(await found.isVisible()).toBe(true);
    await page.close();
  });
});
