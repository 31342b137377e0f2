import { beforeEach, describe, expect, it, vi } from 'vitest';
import { addressIn, askDeployed } from '../../../scripts/deployment/answers.ts';
import { onPort } from '../../support/on-port.ts';

/** Files of one worker share their globals: another's `fetch` may stand in for the real one. */
beforeEach(() => void vi.unstubAllGlobals());

const healths: unknown[] = [];
let check = 200;
const keys: (string | null)[] = [];
const url = await onPort(async (path, init) => {
  if (path === '/health') return Response.json(healths.length > 1 ? healths.shift() : healths[0]);
  keys.push(new Headers(init.headers).get('authorization'));
  return Response.json({}, { status: check });
});

const ok = (version = '1') => ({ status: 'ok', version });
const deployed = { url, version: '1', key: 'k', patienceMs: 20 };

describe('a Worker that was put up', () => {
  it.each([
    { what: 'answers', says: [ok()], key: 'k', status: 200 },
    { what: 'answers after the one before it did', says: [ok('0'), ok('0'), ok()], key: 'k', status: 200 },
    { what: 'refuses a check without a key', says: [ok()], key: null, status: 401 },
  ])('is well when it $what', async ({ says, key, status }) => {
    healths.splice(0, healths.length, ...says);
    check = status;
    await expect(askDeployed({ ...deployed, key, patienceMs: 5_000 })).resolves.toBeUndefined();
    expect(keys.pop()).toBe(key === null ? null : 'Bearer k');
  });

  it.each([
    { what: 'misses a setting', health: { status: 'misconfigured', version: '1' }, status: 200, says: 'misconfigured' },
    { what: 'is the one of before', health: ok('0'), status: 200, says: '"version":"0"' },
    { what: 'fails a check', health: ok(), status: 503, says: '/v1/check answers 503' },
    { what: 'refuses the key', health: ok(), status: 401, says: 'Expected is 200' },
  ])('is named when it $what', async ({ health, status, says }) => {
    healths.splice(0, healths.length, health);
    check = status;
    await expect(askDeployed(deployed)).rejects.toThrow(says);
  });

  it('is reported when it gives no answer', async () => {
    await expect(askDeployed({ ...deployed, url: 'http://127.0.0.1:1' })).rejects.toThrow('/health answers nothing');
  });
});

describe('its address', () => {
  it.each([
    ['the first that is one', '{"targets":["schedule: * * * * *","https://a.workers.dev"]}', 'https://a.workers.dev'],
    ['none', '{"targets":["a.example/* (zone name: a.example)"]}', null],
    ['none without a deployment', '{"type":"wrangler-session"}', null],
  ])('is %s', (_, line, address) => {
    expect(addressIn(`{"type":"wrangler-session","version":1}\n${line}\n`)).toBe(address);
  });
});
