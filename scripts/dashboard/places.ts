import type { Locator, Page } from 'playwright-core';

/** A screen in one of its states, as a person comes there. What is looked for has its role and its name. */
export interface Place {
  readonly name: string;
  /** Below the organisation's address; with a slash before it, below the dashboard's. */
  readonly path: string;
  /** What is done there. */
  readonly open?: (page: Page) => Promise<unknown>;
  /** Stands there once it is filled. */
  readonly shows: (page: Page) => Locator;
}

const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).first();
const dialogOf = (page: Page): Locator => page.getByRole('dialog');

/** What a menu's button leads to. */
const choose = (menu: RegExp, item: string) => async (page: Page) => {
  await button(page, menu).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** Every screen of an organisation that `npm run demo` has filled, with what opens on it. */
export const PLACES: readonly Place[] = [
  // These two need a sign-in of the last minutes, so they come first.
  {
    name: 'account-app',
    path: '/account',
    async open(page) {
      await button(page, 'Set up').click();
      await dialogOf(page).getByRole('button', { name: 'Continue' }).click();
    },
    shows: (page) => dialogOf(page).getByRole('img', { name: /^QR code/ }),
  },
  { name: 'settings-delete', path: 'settings', open: (page) => button(page, 'Delete…').click(), shows: dialogOf },
  { name: 'overview', path: 'overview', shows: (page) => page.getByRole('application').first() },
  { name: 'try', path: 'try', shows: (page) => button(page, 'Check') },
  {
    name: 'try-answer',
    path: 'try',
    async open(page) {
      await page.getByLabel('Email address').fill('jane.doe@gmial.com');
      await page.getByLabel('Name (optional)').fill('Jane Doe');
      await page.keyboard.press('Enter');
    },
    shows: (page) => page.getByRole('region', { name: 'As code' }),
  },
  {
    name: 'lists',
    path: 'lists',
    shows: (page) => page.getByRole('link', { name: 'Newsletter, autumn', exact: true }),
  },
  {
    name: 'list',
    path: 'lists',
    open: (page) => page.getByRole('link', { name: 'Newsletter, autumn', exact: true }).click(),
    shows: (page) => page.getByRole('link', { name: 'Download all' }),
  },
  {
    name: 'list-details',
    path: 'lists',
    async open(page) {
      await page.getByRole('link', { name: 'Newsletter, autumn', exact: true }).click();
      await button(page, 'Breakdown').click();
      await button(page, 'First rows').click();
    },
    shows: (page) => page.getByRole('table', { name: 'First rows' }),
  },
  { name: 'list-new', path: 'lists?new=file', shows: dialogOf },
  {
    name: 'list-before-start',
    path: 'lists?new=file',
    async open(page) {
      await page.getByRole('tab', { name: 'Paste' }).click();
      await page.getByLabel('Addresses').fill('ada@business.test\ngrace@gmail.com');
      await button(page, /^Continue with/).click();
    },
    shows: (page) => button(page, /^Start/),
  },
  { name: 'log', path: 'log', shows: (page) => page.getByRole('row').nth(5) },
  {
    name: 'log-one',
    path: 'log?decision=deny',
    open: (page) => page.getByRole('row').nth(1).getByRole('link').click(),
    shows: (page) => page.getByRole('region', { name: 'Outcome' }),
  },
  {
    name: 'log-filters',
    path: 'log',
    open: (page) => button(page, 'Filters').click(),
    shows: (page) => page.getByLabel('Domain', { exact: true }),
  },
  { name: 'log-screenings', path: 'log?view=screenings', shows: (page) => page.getByRole('row').nth(5) },
  {
    name: 'log-screening',
    path: 'log?view=screenings&recommendation=review',
    open: (page) => page.getByRole('row').nth(1).getByRole('link').click(),
    shows: (page) => page.getByRole('region', { name: 'Why' }),
  },
  { name: 'policy', path: 'policy', shows: (page) => page.getByRole('combobox', { name: 'Free mailboxes' }) },
  { name: 'policy-rules', path: 'policy?view=rules', shows: (page) => page.getByRole('listitem').first() },
  {
    name: 'policy-draft',
    path: 'policy',
    async open(page) {
      await page.getByRole('combobox', { name: 'Free mailboxes' }).click();
      await page.getByRole('option', { name: 'Challenge' }).click();
      await button(page, 'Preview impact').click();
    },
    shows: (page) => page.getByText(/^Would have changed/),
  },
  {
    name: 'policy-rule',
    path: 'policy?view=rules',
    open: (page) => button(page, /^Edit /).click(),
    shows: dialogOf,
  },
  {
    name: 'policy-rule-new',
    path: 'policy?view=rules',
    open: (page) => button(page, 'Add rule').click(),
    shows: dialogOf,
  },
  {
    name: 'policy-json',
    path: 'policy?view=json',
    shows: (page) => page.getByRole('textbox', { name: 'Policy as JSON' }),
  },
  { name: 'policy-experiments', path: 'policy?view=experiments', shows: (page) => page.getByRole('table').first() },
  {
    name: 'policy-versions',
    path: 'policy?view=versions',
    open: (page) => button(page, 'What changed').click(),
    shows: (page) => page.getByText(/^Version \d+ to \d+/),
  },
  { name: 'rules', path: 'rules', shows: (page) => page.getByRole('row').nth(1) },
  { name: 'rules-add', path: 'rules', open: (page) => button(page, 'Add entries').click(), shows: dialogOf },
  {
    name: 'rules-remove',
    path: 'rules',
    open: (page) => button(page, /^Remove /).click(),
    shows: dialogOf,
  },
  { name: 'learning', path: 'learning', shows: (page) => page.getByRole('img', { name: /^Reliability/ }) },
  { name: 'learning-segments', path: 'learning?view=segments', shows: (page) => page.getByRole('row').nth(1) },
  {
    name: 'learning-adopt',
    path: 'learning?view=segments',
    open: (page) => button(page, 'Try as experiment').click(),
    shows: dialogOf,
  },
  { name: 'keys', path: 'keys', shows: (page) => page.getByRole('row').nth(1) },
  { name: 'keys-create', path: 'keys', open: (page) => button(page, 'Create key').click(), shows: dialogOf },
  { name: 'keys-rename', path: 'keys', open: choose(/^Actions for/, 'Edit'), shows: dialogOf },
  { name: 'keys-rotate', path: 'keys', open: choose(/^Actions for/, 'Rotate secret'), shows: dialogOf },
  { name: 'keys-revoke', path: 'keys', open: choose(/^Actions for/, 'Revoke'), shows: dialogOf },
  { name: 'connections', path: 'connections', shows: (page) => page.getByRole('article').first() },
  {
    name: 'connections-new',
    path: 'connections',
    open: (page) => button(page, 'Add connection').click(),
    shows: dialogOf,
  },
  {
    name: 'connections-steps',
    path: 'connections',
    open: choose(/^Actions for/, 'Setup'),
    shows: dialogOf,
  },
  {
    name: 'connections-secret',
    path: 'connections',
    open: choose(/^Actions for/, 'Change secret'),
    shows: dialogOf,
  },
  { name: 'connections-remove', path: 'connections', open: choose(/^Actions for/, 'Disconnect'), shows: dialogOf },
  { name: 'members', path: 'members', shows: (page) => page.getByRole('row').nth(1) },
  { name: 'members-invite', path: 'members', open: (page) => button(page, 'Invite').click(), shows: dialogOf },
  { name: 'members-remove', path: 'members', open: choose(/^Actions for Alan/, 'Remove'), shows: dialogOf },
  { name: 'settings', path: 'settings', shows: (page) => button(page, 'Delete…') },
  {
    name: 'settings-alerts',
    path: 'settings?part=alerts',
    shows: (page) => page.getByRole('combobox', { name: 'Recipients' }),
  },
  { name: 'settings-mistakes', path: 'settings?part=mistakes', shows: (page) => button(page, 'Save') },
  { name: 'settings-privacy', path: 'settings?part=privacy', shows: (page) => page.getByText('Always').first() },
  {
    name: 'command-menu',
    path: 'overview',
    open: (page) => page.keyboard.press('Control+k'),
    shows: (page) => page.getByPlaceholder('Search', { exact: true }),
  },
  { name: 'keyboard', path: 'overview', open: (page) => page.keyboard.press('Shift+?'), shows: dialogOf },
  {
    name: 'learning-import',
    path: 'learning',
    open: (page) => button(page, 'Import outcomes').click(),
    shows: dialogOf,
  },
  { name: 'settings-leave', path: 'settings', open: (page) => button(page, 'Leave…').click(), shows: dialogOf },
  { name: 'audit', path: 'audit', shows: (page) => page.getByRole('row').nth(1) },
  { name: 'operator', path: '/operator', shows: (page) => page.getByRole('table').first() },
  {
    name: 'account-menu',
    path: 'overview',
    async open(page) {
      // On a phone it stands in the menu.
      const menu = button(page, 'Open the menu');
      if (await menu.isVisible()) await menu.click();
      await button(page, 'you@example.com').click();
    },
    shows: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
  },
  // An invitation that is none shows all that the person has.
  { name: 'welcome', path: '/invitations/none', shows: (page) => page.getByText('Your organisations') },
  { name: 'account', path: '/account', shows: (page) => button(page, 'Sign out') },
  { name: 'sign-in', path: '/sign-in', shows: (page) => page.getByLabel('Email address') },
  {
    name: 'sign-in-asked',
    path: '/sign-in',
    async open(page) {
      // Each time another one: a mailbox gets a few links, then none for a while.
      await page.getByLabel('Email address').fill(`person-${Date.now()}@business.test`);
      await page.keyboard.press('Enter');
    },
    shows: (page) => page.getByText('we’ve sent a link'),
  },
  { name: 'sign-in-used', path: '/sign-in/link#used', shows: (page) => page.getByText('This link was used') },
  { name: 'lost', path: '/nowhere', shows: (page) => page.getByText('Page not found') },
];

/** A person's way to a place, until all of it stands there. */
export async function goTo(page: Page, organisationUrl: string, { path, open, shows }: Place): Promise<void> {
  // A hash alone would not load the page again.
  await page.goto('about:blank');
  await page.goto(path.startsWith('/') ? new URL(path, organisationUrl).href : `${organisationUrl}/${path}`);
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('main')).first().waitFor();
  await settled(page);
  await open?.(page);
  await shows(page).waitFor();
  await settled(page);
}

/** Nothing on the page waits for data. */
export const settled = (page: Page): Promise<void> =>
  page.locator('[aria-busy="true"], [aria-label="Loading"]').first().waitFor({ state: 'detached' });
