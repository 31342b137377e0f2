import { describe, expect, it, vi } from 'vitest';
import { NEW_DOMAINS_PER_MINUTE } from '../../src/domain/metering/rate.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const NOW = Date.now();

const post = (path: string, key: string, email: string) => service.call('POST', `/v1/${path}`, key, { email });

describe('the rate', () => {
  it.each([
    ['check', 'viewer', 'decide'],
    ['check', 'viewer', 'screen'],
    ['screen', 'member', 'verify'],
    ['verify', 'member', 'check'],
  ] as const)('of %s, used up, leaves that of others: %s key, %s', async (used, role, other) => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { keys } = await service.createOrganisation({ rate_per_minute: 2 });
    const email = 'ada@business.test';
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await post(used, keys[role], email)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await post(other, keys.member, email)).status).toBe(200);
  });

  it('is shared by verify and decide', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { keys } = await service.createOrganisation({ rate_per_minute: 1 });
    expect((await post('verify', keys.member, 'ada@business.test')).status).toBe(200);
    expect((await post('decide', keys.member, 'ada@business.test')).status).toBe(429);
  });
});

describe('domains that the service does not know', () => {
  it('are bounded a minute, and cost no write beyond; known ones are served', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { keys } = await service.createOrganisation();
    const before = service.calls.kvWrites;
    const paths = ['verify', 'check', 'screen', 'decide'] as const;
    const statuses: number[] = [];
    for (let i = 0; i < NEW_DOMAINS_PER_MINUTE + 8; i += 1)
      statuses.push((await post(paths[i % 4] ?? 'check', keys.member, `ada@d${i}.any.test`)).status);
    expect(statuses.slice(0, NEW_DOMAINS_PER_MINUTE).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(NEW_DOMAINS_PER_MINUTE)).toEqual(Array.from({ length: 8 }, () => 429));
    expect(service.calls.kvWrites - before).toBe(NEW_DOMAINS_PER_MINUTE);
    const refused = await post('check', keys.viewer, 'ada@more.any.test');
    expect(refused.body.error).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('domains') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const path of paths) expect((await post(path, keys.member, 'ada@d1.any.test')).status).toBe(200);
  });
});

describe('a revoked key', () => {
  it('costs one call of the object in five seconds, and stores nothing', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { keys, createKey, id } = await service.createOrganisation();
    const gone = await createKey({ role: 'member' });
    await service.call('DELETE', `/operator/v1/organisations/${id}/keys/${gone.id}`, service.operatorKey);
    const { object, kvWrites } = service.calls;
    for (let i = 0; i < 50; i += 1) expect((await post('verify', gone.key, `ada@gone${i}.any.test`)).status).toBe(401);
    expect([service.calls.object - object, service.calls.kvWrites - kvWrites]).toEqual([1, 0]);
    expect((await post('verify', keys.member, 'ada@business.test')).status).toBe(200);
    vi.setSystemTime(NOW + 5_000);
    const later = service.calls.object;
    expect((await post('verify', gone.key, 'ada@business.test')).status).toBe(401);
    expect(service.calls.object - later).toBe(1);
  });
});

describe('reads over many traces', () => {
  const simulate = (key: string) =>
    service.call('POST', '/v1/policies/default/simulate', key, {
      policy: { name: 'Draft', rules: [], default: 'allow' },
      window_days: 1,
    });

  it('run one at a time for an organisation, and no other waits for it', async () => {
    const [mine, theirs] = [await service.createOrganisation(), await service.createOrganisation()];
    const both = await Promise.all([
      simulate(mine.keys.member),
      simulate(mine.keys.member),
      simulate(theirs.keys.member),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(both[1]?.headers.get('retry-after')).toBe('1');
    await service.settle();
    expect((await simulate(mine.keys.member)).status).toBe(200);
  });

  it('let the next one in once the object’s answer was lost', async () => {
    const { keys, id } = await service.createOrganisation();
    const { object } = service.objectOf(id);
    const authorize = object.authorize.bind(object);
    const lossy = vi.spyOn(object, 'authorize').mockImplementation(async (request) => {
      await authorize(request);
      throw new Error('the object was reset');
    });
    expect((await simulate(keys.member)).status).toBe(503);
    lossy.mockRestore();
    await service.settle();
    expect((await simulate(keys.member)).status).toBe(200);
  });

  it('have a rate of their own', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { keys } = await service.createOrganisation();
    const statuses = [];
    for (let i = 0; i < 31; i += 1) {
      statuses.push((await simulate(keys.member)).status);
      await service.settle();
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect((await service.call('GET', '/v1/traces', keys.member)).status).toBe(200);
  });

  it('let the next one in a minute after their Worker has died', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
    const { keys, id } = await service.createOrganisation();
    const dead = vi.spyOn(service.objectOf(id).object, 'endAnalysis').mockResolvedValue();
    expect((await simulate(keys.member)).status).toBe(200);
    dead.mockRestore();
    expect((await simulate(keys.member)).status).toBe(429);
    vi.setSystemTime(NOW + 60_000);
    expect((await simulate(keys.member)).status).toBe(200);
  });
});
