import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LEASE_MS } from '../../src/domain/bulk/chunks.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { startService } from '../support/service.ts';

/** How many questions the vendor answers before it refuses with 429. */
let answersLeft = 0;
const asked: string[] = [];
/** The vendor accepts the question and closes the connection without an answer. */
let hangsUp = false;
/** Runs once, while a question is under way. */
let aside: (() => Promise<unknown>) | null = null;
/** Each question waits until this resolves. */
let hold = async (): Promise<void> => undefined;
const vendor = createServer((request, response) => {
  const happening = aside?.() ?? hold();
  aside = null;
  void happening.then(() => answer(request, response));
});
function answer(request: IncomingMessage, response: ServerResponse): void {
  asked.push(new URL(request.url ?? '', 'http://vendor').searchParams.get('email') ?? '');
  if (hangsUp) return void request.socket.destroy();
  answersLeft -= 1;
  if (answersLeft < 0) return void response.writeHead(429).end('{}');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ success: true, result: 'deliverable', reason: 'accepted_email', role: false }));
}
vendor.listen(0, '127.0.0.1');
await once(vendor, 'listening');
const service = await startService({
  KICKBOX_API_KEY: 'live_key',
  KICKBOX_BASE_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
  KICKBOX_COST_USD: '0.0004',
});
afterAll(() => {
  vendor.closeAllConnections();
  vendor.close();
});
vi.useFakeTimers({ toFake: ['Date'] });
const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
beforeEach(() => {
  // An hour on, the vendor's health no longer reflects the test before.
  pass(HOUR_MS);
  asked.length = 0;
  hold = async () => undefined;
});

let domains = 0;
/** A started job with this many addresses; by default each has a new domain of its own. */
async function started(addresses: number, domain = () => `d${domains}.google-workspace.test`) {
  const organisation = await service.createOrganisation();
  const call = (method: string, path: string, body?: object) =>
    service.call(method, `/v1/bulk/jobs${path}`, organisation.keys.member, body);
  const { id } = (await call('POST', '', {})).body.job;
  const emails = Array.from({ length: addresses }, () => {
    domains += 1;
    return `a${domains}@${domain()}`;
  });
  await call('POST', `/${id}/paste`, { emails });
  const { body: estimate } = await call('GET', `/${id}/estimate`);
  await call('POST', `/${id}/start`, {});
  return {
    estimate,
    emails,
    run: (isLostWake?: () => boolean) => service.runJobs(organisation.id, isLostWake),
    job: async () => (await call('GET', `/${id}`)).body.job,
    usage: async () => (await service.call('GET', '/v1/usage', organisation.keys.viewer)).body,
    call: (path: string, method = 'GET') => call(method, `/${id}${path}`),
    /** How many requests the minute still allows: first of the verify family, then reads. */
    async rates(): Promise<number[]> {
      const { keys } = organisation;
      const answers = [
        await service.call('POST', '/v1/check', keys.viewer, { email: 'ada@business.test' }),
        await service.call('GET', '/v1/usage', keys.viewer),
      ];
      return answers.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]));
    },
    /** Reads the estimate of a second job with the same addresses. */
    async again() {
      const { id: other } = (await call('POST', '', {})).body.job;
      await call('POST', `/${other}/paste`, { emails });
      return async () => (await call('GET', `/${other}/estimate`)).body;
    },
    lines: async () => {
      const headers = { authorization: `Bearer ${organisation.keys.viewer}` };
      const text = await (await service.request(`/v1/bulk/jobs/${id}/results.csv`, { headers })).text();
      return text.trim().split('\n').slice(1);
    },
    loseHistory: () => void service.objectOf(organisation.id).storage.sql.exec('delete from address_facts'),
    files: () => service.files.keys(`orgs/${organisation.id}`),
  };
}

/** Holds questions until six wait, then calls `happen` and answers them. Returns the most that waited at once. */
function inSixes(happen: () => void): () => number {
  const waiting: (() => void)[] = [];
  let most = 0;
  const release = (): void => {
    happen();
    for (const go of waiting.splice(0)) go();
  };
  hold = () =>
    new Promise((go) => {
      most = Math.max(most, waiting.push(go));
      // Leaves time for a seventh question, if there is one.
      if (waiting.length === 6) setTimeout(release, 50);
    });
  return () => most;
}

describe('a job with a provider', () => {
  it('asks once an address and counts the spend; what it costs is estimated before', async () => {
    answersLeft = 1_000;
    const job = await started(20);
    expect(job.estimate).toMatchObject({ to_verify: 20, max_cost_usd: 0.008, cached: 0 });
    expect(job.estimate.expected_cost_usd).toBeGreaterThan(0.004);
    expect(job.estimate.expected_cost_usd).toBeLessThan(0.008);
    await job.run();
    expect(asked.sort()).toEqual(job.emails.toSorted());
    expect(await job.usage()).toMatchObject({ calls: { bulk: 20 }, provider_spend_usd: 0.008 });
    expect((await job.job()).counts).toEqual({ likely_valid: 20 });
    // Upload, index, addresses, the chunk's results and the merged results: no checkpoint is left.
    expect(job.files().length).toBe(5);
  });

  it('counts what may be billed for questions that broke off, of addresses that are asked again too', async () => {
    answersLeft = 1_000;
    hangsUp = true;
    const job = await started(20);
    await job.run();
    const brokeOff = asked.length;
    expect(brokeOff).toBeGreaterThan(0);
    const spent = async () => Math.round((await job.usage()).provider_spend_usd / 0.0004);
    expect(await spent()).toBe(brokeOff);
    hangsUp = false;
    pass(MINUTE_MS);
    await job.run();
    expect((await job.job()).counts).toEqual({ likely_valid: 20 });
    expect(asked.length).toBe(brokeOff + 20);
    expect(await spent()).toBe(brokeOff + 20);
  });

  it('has six questions under way at once, and no more', async () => {
    answersLeft = 1_000;
    const job = await started(18);
    const most = inSixes(() => undefined);
    await job.run();
    expect((await job.job()).counts).toEqual({ likely_valid: 18 });
    expect(most()).toBe(6);
  });

  it('keeps its hold on a chunk that takes longer than a lease', async () => {
    answersLeft = 1_000;
    const job = await started(6);
    inSixes(() => pass(LEASE_MS / 2));
    const store = service.files.bucket.put;
    const put = vi.spyOn(service.files.bucket, 'put');
    let results = 0;
    put.mockImplementation(async (key, value) => {
      if (/\/results\/\d/.test(key)) {
        results += 1;
        pass(0.75 * LEASE_MS);
      }
      return store(key, value);
    });
    await job.run();
    put.mockRestore();
    expect(await job.job()).toMatchObject({ state: 'done', counts: { likely_valid: 6 } });
    // A single worker held the chunk throughout.
    expect(results).toBe(1);
  });

  it('takes nothing of the minute’s requests', async () => {
    answersLeft = 1_000;
    const job = await started(20);
    const [check = 0, read = 0] = await job.rates();
    await job.run();
    expect((await job.job()).state).toBe('done');
    // The two calls of `rates`, and the read of the job.
    expect(await job.rates()).toEqual([check - 1, read - 2]);
  });

  it('stopped by a vendor’s limit continues later, and pays for no answer twice', async () => {
    answersLeft = 12;
    const job = await started(40);
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'running', progress: { rows_done: 0 } });
    expect(job.files().filter((key) => key.includes('/checkpoints/')).length).toBe(1);
    answersLeft = 1_000;
    service.facts.clear();
    asked.length = 0;
    pass(10 * MINUTE_MS);
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'done', counts: { likely_valid: 40 } });
    expect(asked.length).toBe(28);
    expect(await job.usage()).toMatchObject({ calls: { bulk: 40 }, provider_spend_usd: 0.016 });
    expect(job.files().filter((key) => key.includes('/checkpoints/'))).toEqual([]);
  });

  it('gives an address up after the fifth try only: `error`, and its charge back', async () => {
    answersLeft = 3;
    const job = await started(30);
    for (let tries = 0; tries < 4; tries += 1) {
      await job.run();
      expect((await job.job()).state).toBe('running');
      pass(HOUR_MS);
    }
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'done', counts: { likely_valid: 3 }, progress: { rows_done: 30 } });
    expect((await job.lines()).filter((line) => line.includes(',error,')).length).toBe(27);
    expect((await job.usage()).calls.bulk).toBe(3);
  });

  it('knows of another job’s addresses what is cached, and counts that again after ten minutes only', async () => {
    answersLeft = 1_000;
    const job = await started(8);
    await job.run();
    const estimate = await job.again();
    expect(await estimate()).toMatchObject({ rows_unique: 8, cached: 8, to_verify: 0, expected_cost_usd: 0 });
    job.loseHistory();
    service.facts.clear();
    pass(10 * MINUTE_MS - 1);
    expect(await estimate()).toMatchObject({ cached: 8 });
    pass(1);
    expect(await estimate()).toMatchObject({ cached: 0, to_verify: 8 });
  });

  it('writes what it learns of a domain once, however many of its addresses it has', async () => {
    answersLeft = 1_000;
    const put = vi.spyOn(service.env.FACTS, 'put');
    const job = await started(30, () => 'one.google-workspace.test');
    await job.run();
    expect((await job.job()).counts).toEqual({ likely_valid: 30 });
    const written = put.mock.calls.map(([key]) => key);
    expect(written.filter((key) => key.endsWith(':one.google-workspace.test')).length).toBe(1);
    expect(new Set(written).size).toBe(written.length);
    put.mockRestore();
  });

  it('keeps what was paid for when its lease ends at the last moment, and charges once', async () => {
    answersLeft = 1_000;
    const job = await started(30);
    const store = service.files.bucket.put;
    const put = vi.spyOn(service.files.bucket, 'put');
    put.mockImplementation(async (key, value) => {
      // The results are stored only after the lease has ended.
      if (!key.includes('/results/')) return store(key, value);
      pass(MINUTE_MS);
      service.facts.clear();
      put.mockRestore();
      return store(key, value);
    });
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'done', counts: { likely_valid: 30 } });
    // At most the answers since the last checkpoint of ten are paid again.
    expect(asked.length).toBeLessThan(30 + 2 * 10);
    expect(await job.usage()).toMatchObject({ calls: { bulk: 30 } });
  });

  it('says of an address what it said before its chunk was lost, an hour later and from the cache', async () => {
    answersLeft = 1_000;
    const job = await started(15);
    const store = service.files.bucket.put;
    const put = vi.spyOn(service.files.bucket, 'put');
    put.mockImplementation(async (key, value) => {
      if (key.includes('/checkpoints/')) return;
      if (!key.includes('/results/')) return store(key, value);
      pass(HOUR_MS);
      put.mockRestore();
      return store(key, value);
    });
    await job.run();
    const alone = await started(15);
    await alone.run();
    expect(asked.length).toBe(30);
    // The probability and its basis may differ: the first try has taught the account about the list.
    const said = async ({ lines }: typeof job) =>
      (await lines()).map((line) => line.replace(/^[^,]*|vr_\w+|(?:likely_)?valid,0\.\d+|provider|history/g, ''));
    expect(await said(job)).toEqual(await said(alone));
  });

  it('cancelled in the middle of its chunks finishes and keeps those, and begins no other', async () => {
    answersLeft = 1_000;
    const job = await started(430, () => 'cancel.google-workspace.test');
    aside = () => job.call('/cancel', 'POST');
    await job.run();
    const { state, progress, counts } = await job.job();
    expect({ state, progress, counts }).toEqual({
      state: 'cancelled',
      counts: { likely_valid: 400 },
      progress: { chunks_done: 4, chunks_total: 5, rows_done: 400 },
    });
    expect(await job.usage()).toMatchObject({ calls: { bulk: 400 } });
    const lines = await job.lines();
    expect(lines.filter((line) => line.includes(',ok,')).length).toBe(400);
    expect(lines.filter((line) => /test"?,,+$/.test(line)).length).toBe(30);
  });

  it('deleted in the middle of a chunk leaves no file and no charge', async () => {
    answersLeft = 1_000;
    const job = await started(60, () => 'delete.google-workspace.test');
    aside = () => job.call('', 'DELETE');
    await job.run();
    expect(await job.job()).toMatchObject({ state: 'cancelled', files_deleted_at: expect.any(Number) });
    expect(await job.usage()).toMatchObject({ calls: { bulk: 0 } });
    pass(2 * MINUTE_MS);
    await job.run();
    expect(job.files()).toEqual([]);
  });
});
