import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decode, encode, type Packet } from '@leichtgewicht/dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { type DnsServer, startDnsServer } from '../../scripts/stack/dns-server.ts';
import { PUBLIC_NAMES, TEST_NAMES } from '../../scripts/stack/dns-zones.ts';

type RecordType = 'MX' | 'A' | 'AAAA' | 'TXT';

const question = (name: string, type: RecordType) =>
  encode({ type: 'query', id: 0, flags: 256, questions: [{ type, name }] });

async function ask(url: string | undefined, name: string, type: RecordType = 'MX'): Promise<Packet> {
  const dns = Buffer.from(question(name, type)).toString('base64url');
  const response = await fetch(`${url}?dns=${dns}`, { headers: { accept: 'application/dns-message' } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/dns-message');
  return decode(Buffer.from(await response.arrayBuffer()));
}

const hosts = ({ answers = [] }: Packet) =>
  answers.flatMap((answer) => (answer.type === 'MX' ? [(answer.data as { exchange: string }).exchange] : []));

/** A public resolver that answers one host for every name, and counts. */
async function upstream(): Promise<{ server: Server; url: string; asked: string[] }> {
  const asked: string[] = [];
  const answer = (message: Buffer) => {
    const query = decode(message);
    const name = query.questions?.[0]?.name ?? '';
    asked.push(name);
    const data = { preference: 1, exchange: 'real.example' };
    return encode({ ...query, type: 'response', answers: [{ type: 'MX', name, ttl: 60, data }] });
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/dns-message');
    void buffer(request).then((message) => response.end(answer(message)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dns-query` };
}

const NOWHERE = 'http://127.0.0.1:1/dns-query';
const open: (DnsServer | Server)[] = [];
const started = async (...urls: string[]) => {
  const dns = await startDnsServer(urls);
  open.push(dns);
  return dns;
};
afterEach(async () => {
  for (const server of open.splice(0)) await ('stop' in server ? server.stop() : server.close());
});

describe('with a public resolver in reach', () => {
  it('passes its answer on, also for a name of the bundled zone', async () => {
    const resolver = await upstream();
    open.push(resolver.server);
    const { urls } = await started(resolver.url);
    expect(hosts(await ask(urls[0], 'gmail.com'))).toEqual(['real.example']);
    expect(resolver.asked).toContain('gmail.com');
  });

  it('answers a test name itself, and does not forward it', async () => {
    const resolver = await upstream();
    open.push(resolver.server);
    const { urls } = await started(resolver.url);
    expect(hosts(await ask(urls[0], 'business.test'))).toEqual(['mx1.business.test', 'mx2.business.test']);
    expect(resolver.asked).not.toContain('business.test');
  });

  it('falls back to the bundled zone when it goes away', async () => {
    const resolver = await upstream();
    const { urls } = await started(resolver.url);
    await ask(urls[0], 'gmail.com');
    resolver.server.closeAllConnections();
    resolver.server.close();
    expect(hosts(await ask(urls[0], 'gmail.com'))[0]).toBe('gmail-smtp-in.l.google.com');
  });
});

describe('offline', () => {
  it('answers every bundled name with a mail host and an address', async () => {
    const { urls } = await started(NOWHERE);
    expect(PUBLIC_NAMES.length).toBeGreaterThanOrEqual(60);
    for (const name of PUBLIC_NAMES) {
      expect(hosts(await ask(urls[0], name)).length, name).toBeGreaterThan(0);
      expect((await ask(urls[0], name, 'A')).answers?.length, name).toBeGreaterThan(0);
    }
  });

  it('answers every mail host of a bundled name with an address', async () => {
    const { urls } = await started(NOWHERE);
    const named = await Promise.all(PUBLIC_NAMES.map(async (name) => hosts(await ask(urls[0], name))));
    for (const host of new Set(named.flat().filter((each) => each !== '.')))
      expect((await ask(urls[0], host, 'A')).answers?.length, host).toBeGreaterThan(0);
  });

  it.each(['unregistered.example', 'sub.gmail.com'])('does not claim to know %s: SERVFAIL', async (name) => {
    const { urls } = await started(NOWHERE);
    expect(await ask(urls[0], name)).toMatchObject({ rcode: 'SERVFAIL', answers: [] });
  });

  it('says "no such record", with how long to keep that, for a type a bundled name does not have', async () => {
    const { urls } = await started(NOWHERE);
    const answer = await ask(urls[0], 'mailinator.com', 'TXT');
    expect(answer).toMatchObject({ rcode: 'NOERROR', answers: [] });
    expect(answer.authorities?.[0]).toMatchObject({ type: 'SOA', data: { minimum: 60 } });
  });
});

describe('the test zone', () => {
  it.each([
    { name: 'null-mx.test', rcode: 'NOERROR', mail: ['.'] },
    { name: 'implicit-mx.test', rcode: 'NOERROR', mail: [] },
    { name: 'nxdomain.test', rcode: 'NXDOMAIN', mail: [] },
    { name: 'not-listed.test', rcode: 'NXDOMAIN', mail: [] },
    { name: 'servfail.test', rcode: 'SERVFAIL', mail: [] },
    { name: 'refused.test', rcode: 'REFUSED', mail: [] },
    { name: 'alias.test', rcode: 'NOERROR', mail: ['mx1.business.test', 'mx2.business.test'] },
    { name: 'alias-nowhere.test', rcode: 'NXDOMAIN', mail: [] },
    { name: 'alias-loop.test', rcode: 'SERVFAIL', mail: [] },
    { name: 'any.name.bulk.test', rcode: 'NOERROR', mail: ['mx1.business.test'] },
    { name: 'Null-MX.TEST', rcode: 'NOERROR', mail: ['.'] },
  ])('answers $name with $rcode $mail', async ({ name, rcode, mail }) => {
    const { urls } = await started(NOWHERE);
    const answer = await ask(urls[0], name);
    expect(answer.rcode).toBe(rcode);
    expect(hosts(answer)).toEqual(mail);
  });

  it('gives an address where only that makes a mail host', async () => {
    const { urls } = await started(NOWHERE);
    expect((await ask(urls[0], 'implicit-mx.test', 'A')).answers).toHaveLength(1);
    expect((await ask(urls[0], 'implicit-mx-ipv6.test', 'AAAA')).answers).toHaveLength(1);
    expect((await ask(urls[0], 'implicit-mx-ipv6.test', 'A')).answers).toHaveLength(0);
  });

  it('has a name that never answers', async () => {
    const { urls } = await started(NOWHERE);
    const dns = Buffer.from(question('timeout.test', 'MX')).toString('base64url');
    await expect(fetch(`${urls[0]}?dns=${dns}`, { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout');
  });

  it('has a name whose answer can not be read', async () => {
    const { urls } = await started(NOWHERE);
    const dns = Buffer.from(question('malformed.test', 'MX')).toString('base64url');
    const message = Buffer.from(await (await fetch(`${urls[0]}?dns=${dns}`)).arrayBuffer());
    // The library reads on past the end of a cut message; it leaves the bytes it took on the function.
    decode(message);
    expect((decode as { bytes?: number }).bytes).toBeGreaterThan(message.length);
  });

  it('says of each name what it shows, once', () => {
    expect(new Set(TEST_NAMES.map(({ names }) => names)).size).toBe(TEST_NAMES.length);
    for (const { names, shows } of TEST_NAMES) expect(shows, names).toMatch(/\.$/);
  });
});

describe('a request', () => {
  it('may be a POST with the message as its body', async () => {
    const { urls } = await started(NOWHERE);
    const response = await fetch(urls[0] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/dns-message' },
      body: question('business.test', 'MX'),
    });
    expect(hosts(decode(Buffer.from(await response.arrayBuffer())))).toHaveLength(2);
  });

  it('is refused when a web page makes it, or when it does not know the whole address', async () => {
    const { urls } = await started(NOWHERE);
    const url = new URL(`${urls[0]}?dns=${Buffer.from(question('business.test', 'MX')).toString('base64url')}`);
    expect((await fetch(url, { headers: { origin: 'http://localhost' } })).status).toBe(403);
    url.pathname = url.pathname.replace(/^\/[^/]+/, '');
    expect((await fetch(url)).status).toBe(404);
  });

  it.each(['?dns=AAAA', '?dns=', ''])('is refused with 400 when it holds no question (%j)', async (query) => {
    const { urls } = await started(NOWHERE);
    expect((await fetch(`${urls[0]}${query}`)).status).toBe(400);
  });
});
