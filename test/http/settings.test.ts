import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/entrypoints/http/app.ts';
import { openDeps } from '../../src/runtime/wiring.ts';
import { captureLog } from '../support/capture-log.ts';
import { startService } from '../support/service.ts';
import { WRONG, type WrongSetting, wrongly } from '../support/wrong-settings.ts';

const service = await startService();
const mine = await service.createOrganisation();
const app = createApp(openDeps);

/** The same service with one setting changed, in an isolate of its own; what it logs is kept. */
function openWith(settings: Readonly<Record<string, unknown>>) {
  const env = { ...service.env, ...settings };
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  const lines = captureLog();
  async function call(method: string, path: string, key: string | null, body?: unknown) {
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await app.request(path, init, env, context as never);
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  }
  return { call, lines };
}

const verify = { email: 'ada@business.test' };

describe('a wrong optional setting', () => {
  it.each(WRONG)('$setting = $wrong: every call is answered, the log names it once, status too', async (row) => {
    const { call, lines } = openWith(wrongly({ [row.setting]: '' }, row));
    expect((await call('GET', '/health', null)).body).toEqual({ status: 'ok', version: 'unreleased' });
    for (const { method, path, key, body } of [
      { method: 'POST', path: '/v1/verify', key: mine.keys.member, body: verify },
      { method: 'POST', path: '/v1/screen', key: mine.keys.member, body: { ...verify, name: 'Ada' } },
      { method: 'GET', path: '/v1/traces', key: mine.keys.viewer },
    ])
      expect((await call(method, path, key, body)).status).toBe(200);
    const { settings } = (await call('GET', '/operator/v1/status', service.operatorKey)).body;
    const logged = lines.filter((line) => line.includes('setting_wrong'));
    expect(logged.map((line) => JSON.parse(line))).toEqual(
      settings.map((fault: object) => ({ level: 'warn', event: 'setting_wrong', ...fault })),
    );
    if (row.wrong !== null) expect(settings).toContainEqual(expect.objectContaining({ setting: row.setting }));
    expect(lines.join() + JSON.stringify(settings)).not.toContain('hunter2');
    expect(lines.join()).not.toContain('"bug"');
  });
});

describe('a wrong required setting', () => {
  const rows: (Pick<WrongSetting, 'setting' | 'wrong'> & { refused: string[] })[] = [
    { setting: 'SERVICE_SECRET', wrong: null, refused: ['verify', 'me', 'traces', 'status'] },
    { setting: 'SERVICE_SECRET', wrong: 'short', refused: ['verify', 'me', 'traces', 'status'] },
    { setting: 'HASH_SECRET', wrong: 'short', refused: ['verify'] },
    { setting: 'DATABASE_URL', wrong: 'https://db.example', refused: ['traces'] },
    { setting: 'DATABASE_URL', wrong: null, refused: ['traces'] },
  ];

  it.each(rows)('$setting = $wrong: /health says so, and only what needs it is 503, no bug', async (row) => {
    const { call, lines } = openWith({ [row.setting]: row.wrong ?? '' });
    const health = await call('GET', '/health', null);
    expect([health.status, health.body]).toEqual([200, { status: 'misconfigured', version: 'unreleased' }]);
    const calls = {
      verify: () => call('POST', '/v1/verify', mine.keys.member, verify),
      me: () => call('GET', '/v1/me', mine.keys.viewer),
      traces: () => call('GET', '/v1/traces', mine.keys.viewer),
    };
    for (const [name, ask] of Object.entries(calls)) {
      const { status, body, headers } = await ask();
      const isRefused = row.refused.includes(name);
      expect([name, status]).toEqual([name, isRefused ? 503 : 200]);
      if (!isRefused) continue;
      expect(body).toMatchObject({ error: { code: 'dependency_unavailable' } });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(lines.filter((line) => line.includes('"setting_wrong"'))).toHaveLength(1);
    expect(lines.join()).not.toContain('"bug"');
  });

  it('a call refused for it is not charged', async () => {
    const used = async () => (await service.call('GET', '/v1/usage', mine.keys.viewer)).body.quota.used;
    const before = await used();
    const { call } = openWith({ HASH_SECRET: '' });
    expect((await call('POST', '/v1/verify', mine.keys.member, verify)).status).toBe(503);
    expect(await used()).toBe(before);
  });
});
