import { describe, expect, it } from 'vitest';
import { startDashboard } from '../support/dashboard-window.ts';

const ROWS = 20_000;
/** On a machine that is busy with something else. */
const CLEAN_MS = 600_000;

const { stack, browser, context, page, faults } = await startDashboard();

const open = (screen: string) => page.goto(`${stack.dashboard_url}/${stack.org_id}/${screen}`);
const decide = async (email: string) => {
  const response = await stack.request('/v1/decide', stack.keys.member, { email });
  return (await response.json()) as { decision: string; rule_id: string };
};

/** In this order: each goes on where the one before ended. */
describe('the dashboard in Chromium', () => {
  it('signs in by the link of the console, once, and by its button alone', async () => {
    for (let looks = 0; looks < 2; looks += 1) {
      await page.goto('about:blank');
      await page.goto(stack.sign_in_url);
      await page.getByText('This link signs you in as you@example.com').waitFor();
    }
    await page.getByRole('button', { name: 'Sign in as you@example.com' }).click();
    await page.waitForURL(`${stack.dashboard_url}/${stack.org_id}/overview`);
    const title = page.getByRole('heading', { level: 1, name: 'Overview' });
    await title.waitFor();
    expect(await title.count()).toBe(1);
    const other = await browser.newContext();
    const late = await other.newPage();
    await late.goto(stack.sign_in_url);
    await late.getByText('This link was used').waitFor();
    await other.close();
  });

  it('judges an address, and shows the judgement in the log', async () => {
    await open('try');
    await page.getByLabel('Email address').fill('jane.doe@gmial.com');
    await page.keyboard.press('Enter');
    await page.getByText('Did you mean jane.doe@gmail.com?').waitFor();
    expect(page.url()).not.toContain('jane');
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('jane');
    await open('log');
    await page.getByRole('link', { name: 'j•••@gmial.com' }).first().click();
    await page.getByText('Outcome').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Outcome').waitFor({ state: 'hidden' });
  });

  it('makes a key that works at the API, shows it once, and ends it', async () => {
    await open('keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('<img src=x onerror=alert(1)>');
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByLabel('Secret').textContent()) ?? '';
    expect((await stack.request('/v1/me', secret)).status).toBe(200);
    await page.keyboard.press('Escape');
    await page.getByLabel('I’ve saved it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: /^Change the key <img/ }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/^Revoked/).waitFor();
    expect((await stack.request('/v1/me', secret)).status).toBe(401);
  });

  it('switches a kind of address, which decides the next call', async () => {
    expect((await decide('someone@gmail.com')).rule_id).not.toBe('free');
    await open('policy');
    await page.getByRole('combobox', { name: 'Free mailboxes' }).click();
    await page.getByRole('option', { name: 'Deny' }).click();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByText(/^Version 2, saved/).waitFor();
    expect(await decide('someone@gmail.com')).toMatchObject({ decision: 'deny', rule_id: 'free' });
  });

  it('cleans a list of 20,000 rows, and gives it back with our columns', { timeout: CLEAN_MS }, async () => {
    await open('lists');
    const rows = Array.from(
      { length: ROWS },
      (_, i) => `P${i};person-${i}@${i % 4 === 0 ? 'null-mx.test' : 'business.test'}`,
    );
    const buffer = Buffer.from(`Name;E-mail\n${rows.join('\n')}\n`);
    await page.locator('input[type=file]').setInputFiles({ name: 'march.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const link = page.getByRole('link', { name: /^All .*rows$/ });
    await link.waitFor({ timeout: CLEAN_MS });
    await page.getByRole('row', { name: /^Invalid 5,000/ }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const stream = await download.createReadStream();
    let text = '';
    for await (const part of stream) text += String(part);
    const lines = text.trim().split('\n');
    expect(lines[0]).toContain('Name;E-mail;svc_status');
    expect(lines).toHaveLength(ROWS + 1);
    expect(lines.filter((line) => line.includes(';drop;no_mx;'))).toHaveLength(ROWS / 4);
  });

  it('signs in with a passkey, made here', async () => {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    } as const;
    await session.send('WebAuthn.addVirtualAuthenticator', { options });
    await page.goto(`${stack.dashboard_url}/account`);
    await page.getByLabel('New passkey name').fill('Laptop');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Laptop', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in$/);
    expect((await context.request.get(`${stack.dashboard_url}/auth/me`)).status()).toBe(401);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(new RegExp(stack.org_id));
  });

  it('broke nothing on the way: no error, no refusal by its content security policy', () => {
    expect(faults).toEqual([]);
  });
});
