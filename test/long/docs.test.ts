import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '../../docs/.vitepress/api/document.ts';
import { openChromium } from '../../scripts/dashboard/chromium.ts';
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
      if (message.type() === 'error') faults.push(message.text());
    });
    const isHere = (url: string) =>
      url.startsWith('blob:') || url.startsWith('data:') || url.startsWith(stack.base_url);
    page.on('requestfinished', (request) => void (isHere(request.url()) || left.push(request.url())));
    page.on('requestfailed', (request) => {
      (isHere(request.url()) ? faults : left).push(request.url());
    });
    await page.goto(`${stack.base_url}${path}`, { waitUntil: 'networkidle' });
    return { page, faults, left };
  }

  describe.each(WIDTHS)('on %s', (_, width) => {
    it.each([
      ['/docs/', 'light'],
      ['/docs/start/signup-form', 'dark'],
      ['/docs/reference/verification', 'light'],
      ['/docs/evidence', 'dark'],
      ['/docs/api/', 'light'],
      ['/docs/api/decide-signup', 'dark'],
      ['/docs/api/export-address', 'light'],
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

  it('a search finds an operation, and leads to its page', async () => {
    const { page } = await openPage('/docs/', 1_440);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByPlaceholder('Search').fill('block domains');
    await page.locator('.VPLocalSearchBox .result[href^="/docs/api/block-domains"]').first().click();
    await page.waitForURL((url) => url.pathname === '/docs/api/block-domains');
    // The address changes before the page does.
    await page.getByRole('heading', { level: 1, name: 'Block domains' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/api/block-domains');
    await page.close();
  });

  it('a page can be copied as Markdown, and its samples take the test key that was pasted once', async () => {
    const { page, faults } = await openPage('/docs/start/read-the-number', 1_440);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# Read the number\n/);
    await page.getByLabel('Your test key, for the samples').fill(stack.keys.test);
    const sample = page.locator('.language-sh code').first();
    await expect.poll(() => sample.textContent()).toContain(`Bearer ${stack.keys.test}`);
    expect(await sample.textContent()).toContain(`"${stack.base_url}/v1/verify"`);
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('link', { name: 'Verify email', exact: true }).first().click();
    await expect.poll(() => page.locator('.api-samples').textContent()).toContain(stack.keys.test);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('a search ranks guides before calls, and leaves decisions out', async () => {
    const { page } = await openPage('/docs/', 1_440);
    await page.getByRole('button', { name: 'Search' }).first().click();
    await page.getByPlaceholder('Search').fill('signup');
    await page.locator('.VPLocalSearchBox .result').first().waitFor();
    const links = await page
      .locator('.VPLocalSearchBox .result')
      .evaluateAll((results) => results.map((each) => each.getAttribute('href') ?? ''));
    expect(links[0]).toMatch(/^\/docs\/(?:start|guides)\//);
    expect(links.filter((link) => /\/docs\/(?:decisions|costs|proof)/.test(link))).toEqual([]);
    await page.close();
  });

  describe('the form of a call', () => {
    /** The page of a call with its form open. */
    async function openForm(operation: string) {
      const call = CALLS.find(({ operationId }) => operationId === operation);
      const opened = await openPage(`/docs/api/${call?.page}`, 1_440);
      await opened.page.getByText('Try it here').click();
      return opened;
    }
    const KEY = 'Test key (evk_test_…)';

    it('sends what is filled in with a test key, which stays in memory: a reload forgets it', async () => {
      const { page, faults, left } = await openForm('verifyEmail');
      await page.getByLabel(KEY).fill(stack.keys.test);
      await page.getByRole('textbox', { name: 'Body' }).fill('{"email":"undeliverable@example.com"}');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('"verdict": "invalid"').waitFor();
      expect(await page.locator('.try-title').textContent()).toMatch(/^200, vr_/);
      const kept = 'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])';
      expect(await page.evaluate(kept)).not.toContain(stack.keys.test);
      // The next page still has it.
      await page.getByRole('link', { name: 'Check email', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Check email' }).waitFor();
      await page.getByText('Try it here').click();
      expect(await page.getByLabel(KEY).inputValue()).toBe(stack.keys.test);
      await page.reload();
      await page.getByText('Try it here').click();
      expect(await page.getByLabel(KEY).inputValue()).toBe('');
      expect({ faults, left }).toEqual({ faults: [], left: [] });
      await page.close();
    });

    it('sends nothing with a live key', async () => {
      const { page } = await openForm('getUsage');
      const sent: string[] = [];
      page.on('request', (request) => sent.push(request.url()));
      await page.getByLabel(KEY).fill(stack.keys.member);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('This page takes test keys alone.').waitFor();
      expect(sent).toEqual([]);
      await page.close();
    });

    it('shows a refusal as it is', async () => {
      const { page } = await openForm('getTrace');
      await page.getByLabel(KEY).fill(stack.keys.test);
      await page.getByLabel('trace_id, required').fill('vr_none');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('"error"').waitFor();
      expect(await page.locator('.try-title').textContent()).toMatch(/^40[04], /);
      await page.close();
    });

    it('is not there where test keys are refused', async () => {
      const { page } = await openPage('/docs/api/create-key', 1_440);
      expect(await page.getByText('Try it here').count()).toBe(0);
      await page.close();
    });
  });
});
