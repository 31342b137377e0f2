import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDnsServer } from '../../scripts/stack/dns-server.ts';
import { seed } from '../../scripts/stack/seed.ts';
import type { Seeded } from '../../scripts/stack/state.ts';
import type { Usage } from '../../src/contract/account.ts';
import type { BulkJob } from '../../src/contract/bulk.ts';
import type { TraceList } from '../../src/contract/traces.ts';
import type { Verification } from '../../src/contract/verification.ts';
import { LEASE_MS } from '../../src/domain/bulk/chunks.ts';
import { HOUR_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { tour } from '../support/api-tour.ts';
import { DocumentedApi } from '../support/documented-api.ts';
import { MADE_UP_MESSAGE } from '../support/next-version.ts';
import { type Moment, type Release, TwoReleases } from '../support/two-releases.ts';
import { says, startVendorStage, type VendorStage } from '../support/vendor-stage.ts';

/** A deploy, a rollback and a second deploy, each caught in its middle: objects and queues are never the same release's. */
const BEFORE: Moment = { schema: 'last', objects: 'last', queues: 'last' };
const DEPLOYED: Moment = { schema: 'next', objects: 'next', queues: 'last' };
const ROLLED_BACK: Moment = { schema: 'next', objects: 'last', queues: 'next' };
const DEPLOYED_AGAIN: Moment = { schema: 'next', objects: 'next', queues: 'next' };

/** By then every earlier lease has ended. */
const LATER_S = LEASE_MS / SECOND_MS + 5;
const SWEEP = '*/5 * * * *';
const NIGHT = '17 3 * * *';
const ENTRYPOINTS: readonly Release[] = ['last', 'next'];

/** Large enough to run throughout the test: chunks take 1.5 s each, one after the other. */
const ADDRESSES = 3_500;
const ANSWER_MS = 150;
const address = (n: number): string => `user${n}@business.test`;

let vendor: VendorStage;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let releases: TwoReleases;
let seeded: Seeded;
/** A job of another organisation, so that the first one's counts are not mixed with it. */
let touringKey: string;

/** Clock offset that keeps the test within one UTC month. */
function firstOffsetS(): number {
  const later = new Date(Date.now() + 2 * HOUR_MS);
  return later.getUTCMonth() === new Date().getUTCMonth() ? 0 : (2 * HOUR_MS) / SECOND_MS;
}

beforeAll(async () => {
  [vendor, dns] = await Promise.all([startVendorStage(), startDnsServer()]);
  vendor.play((_, email) => {
    const n = Number(/\d+/.exec(email)?.[0] ?? 0);
    const afterMs = email.startsWith('slow') ? 2_000 : ANSWER_MS;
    return { ...says(email, n % 9 === 2 ? { verdict: 'undeliverable' } : {}), afterMs };
  });
  const secret = () => randomBytes(32).toString('base64');
  const serviceSecret = secret();
  const zerobounce = Object.entries(vendor.settings).filter(([name]) => name.startsWith('ZEROBOUNCE_'));
  releases = await TwoReleases.open(
    {
      ...Object.fromEntries(zerobounce),
      SERVICE_SECRET: serviceSecret,
      HASH_SECRET: secret(),
      DOH_URLS: dns.urls.join(','),
      DISPOSABLE_SOURCE_URLS: '',
      LOCAL_STACK: '1',
    },
    firstOffsetS(),
  );
  await releases.goOn(BEFORE);
  seeded = await seed(releases.entrypoint('last'), serviceSecret, releases.nowMs);
  const { organisation } = await ask<{ organisation: { id: string } }>('last', 'POST', '/operator/v1/organisations', {
    name: 'Touring',
  });
  const path = `/operator/v1/organisations/${organisation.id}/keys`;
  const body = { name: 'touring', role: 'admin', origin: 'auto', test: false };
  touringKey = (await ask<{ key: { key: string } }>('last', 'POST', path, body)).key.key;
}, 300_000);

afterAll(async () => {
  await releases?.remove();
  await Promise.all([vendor?.stop(), dns?.stop()]);
});

/** What a request that must succeed answers. */
async function ask<T>(release: Release, method: string, path: string, body?: unknown, headers = {}): Promise<T> {
  const response = await releases.request(release, path, {
    method,
    headers: {
      authorization: `Bearer ${path.startsWith('/operator') ? seeded.keys.operator : seeded.keys.admin}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${release}: ${method} ${path}: ${response.status} ${text}`);
  return (text.startsWith('{') ? JSON.parse(text) : text) as T;
}

const verify = (release: Release, email: string, key: string) =>
  ask<Verification>(release, 'POST', '/v1/verify', { email }, { 'idempotency-key': key });
const usage = (release: Release) => ask<Usage>(release, 'GET', '/v1/usage');
/** The traces without those of the running job. */
async function charges(release: Release): Promise<object> {
  const { bulk: _, ...calls } = (await usage(release)).calls;
  return calls;
}
const jobOf = async (release: Release, id: string) =>
  (await ask<{ job: BulkJob }>(release, 'GET', `/v1/bulk/jobs/${id}`)).job;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100);
}

async function outbox(release: Release) {
  type Row = { id: string; outbox_rows: number; outbox_dead: number };
  const { organisations } = await ask<{ organisations: Row[] }>(release, 'GET', '/operator/v1/status');
  const found = organisations.find(({ id }) => id === seeded.org_id);
  return { rows: found?.outbox_rows, dead: found?.outbox_dead };
}

/** All of an organisation's traces, from Postgres. */
async function traceIds(release: Release, query = ''): Promise<string[]> {
  const ids: string[] = [];
  for (let rest: string | null = ''; rest !== null;) {
    const page: TraceList = await ask(release, 'GET', `/v1/traces?limit=200${query}${rest}`);
    ids.push(...page.traces.map(({ trace_id: id }) => id));
    rest = page.cursor && `&cursor=${page.cursor}`;
  }
  return ids;
}

/** An organisation's state, which must be the same through both releases and survive a deploy or rollback. */
const account = async (release: Release) => ({
  me: await ask(release, 'GET', '/v1/me'),
  charges: await charges(release),
  blocked: await ask(release, 'GET', '/v1/domains/blocklist'),
  allowed: await ask(release, 'GET', '/v1/addresses/allowlist'),
  policy: await ask(release, 'GET', '/v1/policies/strict'),
});

/** Written and charged, in the organisation's name, so far. */
const done: { key: string; email: string; traceId: string }[] = [];

async function charge(release: Release, key: string): Promise<void> {
  const email = `${key}@business.test`;
  const { trace_id: traceId } = await verify(release, email, key);
  done.push({ key, email, traceId });
}

/** A request that was cut off may be sent again: it is charged once. */
async function answerCut(release: Release): Promise<void> {
  const before = (await usage(release)).calls.verify;
  const email = 'slow.cut@business.test';
  const { trace_id: traceId } = await verify(release, email, 'cut');
  done.push({ key: 'cut', email, traceId });
  expect((await usage(release)).calls.verify).toBe(before);
}

/** What the organisation has, seen through an entrypoint, with every charged request sent again. */
async function carriedOver(release: Release) {
  const repeated: string[] = [];
  for (const { key, email } of done) repeated.push((await verify(release, email, key)).trace_id);
  return { repeated, ...(await account(release)) };
}

/** What both entrypoints have to show: no repeat is another trace, and none is charged. */
async function madeSoFar() {
  return { repeated: done.map(({ traceId }) => traceId), ...(await account('last')) };
}

/** Operations that a tour through this entrypoint has left out. */
async function leftOut(entrypoint: Release, name: string): Promise<string[]> {
  const api = new DocumentedApi(releases.documentOf(entrypoint), releases.entrypoint(entrypoint));
  await tour(api, touringKey, name);
  return api.routeIds.filter((id) => !api.called.has(id));
}

const rowsDone = async (release: Release) => (await jobOf(release, job)).progress?.rows_done ?? 0;
let job = '';

/** Fills the outbox, then cuts off whatever is under way. */
async function goOn(moment: Moment, fill: () => Promise<void>): Promise<void> {
  expect(releases.errors()).toEqual([]);
  await releases.database('down');
  await fill();
  expect(await rowsDone('last')).toBeLessThan(ADDRESSES);
  await releases.goOn(moment, LATER_S);
}

/** What an operator does through one entrypoint, and a key it makes through the other: the status of each answer. */
async function operate(entrypoint: Release): Promise<number[]> {
  const statuses: number[] = [];
  const send = async (
    method: string,
    path: string,
    body?: object,
    key = seeded.keys.operator,
    through = entrypoint,
  ) => {
    const response = await releases.request(through, path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    statuses.push(response.status);
    return (await response.json()) as { organisation: { id: string }; key: { id: string; key: string } };
  };
  const { organisation } = await send('POST', '/operator/v1/organisations', { name: 'Acme' });
  const path = `/operator/v1/organisations/${organisation.id}`;
  const { key } = await send('POST', `${path}/keys`, { name: 'x', role: 'member', origin: 'auto', test: false });
  for (const each of ENTRYPOINTS) await send('GET', '/v1/me', undefined, key.key, each);
  await send('PATCH', path, { verification_quota: 1 });
  await send('POST', '/operator/v1/forget', { email: 'nobody@business.test' });
  await send('POST', `${path}/rebuild`, {});
  await send('DELETE', `${path}/keys/${key.id}`);
  for (const each of ENTRYPOINTS) await send('GET', '/v1/me', undefined, key.key, each);
  await send('GET', '/operator/v1/status');
  return statuses;
}

const DONE = [201, 201, 200, 200, 200, 200, 200, 200, 401, 401, 200];

/** Begins a night; resolves with whether it is over. */
async function beginNight(release: Release): Promise<() => Promise<boolean>> {
  type Computed = { computed_at: number | null };
  const computedAt = async () => (await ask<Computed>('last', 'GET', '/v1/segments')).computed_at ?? 0;
  const before = await computedAt();
  await releases.cron(release, NIGHT);
  return async () => (await computedAt()) > before;
}

describe('a deploy, a rollback and a second deploy', () => {
  it('begin on what the last release has made on its own schema: rules, policies, charges, a job under way, a full outbox', async () => {
    await ask('last', 'POST', '/v1/domains/blocklist', { domains: ['spam.example'], note: 'May' });
    await ask('last', 'POST', '/v1/addresses/allowlist', { emails: ['eve@example.com'] });
    const rule = { id: 'free', when: { path: 'verification.email_type', op: 'eq', value: 'free' }, decision: 'review' };
    await ask('last', 'PUT', '/v1/policies/strict', { name: 'Strict', rules: [rule], default: 'allow' });
    await charge('last', 'written');
    const { job: made } = await ask<{ job: BulkJob }>('last', 'POST', '/v1/bulk/jobs', { policy_slug: 'strict' });
    job = made.id;
    const lines = Array.from({ length: ADDRESSES }, (_, n) => address(n));
    const file = ['email', ...lines].join('\n');
    await ask('last', 'PUT', `/v1/bulk/jobs/${job}/upload`, file, { 'content-type': 'text/csv' });
    await ask('last', 'POST', `/v1/bulk/jobs/${job}/start`, {});
    await until(async () => (await rowsDone('last')) >= 100);
    let cut: Promise<unknown> | undefined;
    await goOn(DEPLOYED, async () => {
      await charge('last', 'unwritten');
      await ask('last', 'POST', '/v1/outcome', { trace_id: done[0]?.traceId, outcome: 'hard_bounce' });
      await ask('last', 'POST', '/v1/events', {
        trace_id: done[0]?.traceId,
        event: 'subscribed',
        at: Math.floor(releases.nowMs / SECOND_MS),
      });
      await ask('last', 'POST', '/v1/screen', { email: 'ada@gmial.com', name: 'Ada Lovelace' });
      await ask('last', 'POST', '/v1/addresses/blocklist', { emails: ['mallory@example.com'] });
      // Charged, and cut before it is answered.
      cut = verify('last', 'slow.cut@business.test', 'cut').catch(() => 'cut');
      await sleep(300);
    });
    expect(await cut).toBe('cut');
  });

  it('find all of it under the next release’s objects, through both entrypoints', async () => {
    await releases.cron('next', SWEEP);
    await charge('next', 'next');
    await charge('last', 'last');
    await answerCut('next');
    const made = await madeSoFar();
    for (const entrypoint of ENTRYPOINTS) expect(await carriedOver(entrypoint), entrypoint).toEqual(made);
  });

  it.each(ENTRYPOINTS)(
    'keep every operation of the %s release’s document under the next release’s objects',
    async (entrypoint) => {
      expect(await leftOut(entrypoint, `deployed-${entrypoint}`)).toEqual([]);
    },
  );

  it.each(ENTRYPOINTS)(
    'are operated through the %s release’s entrypoint, with the next release’s objects',
    async (entrypoint) => {
      expect(await operate(entrypoint)).toEqual(DONE);
    },
  );

  it('have the night that the next release begins done by the last release’s consumer', async () => {
    await until(await beginNight('next'));
  });

  it('leave a message of a kind that the next release adds to that release', async () => {
    await releases.send('next', { ...MADE_UP_MESSAGE, organisationId: seeded.org_id });
    await until(async () => releases.logged('wake_newer').length > 0);
    expect(releases.logged('made_up')).toEqual([]);
  });

  it('go back with an outbox, a ledger and a job that the next release has written', async () => {
    await goOn(ROLLED_BACK, async () => {
      await charge('next', 'next-unwritten');
      await charge('last', 'last-unwritten');
    });
    await releases.cron('last', SWEEP);
    const made = await madeSoFar();
    for (const entrypoint of ENTRYPOINTS) expect(await carriedOver(entrypoint), entrypoint).toEqual(made);
  });

  it('have such a message read by the next release’s consumer', async () => {
    await releases.send('last', { ...MADE_UP_MESSAGE, organisationId: seeded.org_id });
    await until(async () => releases.logged('made_up').length > 0);
  });

  it.each(ENTRYPOINTS)(
    'keep every operation of the %s release’s document under the last release’s objects',
    async (entrypoint) => {
      expect(await leftOut(entrypoint, `rolled-back-${entrypoint}`)).toEqual([]);
    },
  );

  it.each(ENTRYPOINTS)(
    'are operated through the %s release’s entrypoint, with the last release’s objects',
    async (entrypoint) => {
      expect(await operate(entrypoint)).toEqual(DONE);
    },
  );

  it('have the night that the last release begins done by the next release’s consumer', async () => {
    await until(await beginNight('last'));
  });

  it('end the job with each address charged, traced and answered once, and an empty outbox', async () => {
    await goOn(DEPLOYED_AGAIN, () => charge('last', 'last-again'));
    await releases.cron('next', SWEEP);
    await until(async () => (await jobOf('next', job)).state === 'done');
    const made = await madeSoFar();
    for (const entrypoint of ENTRYPOINTS) expect(await carriedOver(entrypoint), entrypoint).toEqual(made);
    await until(async () => (await outbox('next')).rows === 0);
    expect((await outbox('last')).dead).toBe(0);
    for (const entrypoint of ENTRYPOINTS) {
      const csv = await ask<string>(entrypoint, 'GET', `/v1/bulk/jobs/${job}/results.csv`);
      const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
      expect(new Set(data.map(({ email }) => email)).size).toBe(ADDRESSES);
      expect(data.filter(({ svc_status: status }) => status !== 'ok')).toEqual([]);
      expect(new Set(await traceIds(entrypoint, `&bulk_job_id=${job}`)).size).toBe(ADDRESSES);
    }
    expect((await usage('next')).calls.bulk).toBe(ADDRESSES);
    const ids = new Set(await traceIds('next'));
    expect(done.filter(({ traceId }) => !ids.has(traceId))).toEqual([]);
    expect(releases.errors()).toEqual([]);
  });
});
