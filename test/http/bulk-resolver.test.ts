import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startDnsServer } from '../../scripts/stack/dns-server.ts';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { startService } from '../support/service.ts';

const dns = await startDnsServer();
/** The resolver gives no answer to any question. */
let isAway = false;
const resolver = createServer((request, response) => {
  if (isAway) response.writeHead(502).end();
  else void forward(request, response);
});
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { search } = new URL(request.url ?? '', 'http://resolver');
  const answer = await fetch(`${dns.urls[0]}${search}`);
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
let asked = 0;
const vendor = createServer((_, response) => {
  asked += 1;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ success: true, result: 'deliverable', reason: 'accepted_email', role: false }));
});
for (const server of [resolver, vendor]) await once(server.listen(0, '127.0.0.1'), 'listening');
const at = (server: typeof vendor): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const service = await startService({
  DOH_URLS: [1, 2].map((each) => `${at(resolver)}/${each}/dns-query`).join(','),
  KICKBOX_API_KEY: 'live_key',
  KICKBOX_BASE_URL: at(vendor),
  KICKBOX_COST_USD: '0.0004',
});
afterAll(async () => {
  for (const server of [resolver, vendor]) {
    server.closeAllConnections();
    server.close();
  }
  await dns.stop();
});
vi.useFakeTimers({ toFake: ['Date'] });

let jobs = 0;
/** A job with the given addresses and this many more, each at a new domain of its own. */
async function started(addresses: number, ...others: string[]) {
  const organisation = await service.createOrganisation();
  const client = bulkCalls(service, organisation);
  const id = await client.create({});
  jobs += 1;
  const own = Array.from({ length: addresses }, (_, i) => `ada@r${jobs}-${i}.bulk.test`);
  await client.call('POST', `/${id}/paste`, { emails: [...own, ...others] });
  await client.call('POST', `/${id}/start`, {});
  asked = 0;
  return {
    run: () => service.runJobs(organisation.id),
    job: () => client.job(id),
    lines: async () => (await (await client.download(id)).text()).trim().split('\n').slice(1),
    unresolved: async () => {
      const { object } = service.objectOf(organisation.id);
      return (await object.findJob({ id: id as never }))?.job.unresolved ?? 0;
    },
  };
}

describe('a job while the resolver fails', () => {
  it('waits, asks no provider meanwhile, and finds the mail hosts once it is back', async () => {
    isAway = true;
    const job = await started(12);
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'running', progress: { rows_done: 0 } });
    expect(asked).toBe(0);
    isAway = false;
    vi.setSystemTime(Date.now() + HOUR_MS);
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'done', counts: { likely_valid: 12 } });
    expect(await job.unresolved()).toBe(0);
    expect(asked).toBe(12);
  });

  it('waits no longer than the fifth try: its rows say that the look-up failed, and are counted', async () => {
    isAway = true;
    const job = await started(12);
    for (let tries = 0; tries < 4; tries += 1) {
      await job.run();
      expect((await job.job()).state).toBe('running');
      vi.setSystemTime(Date.now() + HOUR_MS);
    }
    await job.run();
    isAway = false;
    expect(await job.job()).toMatchObject({ state: 'done', progress: { rows_done: 12 } });
    expect((await job.lines()).filter((line) => line.includes('mx_unresolved'))).toHaveLength(12);
    expect(await job.unresolved()).toBe(12);
  });
});

describe('a few domains that can’t be looked up', () => {
  it('hold nothing back: their rows say so and are counted, and each address is asked about once', async () => {
    const job = await started(12, 'ada@servfail.test', 'bob@servfail.test', 'ada@refused.test');
    await job.run();
    expect((await job.job()).state).toBe('done');
    expect((await job.lines()).filter((line) => line.includes('mx_unresolved'))).toHaveLength(3);
    expect(await job.unresolved()).toBe(3);
    expect(asked).toBe(15);
  });

  it('hold nothing back where the list has no other', async () => {
    const job = await started(0, 'ada@servfail.test', 'ada@refused.test');
    await job.run();
    expect((await job.job()).state).toBe('done');
    expect(await job.unresolved()).toBe(2);
  });
});
