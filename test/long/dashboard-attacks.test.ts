import { beforeAll, describe, expect, it, vi } from 'vitest';
import { settled } from '../../scripts/dashboard/places.ts';
import { openWindow, START_MS, STEP_MS, signIn, startDashboard } from '../support/dashboard-window.ts';
import { onPort } from '../support/on-port.ts';
import type { TestStack } from '../support/stack.ts';

/** Ends an attribute and an element, and would run three ways. It has no place to break a line at. */
const hostile = (of: string): string => `"'><img/src=x/onerror=alert(1)><svg/onload=alert(2)>{{7*7}}//${of}`;

/** A vendor of company data whose texts are hostile. */
const vendorUrl = await onPort(async () =>
  Response.json({ status: 200, name: hostile('company'), website: 'business.test', industry: hostile('industry') }),
);

/** Below the ceiling of a decision. */
const ENRICHMENT = {
  ENRICHMENT_PDL_API_KEY: 'key',
  ENRICHMENT_PDL_BASE_URL: vendorUrl,
  ENRICHMENT_PDL_COST_USD: '0.001',
};
const { stack, browser, context, page, faults } = await startDashboard(
  { env: ENRICHMENT },
  { userAgent: hostile('browser') },
);
await signIn(page, stack.sign_in_url);

const send = async (method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<{ trace_id: string }> => {
  const headers = { authorization: `Bearer ${stack.keys.admin}`, 'content-type': 'application/json' };
  const answer = await fetch(`${stack.base_url}/v1/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { trace_id: string };
};
const addUser = async (body: object): Promise<void> => {
  const headers = { authorization: `Bearer ${stack.keys.operator}`, 'content-type': 'application/json' };
  const url = `${stack.base_url}/operator/v1/organisations/${stack.org_id}/users`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`the user was answered ${answer.status} ${await answer.text()}`);
};

describe('a hostile text', () => {
  /** Of a signup, a policy, a note, a person, a key, a file, its column and its cells, an event and a vendor. */
  beforeAll(async () => {
    await send('PATCH', 'organisation', { name: hostile('organisation') });
    await addUser({ email: 'eve@business.example', name: hostile('member'), role: 'viewer' });
    await send('POST', 'keys', { name: hostile('key'), role: 'viewer' });
    for (const list of ['blocklist', 'allowlist'])
      await send('POST', `domains/${list}`, { domains: [`${list}.example`], note: hostile(`note-${list}`) });
    await send('POST', 'addresses/blocklist', { emails: ['bob@business.example'], note: hostile('note-address') });
    const when = { path: 'attributes.source', op: 'eq', value: hostile('attribute') };
    const rules = [
      { id: 'company', when: { path: 'company.industry', op: 'eq', value: hostile('value') }, decision: 'deny' },
      { id: 'hostile', description: hostile('description'), when, decision: 'allow_with_flow', flow: hostile('flow') },
    ];
    await send('PUT', 'policies/default', { name: hostile('policy'), rules, default: 'allow' });
    const at = Math.floor(Date.now() / 1000);
    for (let place = 0; place < 40; place += 1) {
      const email = `person${place}@business.test`;
      const attributes = place < 30 ? { source: hostile('attribute') } : {};
      const { trace_id } = await send('POST', 'decide', { email, name: hostile('name'), attributes });
      await send('POST', 'events', { trace_id, event: 'subscribed', at, properties: { plan: hostile('event') } });
    }
    await send('POST', 'screen', { email: 'ada@business.test', name: hostile('name') });
    await stack.cron('17 3 * * *');
    const isNightOver = async () => {
      const segments = await (await stack.request('/v1/segments', stack.keys.admin)).json();
      expect(segments).toMatchObject({ computed_at: expect.any(Number) });
    };
    await vi.waitFor(isNightOver, { timeout: START_MS, interval: 500 });
  }, START_MS);

  const open = async (path: string) => {
    await page.goto(`${stack.dashboard_url}${path.startsWith('/') ? path : `/${stack.org_id}/${path}`}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
  };
  /** It stands there as the text that it is, and has put nothing into the page. */
  const standsAs = async (of: string) => {
    await page.getByText(hostile(of)).filter({ visible: true }).first().waitFor();
    expect(await page.locator('img[src="x"], svg[onload], script:not([src])').count()).toBe(0);
  };

  it.each<[screen: string, ...texts: string[]]>([
    ['overview', 'organisation'],
    ['policy', 'policy'],
    ['policy?view=rules', 'policy', 'description', 'attribute', 'flow'],
    ['policy?view=versions', 'policy'],
    ['policy?view=json', 'policy'],
    ['policy?view=experiments', 'policy'],
    [`policy?rule=${encodeURIComponent(hostile('rule'))}`, 'description'],
    ['rules', 'note-blocklist'],
    ['rules?list=allow', 'note-allowlist'],
    ['rules?of=addresses', 'note-address'],
    [`rules?q=${encodeURIComponent(hostile('search'))}`, 'search'],
    ['learning?view=segments', 'attribute'],
    ['keys', 'key'],
    ['members', 'member'],
    ['audit', 'organisation'],
    ['settings', 'organisation'],
    ['settings?part=privacy', 'organisation'],
    ['connections', 'organisation'],
    ['/operator', 'organisation'],
    ['log?view=screenings', 'organisation'],
    [`log?domain=${encodeURIComponent(hostile('domain'))}`, 'organisation'],
    [`policy?policy=${encodeURIComponent(hostile('slug'))}`, 'organisation'],
  ])('runs on no screen, and shows as what it is: %s', async (screen, ...texts) => {
    await open(screen);
    // A chart cuts a long name, its table does not.
    const closed = page.getByRole('button', { name: 'Show table' });
    while ((await closed.count()) > 0) await closed.first().click();
    for (const text of texts) await standsAs(text);
    expect(faults).toEqual([]);
  });

  it('from a browser does not run where its sessions are listed', async () => {
    await open('/account');
    // As far as it is the name of a browser.
    await page.getByText(hostile('browser').split('/', 1)[0] ?? '', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('from a person or a vendor runs neither where an address is tried nor in its record', async () => {
    await open('try');
    await page.getByLabel('Email address').fill(`"${hostile('typed').slice(3)}"@gmial.com`);
    await page.getByLabel('Name (optional)').fill(hostile('name'));
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Decision' }).or(page.getByRole('alert')).first().waitFor();
    await page.getByLabel('Email address').fill('ada@business.test');
    await page.keyboard.press('Enter');
    await standsAs('company');
    await open('log');
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('region', { name: 'Outcome' }).waitFor();
    await standsAs('organisation');
    await open('log?view=screenings');
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('region', { name: 'Why' }).waitFor();
    await standsAs('organisation');
    expect(faults).toEqual([]);
  });

  /** Of what the menus of a row lead to. */
  it.each([
    ['keys', new RegExp(`^Actions for .*//key$`), 'Revoke', 'key'],
    ['members', new RegExp(`^Actions for .*//member$`), 'Remove', 'member'],
  ])('runs in no dialog that names it: %s', async (screen, menu, item, text) => {
    await open(screen);
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitem', { name: item }).click();
    const title = page.getByRole('dialog').getByRole('heading');
    await expect.poll(() => title.textContent(), { timeout: STEP_MS }).toContain(hostile(text));
    await page.keyboard.press('Escape');
    expect(await page.locator('img[src="x"], svg[onload], script:not([src])').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('from a file runs in no step: not its name, not its columns, not its cells', async () => {
    await open('lists');
    const cells = hostile('column').replaceAll('"', '""');
    const buffer = Buffer.from(`"${cells}",email\n"${cells}",ada@business.test\n"${cells}","${cells}"\n`);
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('.dropzone').click()]);
    await chooser.setFiles({ name: hostile('file').replaceAll('/', '-'), mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Upload 1 file' }).click();
    const start = page.getByRole('button', { name: /^Start/ });
    await start.waitFor();
    await page.getByText(hostile('file').replaceAll('/', '-')).filter({ visible: true }).first().waitFor();
    await page.getByRole('combobox', { name: 'Email column' }).click();
    await standsAs('column');
    await page.keyboard.press('Escape');
    await start.click();
    await page.getByRole('link', { name: 'Download all' }).waitFor();
    await open('lists');
    await page.getByText(hostile('file').replaceAll('/', '-')).filter({ visible: true }).first().waitFor();
    expect(faults).toEqual([]);
  });

  it('in the address of a page leads to no other site and to no script', async () => {
    const fresh = await openWindow(browser);
    for (const to of ['javascript:alert(1)', '//127.0.0.1:1/', '/\\127.0.0.1:1/', '/\t/127.0.0.1:1/', hostile('to')]) {
      await fresh.page.goto(`${stack.dashboard_url}/sign-in?to=${encodeURIComponent(to)}`);
      await fresh.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    }
    expect(fresh.faults).toEqual([]);
    await fresh.context.close();
  });

  it('is no wider than a phone, though it has no place to break at', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const screen of [
      'overview',
      'policy',
      'rules',
      'learning',
      'keys',
      'members',
      'audit',
      'settings',
      'settings?part=alerts',
      'lists',
    ]) {
      await open(screen);
      const width = async () => [screen, await page.evaluate('document.documentElement.scrollWidth')];
      await expect.poll(width, { timeout: STEP_MS }).toEqual([screen, 360]);
    }
  });
});

/** What a page of another site may try with the person's cookies. Its title says when it has tried all, and what it could read. */
const attempts = ({ dashboard_url: url, org_id: id }: TestStack): string => `<!doctype html>
<iframe src="${url}/${id}/overview"></iframe>
<iframe name="target"></iframe>
<form method="post" enctype="text/plain" target="target" action="${url}/auth/sessions/end"><input name='{"a":"' value='"}'></form>
<form method="post" target="target" action="${url}/auth/sign-out"></form>
<script src="${url}/auth/me"></script>
<script type="module">
const body = JSON.stringify({ domains: ['other-site.example'] });
const block = '${url}/api/${id}/v1/domains/blocklist';
const send = { method: 'POST', credentials: 'include', body };
const tries = [
  ['${url}/auth/me', { credentials: 'include' }],
  ['${url}/api/${id}/v1/me', { credentials: 'include' }],
  [block, { ...send, mode: 'no-cors' }],
  [block, { ...send, headers: { 'content-type': 'application/json' } }],
  ['${url}/auth/sign-out', { ...send, mode: 'no-cors' }],
  ['${url}/auth/sessions/end', { ...send, mode: 'no-cors' }],
];
const read = [];
for (const [to, how] of tries) read.push(await fetch(to, how).then((answer) => answer.text(), () => ''));
const target = document.querySelector('[name=target]');
for (const form of document.forms) {
  await new Promise((loaded) => {
    target.onload = loaded;
    form.submit();
  });
}
document.title = 'Read ' + JSON.stringify(read.join(''));
</script>`;

const siteUrl = await onPort(
  async () => new Response(attempts(stack), { headers: { 'content-type': 'text/html; charset=utf-8' } }),
);

describe('another site, with the person’s cookies', () => {
  it.each(['127.0.0.1', 'localhost'])('at %s reads nothing, changes nothing and frames nothing', async (host) => {
    const me = () => context.request.get(`${stack.dashboard_url}/auth/me`);
    expect((await me()).status()).toBe(200);
    const other = await context.newPage();
    await other.goto(siteUrl.replace('127.0.0.1', host));
    await expect.poll(() => other.title(), { timeout: STEP_MS }).toMatch(/^Read /);
    expect(await other.title()).toBe('Read ""');
    expect(other.frames().filter((frame) => frame.url().startsWith(stack.dashboard_url))).toEqual([]);
    await other.close();
    expect((await me()).status()).toBe(200);
    const listed = await stack.request('/v1/domains/blocklist', stack.keys.admin);
    expect(await listed.text()).not.toContain('other-site.example');
  });
});
