import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIVE_CALLS, SANDBOX_CALLS } from '../../scripts/stack/first-calls.ts';
import { isRunning, startedAt } from '../../scripts/stack/run-record.ts';
import { listeningSockets } from '../support/listening-sockets.ts';
import { startTestStack, type TestStack } from '../support/stack.ts';

describe('a stack', () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await startTestStack();
  });
  afterAll(() => stack.remove());

  it('writes stack.json, for its owner alone, with everything needed to use it', () => {
    expect(stack).toMatchObject({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      database_url: expect.stringMatching(/^postgresql:\/\//),
      org_id: expect.stringMatching(/./),
      keys: Object.fromEntries(
        ['viewer', 'member', 'admin', 'test', 'operator'].map((name) => [name, expect.any(String)]),
      ),
      pid: expect.any(Number),
    });
    for (const file of ['stack.json', 'secrets.json', 'processes.json', 'worker.log']) {
      expect(statSync(join(stack.stateDir, file)).mode & 0o777, file).toBe(0o600);
    }
  });

  it('has five keys that open their organisation, and refuses any other', async () => {
    for (const key of Object.values(stack.keys)) expect((await stack.request('/v1/me', key)).status).toBe(200);
    expect((await stack.request('/v1/me', 'evk_live_forged')).status).toBe(401);
  });

  it('prints calls that work unchanged, with the printed parts in their answers', () => {
    const [, script = ''] = /(export BASE_URL=[^]+?)\n\nThe Worker's log/.exec(stack.output()) ?? [];
    const answers = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
    const calls = [...LIVE_CALLS, ...SANDBOX_CALLS];
    expect(answers).toHaveLength(calls.length);
    for (const [at, { shows }] of calls.entries()) for (const part of shows) expect(answers[at]).toContain(part);
  });

  it('fires a cron by hand, at the address wrangler has for it', async () => {
    await expect(stack.cron('*/5 * * * *')).resolves.toBeUndefined();
  });

  it.each([
    { of: 'another site', headers: { origin: 'https://site.example' } },
    { of: 'this machine', headers: { origin: 'http://localhost:3000' } },
    { of: 'another site, asking as for an image', headers: { 'sec-fetch-site': 'cross-site' } },
    { of: 'a name that was pointed at this machine', headers: { host: 'site.example' } },
  ])('fires no cron for a page of $of', async ({ headers }) => {
    const url = new URL('/cdn-cgi/handler/scheduled?cron=*/5+*+*+*+*', stack.base_url);
    // Node's fetch sets `Host` itself.
    const [response] = (await once(get(url.href, { headers }), 'response')) as [IncomingMessage];
    expect(response.resume().statusCode).toBe(403);
  });

  it('listens on loopback alone, and refuses web pages and strangers on every port but that of the service', async () => {
    const sockets = listeningSockets(stack.processes().map(({ pid }) => pid));
    // The service, the database's endpoint, DNS, and Miniflare's own.
    expect(sockets.length).toBeGreaterThanOrEqual(4);
    expect(sockets.filter(({ isLoopback }) => !isLoopback)).toEqual([]);
    const helpers = sockets.filter(({ port }) => port !== Number(new URL(stack.base_url).port));
    for (const { port } of helpers) {
      for (const path of ['/', '/sql', '/control', '/1/dns-query?dns=AAAA']) {
        const send = (headers: Record<string, string>) =>
          fetch(`http://127.0.0.1:${port}${path}`, {
            method: 'POST',
            headers,
            body: '{"query":"select 1","down":true}',
          });
        expect((await send({ origin: 'http://localhost' })).status, `${port}${path}`).toBe(403);
        expect((await send({})).status, `${port}${path}`).toBeOneOf([401, 403, 404]);
      }
    }
  });
});

describe('a state directory', () => {
  it('keeps its keys over a stop and a SIGKILL, until --fresh', async () => {
    const first = await startTestStack();
    expect(await first.stop()).toBe(0);
    expect(existsSync(join(first.stateDir, 'stack.json'))).toBe(false);

    const second = await startTestStack({ stateDir: first.stateDir });
    expect(second.keys).toEqual(first.keys);
    expect(second.org_id).toBe(first.org_id);
    await second.kill();

    const third = await startTestStack({ stateDir: first.stateDir });
    expect(third.keys).toEqual(first.keys);
    await third.stop();

    const fresh = await startTestStack({ stateDir: first.stateDir, args: ['--fresh'] });
    expect(fresh.keys).not.toEqual(first.keys);
    expect((await fresh.request('/v1/me', first.keys.member)).status).toBe(401);
    await fresh.remove();
  });

  it('is given new keys when its secrets no longer fit', async () => {
    const first = await startTestStack();
    await first.stop();
    const second = await startTestStack({
      stateDir: first.stateDir,
      env: { SERVICE_SECRET: Buffer.alloc(32, 7).toString('base64') },
    });
    expect((await second.request('/v1/me', first.keys.member)).status).toBe(401);
    expect((await second.request('/v1/me', second.keys.member)).status).toBe(200);
    await second.remove();
  });
});

describe('what stands in the environment and can’t be used as it is', () => {
  it('is said at the start: an endpoint of one’s own, and a HASH_SECRET that the state was not made with', async () => {
    const OTHER = 'HASH_SECRET is not the one that this state was made with';
    const HASH_SECRET = Buffer.alloc(32, 7).toString('base64');
    const DATABASE_HTTP_URL = 'https://db.example/sql';
    const first = await startTestStack({ env: { HASH_SECRET, DATABASE_HTTP_URL } });
    expect(first.output()).toContain('DATABASE_HTTP_URL is not used');
    expect(first.output()).not.toContain(OTHER);
    await first.stop();
    const second = await startTestStack({ stateDir: first.stateDir });
    expect(second.output()).not.toContain('DATABASE_HTTP_URL');
    expect(second.output()).toContain(OTHER);
    await second.remove();
  });
});

describe('--db-down', () => {
  it('comes up all the same, and refuses the database until it is switched on', async () => {
    const stack = await startTestStack({ args: ['--db-down'] });
    const select = () => stack.database.query('select 1');
    expect((await stack.request('/v1/me', stack.keys.viewer)).status).toBe(200);
    await expect(select()).rejects.toThrow('fetch failed');
    await stack.database.up();
    expect((await select()).status).toBe(200);
    await stack.remove();
  });
});

describe('the end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('on %s leaves no process and exits with 0', async (signal) => {
    const stack = await startTestStack();
    const processes = stack.processes().map(({ pid }) => ({ pid, started_at: startedAt(pid) ?? 'ended' }));
    expect(processes.filter(isRunning).length).toBeGreaterThanOrEqual(4);
    process.kill(stack.pid, signal);
    expect(await stack.stop()).toBe(0);
    expect(processes.filter(isRunning)).toEqual([]);
    await stack.remove();
  });
});
