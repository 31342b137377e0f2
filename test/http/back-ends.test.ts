import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode } from '@leichtgewicht/dns-packet';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { lookUp, respond } from '../../scripts/stack/dns-server.ts';
import { a, mx, type Zone } from '../../scripts/stack/dns-zones.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openDeps } from '../../src/runtime/wiring.ts';
import { startService } from '../support/service.ts';

const LISTED = Array.from({ length: 10 }, (_, i) => `thrown-${i}.com`);

/** Where each domain's mail goes: `NAME at HOST`; hosts have the address that stands behind them. */
const HOSTS: Readonly<Record<string, string>> = {
  'mx1.throw-away.com': '192.0.2.1',
  'mx2.throw-away.com': '192.0.2.2',
  'mx.vanity.com': '192.0.2.1',
  'mx.hoster.com': '192.0.2.3',
};
const MAIL: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LISTED.map((domain, i) => [domain, `mx${1 + (i % 2)}.throw-away.com`])),
  'fresh.com': 'mx2.throw-away.com',
  'vanity.com': 'mx.vanity.com',
  'web.de': 'mx1.throw-away.com',
  ...Object.fromEntries(LISTED.map((domain) => [`at-hoster-${domain}`, 'mx.hoster.com'])),
  'ordinary.com': 'mx.hoster.com',
  'another.com': 'mx.hoster.com',
};
const zone: Zone = (name) => {
  const host = MAIL[name];
  const address = HOSTS[name];
  const records = host !== undefined ? mx(`10 ${host}`) : address !== undefined ? a(address) : [];
  return { ttlS: 300, records };
};

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  const listed = [...LISTED, ...LISTED.map((domain) => `at-hoster-${domain}`)];
  // Two sources, each with domains of its own.
  const own = Array.from({ length: 10 }, (_, i) => `of${pathname.replace('/list/', '-')}-${i}.com`);
  if (pathname.startsWith('/list/')) return void response.end([...listed, ...own].join('\n'));
  const query = decode(Buffer.from(searchParams.get('dns') ?? '', 'base64url'));
  const question = query.questions?.[0];
  const answer = question === undefined ? null : lookUp(zone, question);
  response.setHeader('content-type', 'application/dns-message');
  response.end(respond(query, answer?.rcode ?? 'SERVFAIL', answer?.answers));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const service = await startService({
  DISPOSABLE_SOURCE_URLS: `${url}/list/1,${url}/list/2`,
  DOH_URLS: `${url}/1/dns-query,${url}/2/dns-query`,
});
service.faults.delayMs = 0;
vi.useFakeTimers({ toFake: ['Date'] });
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const organisations = [await service.createOrganisation(), await service.createOrganisation()];
const [mine] = organisations as [(typeof organisations)[0]];

const verify = async (domain: string, { keys } = mine) =>
  (await service.call('POST', '/v1/verify', keys.member, { email: `ada@${domain}` })).body;
const check = async (domain: string) =>
  (await service.call('POST', '/v1/check', mine.keys.viewer, { email: `ada@${domain}` })).body;
const featuresOf = async (traceId: string) =>
  (await service.call('GET', `/v1/traces/${traceId}`, mine.keys.viewer)).body.trace.features;
const night = async (days: number) => {
  vi.setSystemTime(Date.now() + days * DAY_MS);
  await service.runNight();
  vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
};
type Sight = { domain: string; seen_by: string[] };
const sights = async () => {
  const { db } = openDeps(service.env as never, () => undefined);
  const { rows } = (await db.execute(sql`select domain, seen_by from back_end_domain`)) as { rows: Sight[] };
  return rows;
};

describe('mail hosts that serve listed domains alone', () => {
  it('are learnt in two weeks, and make a domain suspected that no list has', async () => {
    await night(0);
    for (const organisation of organisations) for (const domain of LISTED) await verify(domain, organisation);
    expect(await check('fresh.com')).toMatchObject({ passes: true, suspected: false, reasons: [] });
    await night(1);
    await night(1);
    expect(await check('fresh.com')).toMatchObject({ suspected: false });
    await night(14);
    await check('fresh.com');
    await service.settle();
    expect(await check('fresh.com')).toMatchObject({
      passes: true,
      suspected: true,
      disposable: false,
      reasons: ['disposable_suspected'],
      checks: { disposable: 'suspected' },
    });
    const { trace_id: traceId, ...answer } = await verify('fresh.com');
    expect(answer).toMatchObject({ reasons: ['disposable_suspected'], signals: { disposable: false } });
    expect(await featuresOf(traceId)).toMatchObject({ disposable_by: 'mail_hosts' });
    expect(await featuresOf((await verify('thrown-0.com')).trace_id)).toMatchObject({ disposable_by: 'list' });
  });

  it('are known by their address under another name', async () => {
    expect(await check('vanity.com')).toMatchObject({ suspected: true });
  });

  it('make nothing of a known domain, and a rule of the account sets them aside', async () => {
    expect(await check('web.de')).toMatchObject({ passes: true, suspected: false });
    const allow = { domains: ['fresh.com'] };
    await service.call('POST', '/v1/domains/allowlist', mine.keys.member, allow);
    expect(await check('fresh.com')).toMatchObject({ suspected: false, reasons: ['domain_allowlisted'] });
    await service.call('DELETE', '/v1/domains/allowlist', mine.keys.member, allow);
  });

  it('are named without the organisations that saw their domains', async () => {
    const all = await sights();
    expect(all.length).toBeGreaterThan(0);
    for (const { id } of organisations) expect(JSON.stringify(all)).not.toContain(id.slice(4));
  });

  it('forget the domain of a person who is forgotten', async () => {
    await night(1);
    expect((await sights()).map(({ domain }) => domain)).toContain('fresh.com');
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email: 'ada@fresh.com' });
    expect((await sights()).map(({ domain }) => domain)).not.toContain('fresh.com');
  });
});

describe('mail hosts with an ordinary domain', () => {
  it('make no domain suspected, however many listed ones they serve', async () => {
    for (const organisation of organisations)
      for (const domain of [...LISTED.map((name) => `at-hoster-${name}`), 'ordinary.com'])
        await verify(domain, organisation);
    await night(1);
    await night(14);
    expect(await check('another.com')).toMatchObject({ passes: true, suspected: false });
    const { seen_by: seenBy } = (await sights()).find(({ domain }) => domain === 'ordinary.com') ?? { seen_by: [] };
    expect(new Set(seenBy).size).toBe(2);
  });
});
