import { abortAllDurableObjects } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RULES_MAX } from '../../src/domain/rules/rules.ts';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, switchDatabase } from '../support/worker.ts';

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
