import { beforeEach, describe, expect, it, vi } from 'vitest';
import { RULES_MAX, type RuleRecord } from '../../../src/domain/rules/rules.ts';
import { MINUTE_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { countRules, listRules } from '../../../src/organisation/rules.ts';
import { createRules, subjects } from '../../support/rules.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { explaining } from '../../support/object-storage.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon();
});

describe('adding rules', () => {
  it('keeps what was sent, each entry with an id and a time of its own', async () => {
    const { add, page } = await createRules();
    expect(await add('block', ['a.example', 'b.example'], { note: 'spam', author: { actor: 'key_7' } })).toEqual({
      ok: true,
      added: 2,
      moved: 0,
      unchanged: 0,
      total: 2,
    });
    const { entries, count } = await page('block', 50);
    expect(count).toBe(2);
    expect(entries).toEqual(
      ['b.example', 'a.example'].map((key) => ({
        key,
        display: key,
        rule: 'block',
        note: 'spam',
        createdBy: 'key_7',
        id: expect.stringMatching(/^dr_[0-9a-z]{26}$/),
        createdAt: Date.now(),
      })),
    );
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });

  it('keeps an address as hash and mask, and nothing else of it', async () => {
    const { organisation, add, page } = await createRules();
    await add('allow', [{ key: 'hash', display: 'a•••@acme.example' }], { kind: 'address' });
    const { entries } = await page('allow', 50, null, 'address');
    expect(entries).toMatchObject([{ key: 'hash', display: 'a•••@acme.example', id: expect.stringMatching(/^ar_/) }]);
    expect(organisation.dump().address_rule).toEqual([
      expect.objectContaining({ hash: 'hash', display: 'a•••@acme.example', rule: 'allow', note: null }),
    ]);
  });

  it('takes an entry from the other list: a new one, with its own note', async () => {
    const { add, page, keys } = await createRules();
    await add('block', ['a.example', 'b.example'], { note: 'spam' });
    const [before] = (await page('block', 1)).entries;
    expect(await add('allow', ['b.example', 'c.example'])).toMatchObject({
      added: 1,
      moved: 1,
      unchanged: 0,
      total: 2,
    });
    expect([await keys('block'), await keys('allow')]).toEqual([['a.example'], ['c.example', 'b.example']]);
    const moved = (await page('allow', 2)).entries[1];
    expect(moved).toMatchObject({ note: null, createdAt: Date.now() });
    expect(moved?.id).not.toBe(before?.id);
  });

  it('leaves an entry that is there as it is, but for a note that is sent', async () => {
    const { add, page } = await createRules();
    await add('block', ['a.example'], { note: 'spam' });
    const [first] = (await page('block', 1)).entries;
    expect(await add('block', ['a.example'], { author: { actor: 'u_2' } })).toMatchObject({ unchanged: 1, total: 1 });
    expect((await page('block', 1)).entries).toEqual([first]);
    expect(await add('block', ['a.example'], { note: 'ham' })).toMatchObject({ added: 0, unchanged: 1, total: 1 });
    expect((await page('block', 1)).entries).toEqual([{ ...first, note: 'ham' }]);
  });

  it('writes nothing towards Postgres when nothing is new', async () => {
    const { organisation, add } = await createRules();
    await add('block', ['a.example'], { note: 'spam' });
    const before = organisation.dump().outbox?.length;
    await add('block', ['a.example'], { note: 'spam' });
    await add('block', []);
    expect(organisation.dump().outbox).toHaveLength(before ?? 0);
  });

  it('fills both lists together up to the cap, and applies nothing of a change that goes beyond', async () => {
    const { organisation, add, page, remove } = await createRules();
    for (let from = 0; from < RULES_MAX - 1_000; from += 1_000) await add('block', subjects(from, 1_000));
    await add('allow', subjects(RULES_MAX - 1_000, 999));
    const before = organisation.dump();
    const full = { ok: false, held: RULES_MAX - 1, added: 2 };
    expect(await add('block', ['new.example', 'newer.example', 'd0.example'])).toEqual(full);
    expect(organisation.dump()).toEqual({ ...before, operation: expect.anything() });
    expect(await add('allow', ['new.example'])).toMatchObject({ added: 1, total: 1_000 });
    // When full, moved and unchanged entries need no room; other kinds have their own cap.
    expect(await add('allow', ['d0.example', 'new.example'])).toMatchObject({ added: 0, moved: 1, unchanged: 1 });
    expect(await add('block', ['d0.example', 'more.example'])).toMatchObject({ ok: false, held: RULES_MAX, added: 1 });
    expect(await add('block', [{ key: 'hash', display: '' }], { kind: 'address' })).toMatchObject({ added: 1 });
    expect(await remove('allow', ['d0.example'])).toMatchObject({ removed: 1 });
    expect(await add('block', ['more.example'])).toMatchObject({ added: 1, total: RULES_MAX - 1_000 });
    expect((await page('block', 1)).count).toBe(RULES_MAX - 1_000);
  });
});

describe('removing rules', () => {
  it('distinguishes, by id, an id of the other list from an unknown one', async () => {
    const { add, remove, page, keys } = await createRules();
    await add('block', ['a.example', 'b.example']);
    await add('allow', ['c.example']);
    const [b, c] = [(await page('block', 1)).entries[0]?.id ?? '', (await page('allow', 1)).entries[0]?.id ?? ''];
    const never = newId('dr', START_MS);
    expect(await remove('block', [b, c, never], 'id')).toEqual({ removed: 1, notFound: 1, unknown: [2], total: 1 });
    expect([await keys('block'), await keys('allow')]).toEqual([['a.example'], ['c.example']]);
  });
});

describe('a change that is sent again', () => {
  it('is made once, and answered as the first time, also after an eviction', async () => {
    const { organisation, add, remove, keys } = await createRules();
    const operationId = newId('rq', START_MS);
    const first = await add('block', ['a.example'], { operationId });
    await remove('block', ['a.example']);
    organisation.evict();
    expect(await add('block', ['a.example'], { operationId })).toEqual(first);
    expect(await keys('block')).toEqual([]);
  });

  it('is known for minutes only, and unknown ids do not fill the table', async () => {
    const { organisation, remove } = await createRules();
    const held = () => JSON.stringify(organisation.dump().operation);
    for (let minute = 0; minute < 30; minute += 1) {
      vi.setSystemTime(START_MS + minute * MINUTE_MS);
      const unknown = Array.from({ length: 1_000 }, () => newId('dr', START_MS));
      expect(await remove('block', unknown, 'id')).toMatchObject({ unknown: unknown.map((_, place) => place) });
    }
    expect(organisation.dump().operation?.length).toBeLessThan(10);
    expect(held()).not.toContain('dr_');
  });
});

describe('a page', () => {
  it('follows on the one before though rules are added, moved and removed meanwhile', async () => {
    const { add, remove, page } = await createRules();
    await add('block', subjects(0, 10));
    const seen: string[] = [];
    let before: string | null = null;
    for (let turn = 0; ; turn += 1) {
      const { entries }: { entries: readonly RuleRecord[] } = await page('block', 2, before);
      if (entries.length === 0) break;
      seen.push(...entries.map(({ key }) => key));
      before = entries.at(-1)?.id ?? null;
      await add('block', subjects(100 + turn, 1));
      // The rule of the cursor is gone by then.
      await remove('block', [seen.at(-1) ?? '']);
      if (turn === 1) await add('allow', ['d0.example']);
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `d${n}.example`));
  });

  it.each(['domain', 'address'] as const)(
    'and the count of %s rules are read through the lists’ order',
    async (kind) => {
      const { sql, plans } = explaining((await createRules()).organisation.storage.sql);
      listRules(sql, { kind, rule: 'block', limit: 5, before: null, search: null });
      listRules(sql, { kind, rule: 'block', limit: 5, before: newId('dr', START_MS), search: null });
      countRules(sql, kind, 'block');
      const table = `${kind}_rule`;
      const inOrder = expect.stringMatching(`^SEARCH ${table} USING (COVERING )?INDEX ${table}_list `);
      expect(plans).toEqual([[inOrder], [inOrder], [inOrder]]);
    },
  );
});

describe('forgetting an address', () => {
  it('removes its rule, of either list, and tells how many there were', async () => {
    const { organisation, add, keys } = await createRules();
    await add('block', [{ key: 'h1', display: 'a•••@acme.example' }], { kind: 'address' });
    await add('allow', [{ key: 'h2', display: 'b•••@acme.example' }], { kind: 'address' });
    expect(await organisation.object.forget('h2')).toMatchObject({ rules: 1 });
    expect(await organisation.object.forget('h2')).toMatchObject({ rules: 0 });
    expect(await organisation.object.forget('h3')).toMatchObject({ rules: 0 });
    expect([await keys('block', 'address'), await keys('allow', 'address')]).toEqual([['h1'], []]);
  });

  it('does nothing for a deleted organisation', async () => {
    const { organisation } = await createRules();
    await organisation.object.destroy();
    expect(await organisation.object.forget('h1')).toMatchObject({ rules: 0, drained: true, isGone: true });
  });
});
