import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { app } from '../../src/entrypoints/app.ts';
import { SECOND_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import {
  finishedOperation,
  lastKey,
  listWaiting,
  putOperation,
  waitingSince,
} from '../../src/organisation/sql/operations.ts';
import { counted, startCounting, watch } from '../support/counted.ts';
import { kickbox } from '../support/vendors/wire/kickbox.ts';
import { captureLog } from '../support/capture-log.ts';
import { call, countingReads, createOrganisation, holdAlarms, passTime, runAlarm, until } from '../support/worker.ts';

captureLog();
const loopback = (exports as unknown as { readonly default: Fetcher }).default;
type Mine = Awaited<ReturnType<typeof createOrganisation>>;

/** Lets the outbox be written, a second later. */
async function drain({ object }: Mine): Promise<void> {
  passTime(SECOND_MS);
  await runAlarm(object);
}

/** An organisation in use: its own rows are in Postgres, and its isolate knows the domain. */
async function createSettled(): Promise<Mine> {
  const mine = await createOrganisation({ rate_per_minute: 10_000 });
  await call('POST', '/v1/verify', mine.key, { email: 'first@business.test' });
  await drain(mine);
  await watch(mine.object);
  return mine;
}

beforeAll(async () => {
  holdAlarms();
  await startCounting((await createOrganisation()).object);
});
beforeEach(holdAlarms);
afterEach(() => {
  vi.useRealTimers();
  vi.mocked(globalThis.fetch).mockRestore?.();
});

const PROVIDER = Object.assign(Object.create(null), env, {
  KICKBOX_API_KEY: 'a key',
  KICKBOX_BASE_URL: 'https://provider.test',
});

const goodOf = (email: string) =>
  ({ email, verdict: 'deliverable', acceptsAll: false, role: false, consumer: false, variant: 0 }) as const;

function answerAsProvider(): void {
  const { fetch: fetchUrl } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== PROVIDER.KICKBOX_BASE_URL) return fetchUrl(input, init);
    return Promise.resolve(Response.json(kickbox.answer(goodOf(url.searchParams.get('email') ?? '')).json));
  });
}

/** In this isolate, with these settings. */
async function callWith<T>(settings: object, path: string, key: string, body: object): Promise<T> {
  const context = createExecutionContext();
  const request = new Request(`https://service.test${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await app.fetch(request, settings, context);
  await waitOnExecutionContext(context);
  expect(response.status).toBe(200);
  return response.json<T>();
}

/** One provider says about each address that it is good. A bounce of mail that is sent costs enough for each to be asked about. */
const verifyWithProvider = async (key: string, email: string): Promise<object> =>
  (await callWith<{ providers: object }>(PROVIDER, '/v1/verify', key, { email, context: { purpose: 'outbound' } }))
    .providers;

const ROTATED = Object.assign(Object.create(null), env, {
  HASH_SECRET: Buffer.alloc(32, 99).toString('base64'),
  HASH_SECRET_PREVIOUS: (env as unknown as Record<string, string>)['HASH_SECRET'],
});

type Bill = [path: string, body: object, headers: object, rows: number, drained: number, calls: readonly string[]];
const REQUESTS: Bill[] = [
  ['/v1/check', { email: 'a@business.test' }, {}, 1, 2, ['authorize']],
  ['/v1/verify', { email: 'b@business.test' }, {}, 3, 3, ['verify']],
  ['/v1/verify', { email: 'c@business.test' }, { 'idempotency-key': 'k' }, 6, 2, ['verify']],
  ['/v1/screen', { email: 'd@business.test', name: 'Ada' }, {}, 5, 3, ['authorize', 'commit']],
  ['/v1/decide', { email: 'e@business.test' }, {}, 3, 3, ['decide']],
];

// docs/costs.md has these figures. One more of any of them is a price that somebody should have decided on.
describe('what is billed', () => {
  it.each(REQUESTS)('%s %j %j: calls, rows, and rows of the drain behind it', async (path, body, headers, ...bill) => {
    const [rows, drained, calls] = bill;
    const mine = await createSettled();
    expect((await call('POST', path, mine.key, body, headers)).status).toBe(200);
    expect(counted()).toEqual({ calls, rows, kvReads: 0, kvWrites: 0, r2: 0, queued: 0 });
    await drain(mine);
    expect(counted()).toEqual({ calls: ['tick'], rows: drained, kvReads: 0, kvWrites: 0, r2: 0, queued: 0 });
  });

  it('a check of a domain that is asked of DNS: one read and one write of KV', async () => {
    const mine = await createSettled();
    await call('POST', '/v1/check', mine.key, { email: 'a@new.bulk.test' });
    expect(counted()).toEqual({ calls: ['authorize'], rows: 1, kvReads: 1, kvWrites: 1, r2: 0, queued: 0 });
  });

  it('a verification at a new domain that asks one provider, among many', async () => {
    const mine = await createSettled();
    answerAsProvider();
    // The isolate reads its lists and tables, and asks for the mail host's own address.
    await verifyWithProvider(mine.key, 'a@first.bulk.test');
    await drain(mine);
    await watch(mine.object);
    let rows = 0;
    let r2 = 0;
    for (let n = 0; n < 40; n += 1) {
      expect(await verifyWithProvider(mine.key, `a@d${n}.bulk.test`)).toMatchObject({ kickbox: { cost: 0.007 } });
      const one = counted();
      expect(one).toMatchObject({ calls: ['verify', 'commit'], kvReads: 1, kvWrites: 1, queued: 0 });
      rows += one.rows;
      r2 += one.r2;
    }
    // An isolate reads a table that all share again now and then, beside whatever request comes.
    expect(r2 / 40).toBeLessThan(0.05);
    await drain(mine);
    rows += counted().rows;
    // The address's own row, and one each of its domain, its list and the account among them.
    expect((rows / 40).toFixed(0)).toBe('10');
  });

  it('a verification, one a second, and among many a second', async () => {
    const mine = await createSettled();
    const verify = (n: number) => call('POST', '/v1/verify', mine.key, { email: `a${n}@business.test` });
    for (let n = 0; n < 10; n += 1) {
      await verify(n);
      await drain(mine);
    }
    const alone = counted().rows / 10;
    for (let n = 0; n < 200; n += 1) await verify(n);
    await drain(mine);
    const sustained = counted().rows / 200;
    // What is kept for its hour is forgotten one row each.
    passTime(3_700 * SECOND_MS);
    await runAlarm(mine.object);
    const forgotten = counted().rows / 211;
    expect([alone, sustained, forgotten].map((rows) => Number(rows.toFixed(1)))).toEqual([6, 3, 0]);
  });

  it('a row of a file', async () => {
    vi.useRealTimers();
    const mine = await createOrganisation();
    const { id } = (await call('POST', '/v1/bulk/jobs', mine.key, {})).body.job;
    const path = `/v1/bulk/jobs/${id}`;
    const rows = Array.from({ length: 1_000 }, (_, n) => `a${n}@business.test`);
    const headers = { authorization: `Bearer ${mine.key}`, 'content-type': 'text/csv' };
    await loopback.fetch(`https://service.test${path}/upload`, {
      method: 'PUT',
      headers,
      body: ['email', ...rows].join('\n'),
    });
    await watch(mine.object);
    await call('POST', `${path}/start`, mine.key, {});
    await until(async () => (await call('GET', path, mine.key)).body.job.state === 'done');
    await until(async () => (await mine.outboxRows()) === 0);
    const all = counted();
    expect(all.rows / rows.length).toBeLessThan(2.3);
    expect(all.r2 / rows.length).toBeLessThan(0.05);
  });
});

// docs/guides/rotate.md has these figures.
describe('what is billed while HASH_SECRET is rotated', () => {
  it('for an address that comes again', async () => {
    const mine = await createSettled();
    const { key } = mine;
    const blocked = { emails: ['a@business.test'] };
    await call('POST', '/v1/addresses/blocklist', key, blocked);
    await callWith(ROTATED, '/v1/check', key, { email: 'other@business.test' });
    await drain(mine);
    await watch(mine.object);
    const check = async (email: string) => {
      const { org_rule: rule } = await callWith<{ org_rule: string }>(ROTATED, '/v1/addresses/check', key, { email });
      const { calls, rows } = counted();
      await drain(mine);
      return { rule, calls: calls.join(), rows, drained: counted().rows };
    };
    const told = 'authorize,callRehashed';
    expect(await check('a@business.test')).toEqual({ rule: 'block', calls: told, rows: 14, drained: 3 });
    expect(await check('b@business.test')).toEqual({ rule: null, calls: told, rows: 6, drained: 2 });
    expect(await check('a@business.test')).toEqual({ rule: 'block', calls: 'authorize', rows: 1, drained: 2 });
  });

  it('for an address with a history, which moves with it', async () => {
    const mine = await createSettled();
    answerAsProvider();
    await verifyWithProvider(mine.key, 'a@business.test');
    await callWith(ROTATED, '/v1/verify', mine.key, { email: 'other@business.test' });
    await drain(mine);
    await watch(mine.object);
    await callWith(ROTATED, '/v1/verify', mine.key, { email: 'a@business.test' });
    const { calls, rows } = counted();
    await drain(mine);
    expect([calls.join(), rows, counted().rows]).toEqual(['verify,callRehashed', 12, 4]);
  });
});

it('a drain reads no row of the many operations that leave no record to Postgres', async () => {
  const { object } = await createOrganisation();
  const read = await runInDurableObject(object, (_, { storage }) => {
    const { sql, rowsRead } = countingReads(storage);
    const now = Date.now();
    for (let i = 0; i < 1_000; i += 1) putOperation(sql, newId('rq', now), now, finishedOperation('', '', now));
    putOperation(sql, newId('vr', now), now, finishedOperation('', '', null), { kind: 'trace', record: '{}' });
    rowsRead();
    const end = lastKey(sql);
    expect([waitingSince(sql, end), listWaiting(sql, 'trace', '', end, 100)]).toMatchObject([now, [{ at: now }]]);
    return rowsRead();
  });
  expect(read).toBeLessThanOrEqual(5);
});
