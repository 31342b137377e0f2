import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { startService } from '../support/service.ts';

interface Sent {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly key: string | string[] | undefined;
  readonly body: { readonly to: string[]; readonly text: string };
}
const sent: Sent[] = [];
let status = 200;
const resend = createServer((request, response) => {
  let text = '';
  request.on('data', (block) => {
    text += String(block);
  });
  request.on('end', () => {
    const { authorization, 'idempotency-key': key } = request.headers;
    sent.push({ url: request.url, authorization, key, body: JSON.parse(text) });
    response.writeHead(status).end('{"id":"1"}');
  });
});
resend.listen(0, '127.0.0.1');
await once(resend, 'listening');
const service = await startService({
  MAIL_BACKEND: 'resend',
  RESEND_API_KEY: 're_1',
  MAIL_FROM: 'Verify <no-reply@acme.example>',
  RESEND_BASE_URL: `http://127.0.0.1:${(resend.address() as AddressInfo).port}`,
  PUBLIC_URL: 'https://verify.acme.example/',
});
vi.useFakeTimers({ toFake: ['Date'] });
const passAnHour = (): void => void vi.setSystemTime(Date.now() + HOUR_MS);
afterAll(() => {
  resend.closeAllConnections();
  resend.close();
});
beforeEach(() => {
  sent.length = 0;
  status = 200;
});

/** A finished job, created by a user's key or by a key without a user. */
async function done(options: { user: boolean; notify: boolean }) {
  const organisation = await service.createOrganisation();
  const path = `/operator/v1/organisations/${organisation.id}/users`;
  const { user } = (await service.call('POST', path, service.operatorKey, { email: 'Ada@acme.example' })).body;
  const { key } = await organisation.createKey({ role: 'member', ...(options.user && { user_id: user.id }) });
  const call = (method: string, tail: string, body?: object) => service.call(method, `/v1/bulk/jobs${tail}`, key, body);
  const { id } = (await call('POST', '', { name: 'March' })).body.job;
  await call('POST', `/${id}/paste`, { emails: ['bob@business.test', 'x'] });
  await call('POST', `/${id}/start`, { notify: options.notify });
  const run = () => service.runJobs(organisation.id);
  await run();
  expect((await call('GET', `/${id}`)).body.job.state).toBe('done');
  return { id, run };
}

it('one mail tells the user of the key: counts and a link, nothing of the file', async () => {
  const { id, run } = await done({ user: true, notify: true });
  await run();
  passAnHour();
  await run();
  expect(sent).toEqual([
    {
      url: '/emails',
      authorization: 'Bearer re_1',
      key: id,
      body: expect.objectContaining({ from: 'Verify <no-reply@acme.example>', to: ['ada@acme.example'] }),
    },
  ]);
  expect(sent[0]?.body.text).toContain(`https://verify.acme.example/v1/bulk/jobs/${id}/results.csv`);
  expect(sent[0]?.body.text).toMatch(/Rows: 2\n.*: 1\n/);
  expect(sent[0]?.body.text).not.toContain('@');
});

it('is sent again under the same key while the other side fails, and not when it is refused', async () => {
  status = 503;
  const { run } = await done({ user: true, notify: true });
  const failures = sent.length;
  expect(failures).toBeGreaterThan(0);
  status = 200;
  passAnHour();
  await run();
  passAnHour();
  await run();
  expect(sent.length).toBe(failures + 1);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);

  sent.length = 0;
  status = 422;
  const refused = await done({ user: true, notify: true });
  passAnHour();
  await refused.run();
  expect(sent.length).toBe(1);
});

it.each([
  { user: false, notify: true },
  { user: true, notify: false },
])('nothing is sent for %j', async (options) => {
  await done(options);
  expect(sent).toEqual([]);
});
