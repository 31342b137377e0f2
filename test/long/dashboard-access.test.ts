import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { goTo, PLACES, settled } from '../../scripts/dashboard/places.ts';
import { axeFindings } from '../support/axe.ts';
import {
  arrowTo,
  askLink,
  expectFocus,
  fillDemo,
  openWindow,
  recommend,
  STEP_MS,
  signIn,
  startDashboard,
  tabTo,
} from '../support/dashboard-window.ts';

const DESKTOP = { width: 1_280, height: 900 };
const TABLET = { width: 768, height: 1_024 };
const PHONE = { width: 360, height: 740 };
/** Enough for every figure to have something in it. */
const TRACES = 2_000;

const { stack, browser, context, page, faults } = await startDashboard({}, { viewport: DESKTOP, colorScheme: 'light' });
const organisationUrl = await fillDemo(stack, TRACES);
await signIn(page, stack.sign_in_url);
await recommend(page, 'Where source is ads, fewer subscribed.');

/** Every picture of numbers, and whether the same numbers stand beside it as text. */
const WITHOUT_TABLE = `[...document.querySelectorAll('svg[role="img"]')].filter((picture) => {
  const figure = picture.closest('figure');
  return !figure?.querySelector('table') && !picture.closest('td');
}).map((picture) => picture.getAttribute('aria-label'))`;

describe.each(PLACES)('$name', (place) => {
  it('has nothing that axe finds, light on a desktop and dark on a phone, and is never wider than the window', async () => {
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'light' });
    await goTo(page, organisationUrl, place);
    const closed = page.getByRole('button', { name: 'Show table' });
    // A key: on a tablet's width, a record lies over the list.
    while ((await closed.count()) > 0) await closed.first().press('Enter');
    expect(await page.evaluate(WITHOUT_TABLE)).toEqual([]);
    expect(await axeFindings(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
    for (const size of [TABLET, PHONE]) {
      await page.setViewportSize(size);
      const width = () => page.evaluate('document.documentElement.scrollWidth');
      await expect.poll(width, { timeout: STEP_MS }).toBe(size.width);
    }
    expect(await axeFindings(page)).toEqual([]);
  });
});

/** By the keyboard alone. In this order: each goes on where the one before ended. */
describe('without a mouse, and seeing where the focus is', () => {
  const open = async (screen: string) => {
    await page.goto(`${organisationUrl}/${screen}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
  const enter = async (target: Locator) => {
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  const dialog = () => page.getByRole('dialog');
  /** What the API has of it now. */
  const read = async <T>(path: string): Promise<T> => {
    const url = organisationUrl.replace(stack.dashboard_url, `${stack.dashboard_url}/api`);
    return (await (await context.request.get(`${url}/v1/${path}`)).json()) as T;
  };

  beforeAll(async () => {
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('a person signs in by a link, skips to the content, and goes to another screen', async () => {
    const other = await openWindow(browser, { viewport: DESKTOP });
    await other.page.goto(await askLink(stack, 'you@example.com'));
    await expectFocus(other.page, other.page.getByRole('button', { name: /^Sign in as/ }));
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('heading', { level: 1 }).waitFor();
    await tabTo(other.page, other.page.getByRole('link', { name: 'Skip to content' }), 3);
    await other.page.keyboard.press('Enter');
    await expectFocus(other.page, other.page.getByRole('main'));
    await tabTo(other.page, other.page.getByRole('link', { name: 'Log', exact: true }));
    await other.page.keyboard.press('Enter');
    await other.page.getByRole('heading', { level: 1, name: 'Log' }).waitFor();
    expect(other.faults).toEqual([]);
    await other.context.close();
  });

  it('overview: the table behind the bars', async () => {
    await open('overview');
    await enter(button('Show table'));
    await page.getByRole('columnheader', { name: 'Day' }).waitFor();
    await expectFocus(page, button('Hide table'));
    expect(await page.getByRole('row').count()).toBe(31);
  });

  it('try it: an address is judged and blocked', async () => {
    await open('try');
    await tabTo(page, page.getByLabel('Email address'));
    await page.keyboard.type('jane.doe@gmial.com');
    await page.keyboard.press('Enter');
    await enter(button('Block address'));
    await page.getByText('Added to your block list.').waitFor();
    expect(await read('addresses/blocklist')).toMatchObject({ count: 1 });
  });

  it('lists: a file is chosen, started and fetched', async () => {
    // A tab of its own: after many screens in one tab, Chromium opens no file chooser that a test could answer.
    const tab = await context.newPage();
    const press = async (target: Locator) => {
      await tabTo(tab, target);
      await tab.keyboard.press('Enter');
    };
    const choosing = tab.waitForEvent('filechooser');
    await tab.goto(`${organisationUrl}/lists`);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    await settled(tab);
    await press(tab.getByRole('button', { name: 'New list' }).or(tab.locator('.dropzone')).first());
    if ((await tab.getByRole('dialog').count()) > 0) await press(tab.getByRole('dialog').locator('.dropzone'));
    const buffer = Buffer.from('name,email\nAda,ada@business.test\nGrace,grace@null-mx.test\n');
    await (await choosing).setFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer });
    await press(tab.getByRole('button', { name: 'Upload 1 file' }));
    await press(tab.getByRole('button', { name: /^Start/ }));
    const downloading = tab.waitForEvent('download');
    await press(tab.getByRole('link', { name: 'Download all' }));
    expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);
    await tab.close();
  });

  it('log: a record is opened, the next one read, an outcome reported; closing it leads back to its row', async () => {
    await open('log?kind=verify');
    const [first, second] = [1, 2].map((at) => page.getByRole('row').nth(at).getByRole('link'));
    if (first === undefined || second === undefined) throw new Error('the log has no two rows');
    await enter(first);
    const part = page.getByRole('region', { name: 'Outcome' });
    await part.waitFor();
    const url = page.url();
    await page.keyboard.press('j');
    await page.waitForURL((next) => next.href !== url);
    await page.getByText(new URL(page.url()).searchParams.get('trace') ?? '').waitFor();
    const choice = part.getByRole('combobox', { name: 'Report outcome' });
    await tabTo(page, choice);
    const choose = async () => {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      return choice.inputValue();
    };
    await expect.poll(choose, { timeout: STEP_MS }).not.toBe('');
    const outcome = (await choice.inputValue()).toLowerCase().replace(' ', '_');
    await enter(part.getByRole('button', { name: 'Report' }));
    await part.getByText('reported').waitFor();
    await page.keyboard.press('Escape');
    await part.waitFor({ state: 'detached' });
    await expectFocus(page, second);
    const { traces } = await read<{ traces: { trace_id: string }[] }>('traces?kind=verify&limit=2');
    expect(await read(`traces/${traces[1]?.trace_id}`)).toMatchObject({ trace: { outcome: { outcome } } });
  });

  it('log: a chart is read day by day, and a term taken out of it', async () => {
    await open('log');
    const chart = page.getByRole('application').first();
    await tabTo(page, chart);
    await page.keyboard.press('ArrowRight');
    await page.locator('.recharts-tooltip-wrapper').filter({ visible: true }).first().waitFor();
    const term = page.getByRole('group', { name: 'Shown' }).getByRole('button').first();
    await enter(term);
    await expect.poll(() => term.getAttribute('aria-pressed'), { timeout: STEP_MS }).toBe('false');
  });

  it('the command menu leads to a screen, and ? shows the keys', async () => {
    await open('overview');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search', { exact: true }).waitFor();
    await page.keyboard.type('segm');
    await page.locator('.mantine-Spotlight-action[data-selected]', { hasText: 'Segments' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Segments', selected: true }).waitFor();
    await page.keyboard.press('Shift+?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.waitFor();
    expect(await keys.getByRole('row').count()).toBeGreaterThan(3);
    await page.keyboard.press('Escape');
  });

  it('policy: a kind of address is switched, a limit moved, a rule moved, and all of it saved', async () => {
    await open('policy');
    await tabTo(page, page.getByRole('combobox', { name: 'Free mailboxes' }));
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor();
    // The list notes its present choice by a timer of 0 ms: a key before it counts from nowhere.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    const another = page.locator('[role="option"][data-combobox-selected][aria-selected="false"]');
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown');
        return another.count();
      })
      .toBe(1);
    await page.keyboard.press('Enter');
    await page.getByText('Unsaved changes.').waitFor();
    await tabTo(page, page.getByRole('switch', { name: 'Also decide by bounce risk' }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByRole('slider', { name: 'Review from' }));
    await page.keyboard.press('ArrowRight');
    await enter(page.getByRole('tab', { name: 'Switches' }));
    await page.keyboard.press('ArrowRight');
    const handle = button(/^Move /).first();
    await tabTo(page, handle);
    for (const key of ['Space', 'ArrowDown', 'Space']) {
      await page.keyboard.press(key);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    }
    await enter(button(/^Save as version/));
    await page.getByText('Unsaved changes.').waitFor({ state: 'detached' });
    expect(await read('policies/default')).toMatchObject({ policy: { version: 4 } });
  });

  it('rules: an address is added, and the focus is back on the button', async () => {
    await open('rules');
    await enter(button('Add entries').first());
    await expectFocus(page, dialog().getByLabel('Domains and addresses', { exact: true }));
    await page.keyboard.type('keyboard.example');
    await enter(dialog().getByRole('button', { name: 'Block', exact: true }));
    await dialog().getByText('1 added.').waitFor();
    await enter(dialog().getByRole('button', { name: 'Done' }));
    await dialog().waitFor({ state: 'detached' });
    await expectFocus(page, button('Add entries').first());
    expect(await read('domains/blocklist?search=keyboard.example')).toMatchObject({
      entries: [{ domain: 'keyboard.example' }],
    });
  });

  it('learning: every picture’s table', async () => {
    await open('learning');
    const closed = button('Show table');
    await closed.first().waitFor();
    for (let left = await closed.count(); left > 0; left -= 1) await enter(closed.first());
    expect(await page.getByRole('button', { name: 'Hide table' }).count()).toBe(await page.getByRole('figure').count());
  });

  it('keys: one is made, kept and revoked', async () => {
    await open('keys');
    await enter(button('Create key').first());
    await expectFocus(page, dialog().getByLabel('Name'));
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await tabTo(page, dialog().getByLabel('I’ve saved it'));
    await page.keyboard.press('Space');
    await enter(dialog().getByRole('button', { name: 'Done' }));
    await dialog().waitFor({ state: 'detached' });
    await expectFocus(page, button('Create key').first());
    const change = button('Actions for By keyboard');
    await enter(change);
    await arrowTo(page, page.getByRole('menuitem', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await enter(dialog().getByRole('button', { name: 'Revoke' }));
    await page
      .getByText(/^Revoked/)
      .first()
      .waitFor();
    const { keys } = await read<{ keys: { name: string; revoked_at: number | null }[] }>('keys');
    expect(keys.find(({ name }) => name === 'By keyboard')?.revoked_at).not.toBeNull();
  });

  it('connections: a service is connected', async () => {
    await open('connections');
    await enter(button('Add connection').first());
    await tabTo(page, dialog().getByRole('radio').first());
    await arrowTo(page, dialog().getByRole('radio', { name: 'Mailgun' }));
    await tabTo(page, dialog().getByLabel('HTTP webhook signing key'));
    await page.keyboard.type('0123456789abcdef0123456789abcdef');
    await page.keyboard.press('Enter');
    await enter(dialog().getByRole('button', { name: 'Done' }));
    await page.getByRole('article', { name: 'Mailgun' }).waitFor();
    await expectFocus(page, button('Add connection').first());
    const { connections } = await read<{ connections: { kind: string }[] }>('connections');
    expect(connections.map(({ kind }) => kind)).toContain('mailgun');
  });

  it('members: a colleague is invited', async () => {
    await open('members');
    await enter(button('Invite'));
    await expectFocus(page, dialog().getByLabel('Email address'));
    await page.keyboard.type('grace@business.example');
    await page.keyboard.press('Enter');
    await enter(dialog().getByRole('button', { name: 'Done' }));
    await page.getByText('grace@business.example').waitFor();
    await expectFocus(page, button('Invite'));
    const { invitations } = await read<{ invitations: { email: string }[] }>('invitations');
    expect(invitations.map(({ email }) => email)).toContain('grace@business.example');
  });

  it('settings: the organisation is renamed', async () => {
    await open('settings');
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /^By keyboard/ })
      .first()
      .waitFor();
    expect(await read('organisation')).toMatchObject({ organisation: { name: 'By keyboard' } });
  });
});

it('no place has thrown, or met its content security policy', () => {
  expect(faults).toEqual([]);
});
