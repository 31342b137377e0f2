import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { openChromium } from '../../scripts/dashboard/chromium.ts';
import { startTestStack, type TestStack, type TestStackOptions } from './stack.ts';

/** Time limit of one page step on a busy machine. */
export const STEP_MS = 60_000;
/** Time limit of a file's setup on a busy machine. */
export const START_MS = 300_000;

export interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Uncaught errors, and violations of the content security policy. */
  readonly faults: readonly string[];
}

/** A window of its own, without animations. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(STEP_MS);
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  context.on('console', (message) => {
    // Tests cause refused calls on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  context.on('dialog', (dialog) => {
    // A draft asks before it is lost; an injected script would call `alert`.
    if (dialog.type() !== 'beforeunload') faults.push(`${dialog.type()}: ${dialog.message()}`);
    void dialog.accept();
  });
  return { context, page: await context.newPage(), faults };
}

export interface StartedDashboard extends Opened {
  readonly stack: TestStack;
  readonly browser: Browser;
}

/** A stack, Chromium and a window that isn't signed in, until the file's tests end. */
export async function startDashboard(
  options: TestStackOptions = {},
  window: BrowserContextOptions = {},
): Promise<StartedDashboard> {
  const [stack, browser] = await Promise.all([startTestStack(options), openChromium()]);
  afterAll(async () => {
    await browser.close();
    await stack.remove();
  });
  const { context, page, faults } = await openWindow(browser, window);
  return { stack, browser, context, page, faults };
}

/** Signs in with a link from the console. */
export async function signIn(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: /^Sign in as/ }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}

/** Waits for the newest sign-in link for this address on the stack's console. */
export async function shownLink(stack: TestStack, email: string): Promise<string> {
  const start = `Sign-in link for ${email}: `;
  const shown = () =>
    stack
      .output()
      .split('\n')
      .findLast((line) => line.startsWith(start));
  await expect.poll(shown, { timeout: STEP_MS, interval: 100 }).toBeDefined();
  return shown()?.slice(start.length) ?? '';
}

/** Requests a sign-in link. Use each address once per test: the newest link is returned. */
export async function askLink(stack: TestStack, email: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin: stack.dashboard_url };
  const body = JSON.stringify({ email });
  const answer = await fetch(`${stack.dashboard_url}/auth/link`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  return shownLink(stack, email);
}

/** Fills an organisation with 90 days of data, as `npm run demo` does. Resolves with its URL. */
export async function fillDemo(stack: TestStack, traces: number): Promise<string> {
  const script = join(import.meta.dirname, '../../scripts/demo.ts');
  const args = [script, '--state', stack.stateDir, '--traces', String(traces)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [, id] = /\/(org_[0-9a-z]{26})\/overview/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`the demo filled nothing:\n${stdout}`);
  return `${stack.dashboard_url}/${id}`;
}

/** Fakes the recommendations: real ones take hundreds of decisions. Resolves with the recommended rule. */
export async function recommend(page: Page, says: string) {
  const rule = { id: 'review_ads', when: { path: 'attributes.source', op: 'eq', value: 'ads' }, decision: 'review' };
  const recommendation = {
    id: 'rec_ads',
    proposed_action: 'review',
    proposed_action_alternatives: ['challenge', 'deny'],
    rule,
    evidence: {
      segment: { 'attributes.source': 'ads' },
      rate: 0.08,
      baseline: 0.2,
      probability: 0.99,
      exposures: 200,
      events: 16,
    },
    cost_note: '200 reviews in the last 90 days.',
    try_as_experiment: { weight: 20, min_sample: 400 },
    says,
  };
  const computedAt = Math.floor(Date.now() / 1000);
  await page.route('**/v1/recommendations?*', (route) =>
    route.fulfill({
      json: { metric: 'subscribed', window_days: 90, computed_at: computedAt, recommendations: [recommendation] },
    }),
  );
  return rule;
}

/** The focused element if neither it nor its stand-in has an outline, else empty. */
const HIDDEN_FOCUS = `(() => {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return '';
  const near = [focused, focused.nextElementSibling, focused.parentElement];
  const isShown = near.some((node) => {
    if (!node) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(node);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  });
  return isShown ? '' : focused.outerHTML.slice(0, 200);
})()`;

const isFocused = async (page: Page, target: Locator): Promise<boolean> =>
  (await target.and(page.locator(':focus')).count()) > 0;

/** Presses Tab until the target has the focus. Every stop on the way must show its focus. */
export async function tabTo(page: Page, target: Locator, most = 150): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < most; presses += 1) {
    if (await isFocused(page, target)) return;
    await page.keyboard.press('Tab');
    expect(await page.evaluate(HIDDEN_FOCUS), 'the focus does not show').toBe('');
  }
  throw new Error(`no Tab leads to ${String(target)}`);
}

/** Presses the down arrow until the target of a menu or group has the focus; it may still be opening. */
export async function arrowTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (const until = Date.now() + STEP_MS; Date.now() < until;) {
    if (await isFocused(page, target)) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`no arrow leads to ${String(target)}`);
}

/** The focus is back where it was before something opened. */
export async function expectFocus(page: Page, target: Locator): Promise<void> {
  await expect.poll(() => isFocused(page, target), { timeout: STEP_MS }).toBe(true);
}
