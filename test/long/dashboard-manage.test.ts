import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import {
  askLink,
  openWindow,
  recommend,
  STEP_MS,
  shownLink,
  signIn,
  startDashboard,
} from '../support/dashboard-window.ts';
import { totpCode } from '../support/totp.ts';

const { stack, browser, page, faults } = await startDashboard({}, { viewport: { width: 1_280, height: 900 } });
await signIn(page, stack.sign_in_url);

/** Rules, connections, members, learning, settings and audit, each by its main job, as an admin in Chromium. */
describe('the dashboard’s screens of what an organisation decides and who is in it', () => {
  const open = async (screen: string) => {
    await page.goto(`${stack.dashboard_url}/${stack.org_id}/${screen}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const read = async <T>(path: string): Promise<T> => (await (await stack.request(path, stack.keys.admin)).json()) as T;
  const dialog = () => page.getByRole('dialog');

  it('rules: lines are added, refused by their number, found, tested, and removed by the keyboard', async () => {
    await open('rules');
    await page.getByRole('button', { name: 'Add entries' }).first().click();
    await dialog()
      .getByLabel('Domains and addresses', { exact: true })
      .fill('email\nspam.example\nada@business.example\nco.uk\nnothing');
    await dialog().getByLabel('Note').fill('<b>Complaints</b>');
    await dialog().getByRole('button', { name: 'Block', exact: true }).click();
    await dialog().getByText('2 added.').waitFor();
    const refused = dialog().getByRole('row').filter({ hasNotText: 'Line' });
    expect((await refused.allInnerTexts()).map((row) => row.split('\t'))).toEqual([
      ['4', 'co.uk', expect.any(String)],
      ['5', 'nothing', expect.any(String)],
    ]);
    await dialog().getByRole('button', { name: 'Done' }).click();

    await page.getByLabel('Search the list').fill('complaints');
    await page
      .getByRole('row', { name: /spam\.example/ })
      .getByText('<b>Complaints</b>')
      .last()
      .waitFor();
    await page.getByLabel('Search the list').fill('no such text');
    await page.getByText('No domains match “no such text”').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();

    await page.getByLabel('Address or domain').fill('eve@mail.spam.example');
    await page.keyboard.press('Enter');
    await page.getByText('Its domain is blocked.').waitFor();

    await page.getByRole('button', { name: 'Remove spam.example' }).focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Remove' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('No blocked domains').waitFor();
    expect(await read('/v1/domains/blocklist')).toMatchObject({ count: 0 });
    expect(await read('/v1/addresses/blocklist')).toMatchObject({ count: 1 });
  });

  it('connections: a service is connected, its secret is never shown again, and it is disconnected', async () => {
    await open('connections');
    await page.getByRole('button', { name: 'Add connection' }).first().click();
    await dialog().getByRole('radio', { name: 'Mailgun' }).click();
    await dialog().getByLabel('HTTP webhook signing key').fill('short');
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    await dialog().getByRole('alert').waitFor();
    const secret = '0123456789abcdef0123456789abcdef';
    await dialog().getByLabel('HTTP webhook signing key').fill(secret);
    await dialog().getByRole('button', { name: 'Connect', exact: true }).click();
    // Until then the code in the dialog is the refusal's id.
    await dialog().getByRole('button', { name: 'Done' }).waitFor();
    const url = await dialog().locator('code').innerText();
    await dialog().getByRole('button', { name: 'Done' }).click();
    await page.getByText('Waiting for the first event').waitFor();
    const { connections } = await read<{ connections: object[] }>('/v1/connections');
    expect(connections).toMatchObject([{ kind: 'mailgun', url }]);
    expect(JSON.stringify(connections) + (await page.content())).not.toContain(secret);

    await page.getByRole('button', { name: 'Actions for Mailgun' }).click();
    await page.getByRole('menuitem', { name: 'Disconnect' }).click();
    await dialog().getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No connections yet').waitFor();
    expect(await read('/v1/connections')).toEqual({ connections: [] });
  });

  it('members: a colleague is invited, and the last admin can neither leave nor become less', async () => {
    await open('members');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog().getByLabel('Email address').fill('grace@business.example');
    await dialog().getByRole('radio', { name: 'Viewer' }).click();
    await dialog().getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await dialog().locator('code').innerText();
    await dialog().getByRole('button', { name: 'Done' }).click();
    const { invitations } = await read<{ invitations: { id: string }[] }>('/v1/invitations');
    expect(invitations).toMatchObject([{ email: 'grace@business.example', role: 'viewer' }]);
    expect(link).toBe(`${stack.dashboard_url}/invitations/${invitations[0]?.id}`);

    await page.getByRole('button', { name: /^Actions for/ }).click();
    for (const name of ['Make viewer', 'Leave'])
      expect(await page.getByRole('menuitem', { name }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await dialog().getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No open invitations').waitFor();
    expect(await read('/v1/invitations')).toEqual({ invitations: [] });
  });

  it('members: who is invited comes in as what they were invited for, and is out once removed', async () => {
    const email = 'katherine@business.example';
    await open('members');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog().getByLabel('Email address').fill(email);
    await dialog().getByRole('radio', { name: 'Viewer' }).click();
    await dialog().getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await dialog().locator('code').innerText();
    await dialog().getByRole('button', { name: 'Done' }).click();

    const guest = await openWindow(browser);
    await guest.page.goto(link);
    await guest.page.getByLabel('Email address').fill(email);
    await guest.page.getByRole('button', { name: 'Email me a link' }).click();
    await guest.page.getByText('Check your email').waitFor();
    await signIn(guest.page, await shownLink(stack, email));
    await guest.page.getByRole('heading', { level: 1, name: 'You are invited' }).waitFor();
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await guest.page.getByRole('link', { name: 'Log', exact: true }).waitFor();
    expect(await guest.page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
    const asGuest = async (path: string) =>
      (await guest.context.request.get(`${stack.dashboard_url}/api/${stack.org_id}/v1/${path}`)).status();
    expect([await asGuest('usage'), await asGuest('keys')]).toEqual([200, 403]);

    await page.reload();
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: `Actions for ${email}` }).waitFor({ state: 'detached' });
    expect(await asGuest('usage')).toBe(404);
    // What lists a person's organisations follows a moment later.
    await expect
      .poll(
        async () => {
          await guest.page.reload();
          const lost = guest.page.getByText('Page not found');
          await lost
            .or(guest.page.getByRole('heading', { level: 1 }))
            .first()
            .waitFor();
          return lost.count();
        },
        { timeout: STEP_MS },
      )
      .toBe(1);
    expect(guest.faults).toEqual([]);
    await guest.context.close();
  });

  it('learning: outcomes become a diagram with its table, and a recommendation an experiment of the policy', async () => {
    await open('learning');
    await page.getByText('Report what happens to your mail').waitFor();
    const outcomes = [];
    for (let place = 0; place < 36; place += 1) {
      const email = `person${place}@business.test`;
      const verified = await stack.request('/v1/verify', stack.keys.admin, { email });
      const { trace_id } = (await verified.json()) as { trace_id: string };
      const bounced = { outcome: 'hard_bounce', smtp_code: '550 5.1.1 User unknown' };
      outcomes.push({ trace_id, ...(place % 12 === 0 ? bounced : { outcome: 'delivered' }) });
    }
    expect((await stack.request('/v1/outcome', stack.keys.admin, { outcomes })).status).toBe(202);
    // A read of traces brings all that waits into Postgres, where the night reads it.
    await stack.request('/v1/traces', stack.keys.admin);
    await stack.cron('17 3 * * *');
    const rule = await recommend(page, 'Where source is <img src=x onerror=alert(1)>, fewer subscribed.');
    await page.reload();
    await page.getByRole('img', { name: /^Reliability diagram/ }).waitFor();
    const figure = page.getByRole('figure').filter({ hasText: 'Points on the dashed line' });
    await figure.getByRole('button', { name: 'Show table' }).click();
    const { bins } = await read<{ bins: unknown[] }>('/v1/calibration');
    expect(await figure.getByRole('row').count()).toBe(bins.length + 1);

    await page.getByRole('tab', { name: 'Segments' }).click();
    await page.getByRole('button', { name: 'Try as experiment' }).click();
    await dialog().getByRole('button', { name: 'Start the experiment' }).click();
    await dialog()
      .getByText(/Version 2 of the policy “default” is live/)
      .waitFor();
    const { policy } = await read<{ policy: { rules: unknown[] } }>('/v1/policies/default');
    const tried = { ...rule, experiment: { id: 'rec_ads', weight: 20, min_sample: 400 } };
    expect(policy.rules).toContainEqual(expect.objectContaining(tried));
  });

  it('settings: name, alerts, losses and retention are saved, and deleting waits for the name', async () => {
    await open('settings');
    await page.getByLabel('Name').fill('Northwind');
    await page.getByRole('button', { name: 'Rename' }).click();
    await page
      .getByRole('button', { name: /Northwind/ })
      .first()
      .waitFor();
    const part = (name: string) => page.getByRole('navigation', { name: 'Settings' }).getByText(name).click();
    await part('Alerts');
    await page.getByRole('checkbox', { name: /^Verifications: email at 80/ }).uncheck();
    await page.getByRole('combobox', { name: 'Recipients' }).click();
    await page.getByRole('option', { name: /you@example\.com/ }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Alerts' }).getByRole('button', { name: 'Save' }).click();
    const off = { of: 'verifications', share: 80, enabled: false };
    const alerts = { alerts: expect.arrayContaining([off]), recipients: [expect.stringMatching(/^u_/)] };
    await expect.poll(() => read('/v1/alerts')).toMatchObject(alerts);
    await part('Costs of mistakes');
    await page.getByLabel('Signup: Sending to a bad address').fill('2.5');
    await page.getByRole('region', { name: 'Costs of mistakes' }).getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Version 1').waitFor();
    await part('Privacy');
    await page.getByLabel('Log, in days', { exact: true }).fill('90');
    await page.getByText(/Older data is deleted tonight/).waitFor();
    await page.getByRole('region', { name: 'Retention' }).getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => read('/v1/retention')).toMatchObject({ retention: { traces: 90 } });
    expect(await read('/v1/organisation')).toMatchObject({ organisation: { name: 'Northwind' } });
    expect(await read('/v1/losses')).toMatchObject({ losses: { version: 1, signup: { bounce: 2.5 } } });

    await part('General');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const remove = dialog().getByRole('button', { name: 'Delete organisation' });
    await dialog().getByLabel(/^Type/).fill('northwind');
    expect(await remove.isDisabled()).toBe(true);
    await dialog().getByLabel(/^Type/).fill('Northwind');
    expect(await remove.isEnabled()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('audit: every change of these screens is there, with who made it', async () => {
    await open('audit');
    await page.getByRole('row').nth(5).waitFor();
    const rows = (await page.getByRole('row').allInnerTexts()).slice(1);
    for (const action of [
      'Costs of mistakes changed',
      'Policy saved',
      'Invitation made',
      'Connection created',
      'Rules added',
    ])
      expect(rows.some((row) => row.includes(action) && row.includes('You'))).toBe(true);
  });

  it('sign-in: once the organisation asks for a second factor, members come in with one alone, or with a backup code', async () => {
    /** On the account page. Resolves with the backup codes. */
    const setUp = async (window: Page) => {
      await window.getByRole('button', { name: 'Set up' }).click();
      const shown = window.getByRole('dialog');
      await shown.getByRole('button', { name: 'Continue' }).click();
      await shown.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
      await shown.getByLabel('Code that the app shows').fill('000000');
      await shown.getByRole('button', { name: 'Turn on' }).click();
      await shown.getByRole('alert').waitFor();
      const key = await shown.getByLabel('Key').innerText();
      await shown.getByLabel('Code that the app shows').fill(await totpCode(key));
      await shown.getByRole('button', { name: 'Turn on' }).click();
      const listed = shown.getByRole('list', { name: 'Backup codes' }).getByRole('listitem');
      await listed.first().waitFor();
      const codes = await listed.allInnerTexts();
      await shown.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
      await window.getByText('On', { exact: true }).waitFor();
      return codes;
    };
    await open('settings');
    const switched = page.getByRole('switch', { name: 'Require a second factor' });
    await expect.poll(() => switched.isDisabled()).toBe(true);
    await page.getByRole('main').getByRole('link', { name: 'Account and security' }).click();
    const backupCodes = await setUp(page);

    const email = 'mary@business.example';
    const headers = { 'content-type': 'application/json', origin: stack.dashboard_url };
    const api = `${stack.dashboard_url}/api/${stack.org_id}/v1`;
    await page.context().request.post(`${api}/invitations`, { headers, data: { email, role: 'member' } });
    const guest = await openWindow(browser);
    await signIn(guest.page, await askLink(stack, email));
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await open('settings');
    await switched.click({ force: true });
    await dialog().getByRole('button', { name: 'Require', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    expect(await read('/v1/organisation')).toMatchObject({ organisation: { second_factor: true } });

    // Also where the page was open before.
    await guest.page.getByRole('link', { name: 'Log', exact: true }).click();
    await guest.page.getByText(/^A second factor is required at/).waitFor();
    await setUp(guest.page);
    await guest.page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await guest.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await guest.context.close();

    const other = await openWindow(browser);
    await other.page.goto(await askLink(stack, 'you@example.com'));
    await other.page.getByRole('button', { name: /^Sign in as/ }).click();
    await other.page.getByLabel('Code').fill('111111');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByRole('alert').waitFor();
    await other.page.getByLabel('Code').fill(backupCodes[0] ?? '');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect([...guest.faults, ...other.faults]).toEqual([]);
    await other.context.close();
  });

  it('no screen has logged an error or run a text as script', () => {
    expect(faults).toEqual([]);
  });
});
