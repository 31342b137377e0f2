import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RULES_MAX } from '../../src/domain/rules/rules.ts';
import { domainRule } from '../../src/storage/postgres/directory-schema.ts';
import {
  call,
  captureLog,
  createOrganisation,
  database,
  holdAlarms,
  operator,
  passTime,
  runAlarm,
  switchDatabase,
} from '../support/worker.ts';

captureLog();
afterEach(async () => {
  vi.useRealTimers();
  await switchDatabase({ down: false });
});

type Organisation = Awaited<ReturnType<typeof createOrganisation>>;
const LISTS = ['blocklist', 'allowlist'] as const;

const domains = (from: number, count = 1_000): string[] =>
  Array.from({ length: count }, (_, i) => `d${from + i}.example`);
const change = ({ key }: Organisation, list: (typeof LISTS)[number], body: object, method = 'POST') =>
  call(method, `/v1/domains/${list}`, key, body);

/** Every entry of a list, page by page. */
async function readList({ key }: Organisation, list: (typeof LISTS)[number]) {
  const entries: { id: string; domain: string }[] = [];
  let [cursor, count] = ['', 0];
  do {
    const path = `/v1/domains/${list}?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await call('GET', path, key);
    expect(status).toBe(200);
    entries.push(...body.entries);
    ({ count } = body);
    cursor = body.cursor ?? '';
  } while (cursor !== '');
  expect(entries).toHaveLength(count);
  return entries;
}

describe('twelve batches of a thousand side by side', () => {
  it('never come to more than the cap, and each is applied whole or not at all', async () => {
    const mine = await createOrganisation();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => change(mine, LISTS[n % 2] ?? 'blocklist', { domains: domains(n * 1_000) })),
    );
    const applied = answers.filter(({ status }) => status === 200);
    expect(applied.map(({ body }) => body.added)).toEqual(Array(10).fill(1_000));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2);
    const all = [...(await readList(mine, 'blocklist')), ...(await readList(mine, 'allowlist'))];
    expect(all).toHaveLength(RULES_MAX);
    expect(new Set(all.map(({ domain }) => domain)).size).toBe(RULES_MAX);
    // Entries may change lists even when the rules are full.
    const taken = all[0]?.domain ?? '';
    expect((await change(mine, 'allowlist', { domains: [taken, 'one-more.example'] })).status).toBe(400);
    expect((await change(mine, 'blocklist', { domains: [taken] })).status).toBe(200);
  });

  it('leave each domain on one list when they name it for both', async () => {
    const mine = await createOrganisation();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => change(mine, LISTS[n % 2] ?? 'blocklist', { domains: domains(n * 100) })),
    );
    const sum = (field: string) => answers.reduce((total, { body }) => total + body[field], 0);
    const lists = [await readList(mine, 'blocklist'), await readList(mine, 'allowlist')];
    const names = lists.flat().map(({ domain }) => domain);
    expect(names.toSorted()).toEqual(domains(0, 2_100).toSorted());
    expect(sum('added')).toBe(2_100);
    expect(sum('added') + sum('moved') + sum('unchanged')).toBe(12_000);
  });
});

describe('an object that is evicted between requests', () => {
  it('has the same lists, and the same rules in force', async () => {
    const mine = await createOrganisation();
    await change(mine, 'blocklist', { domains: ['business.test', ...domains(0, 300)], note: 'spam' });
    await change(mine, 'allowlist', { domains: domains(0, 100) });
    const before = [await readList(mine, 'blocklist'), await readList(mine, 'allowlist')];
    await evictDurableObject(mine.object);
    expect([await readList(mine, 'blocklist'), await readList(mine, 'allowlist')]).toEqual(before);
    const checked = await call('POST', '/v1/check', mine.key, { email: 'ada@mail.business.test' });
    expect(checked.body.reason).toBe('domain_blocklisted');
    await change(mine, 'blocklist', { ids: [before[0]?.at(-1)?.id] }, 'DELETE');
    await evictDurableObject(mine.object);
    expect(await readList(mine, 'blocklist')).toEqual(before[0]?.slice(0, -1));
  });
});

describe('an object that is killed in the middle of changes', () => {
  it('has made each whole or not at all; sent again, all are in force and none twice', async () => {
    const mine = await createOrganisation();
    const send = () =>
      Promise.all(Array.from({ length: 6 }, (_, n) => change(mine, 'blocklist', { domains: domains(n * 500, 500) })));
    const sent = send();
    await abortAllDurableObjects();
    const confirmed = (await sent).filter(({ status }) => status === 200);
    expect((await readList(mine, 'blocklist')).length % 500).toBe(0);
    expect((await readList(mine, 'blocklist')).length).toBeGreaterThanOrEqual(confirmed.length * 500);
    const again = await send();
    expect(again.map(({ status }) => status)).toEqual(again.map(() => 200));
    const names = (await readList(mine, 'blocklist')).map(({ domain }) => domain);
    expect(names.toSorted()).toEqual(domains(0, 3_000).toSorted());
  });
});

describe('while Postgres is down', () => {
  it('rules change as ever; once it is back their projection is what the lists are', async () => {
    holdAlarms();
    const mine = await createOrganisation();
    await runAlarm(mine.object);
    await switchDatabase({ down: true });
    // Long ones: more than is read from the outbox in one go.
    const long = (from: number, count?: number) =>
      domains(from, count).map((name) => `${'x'.repeat(60)}.${'y'.repeat(60)}.${'z'.repeat(60)}.${name}`);
    for (let from = 0; from < 10_000; from += 1_000)
      expect((await change(mine, 'blocklist', { domains: long(from), note: 'x'.repeat(500) })).status).toBe(200);
    await change(mine, 'allowlist', { domains: long(0, 10) });
    await change(mine, 'blocklist', { domains: long(10, 10) }, 'DELETE');
    await runAlarm(mine.object);
    // The twelve changes, and the line of the audit log for each list and what was done to it.
    expect(await mine.outboxRows()).toBe(12 + 3);
    await switchDatabase({ down: false });
    passTime(1_000);
    await runAlarm(mine.object);
    expect(await mine.outboxRows()).toBe(0);
    const projected = await database.select().from(domainRule).where(eq(domainRule.organisationId, mine.id));
    const byRule = (rule: string) =>
      projected
        .filter((row) => row.rule === rule)
        .map(({ id, domain }) => ({ id, domain }))
        .toSorted((a, b) => (a.id < b.id ? 1 : -1));
    for (const [list, rule] of [
      ['blocklist', 'block'],
      ['allowlist', 'allow'],
    ] as const)
      expect(byRule(rule)).toEqual((await readList(mine, list)).map(({ id, domain }) => ({ id, domain })));
    await call('DELETE', `/operator/v1/organisations/${mine.id}`, await operator());
    expect(await database.select().from(domainRule).where(eq(domainRule.organisationId, mine.id))).toEqual([]);
  });
});
