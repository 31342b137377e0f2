import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ProjectedChange,
  RULES_MAX,
  type Rule,
  type RuleKind,
  type RuleRecord,
  type RuleSubject,
} from '../../../src/domain/rule-lists/index.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon();
});
afterEach(() => vi.useRealTimers());

const subject = (key: string): RuleSubject => ({ key, display: key });
const subjects = (from: number, count: number): RuleSubject[] =>
  Array.from({ length: count }, (_, i) => subject(`d${from + i}.example`));

/** The rules of an organisation, changed and read as the use cases do; each call is a millisecond later. */
function rulesOf(organisation: TestOrganisation) {
  const call = (rule: Rule, kind: RuleKind) => {
    vi.setSystemTime(Date.now() + 1);
    return { v: 1, kind, rule, operationId: newId('rq', Date.now()) } as const;
  };
  const add = (rule: Rule, keys: readonly (string | RuleSubject)[], change: Partial<AddOptions> = {}) => {
    const { kind = 'domain', note = null, ...rest } = change;
    const all = keys.map((key) => (typeof key === 'string' ? subject(key) : key));
    return organisation.object.addRules({ ...call(rule, kind), subjects: all, note, createdBy: 'u_1', ...rest });
  };
  const remove = (rule: Rule, values: readonly string[], by: 'key' | 'id' = 'key', kind: RuleKind = 'domain') =>
    organisation.object.removeRules({ ...call(rule, kind), by, values });
  const page = (rule: Rule, limit: number, before: string | null = null, kind: RuleKind = 'domain') =>
    organisation.object.listRules({ v: 1, kind, rule, limit, before });
  const keys = async (rule: Rule, kind: RuleKind = 'domain') =>
    (await page(rule, RULES_MAX, null, kind)).entries.map(({ key }) => key);
  return { add, remove, page, keys };
}
interface AddOptions {
  readonly kind: RuleKind;
  readonly note: string | null;
  readonly createdBy: string;
  readonly operationId: string;
}

async function createRules() {
  const organisation = await createTestOrganisation();
  return { organisation, ...rulesOf(organisation) };
}

describe('adding rules', () => {
  it('keeps what was sent, each entry with an id and a time of its own', async () => {
    const { add, page } = await createRules();
    expect(await add('block', ['a.example', 'b.example'], { note: 'spam', createdBy: 'key_7' })).toEqual({
      ok: true,
      ...{ added: 2, moved: 0, unchanged: 0, total: 2 },
    });
    const { entries, count } = await page('block', 50);
    expect(count).toBe(2);
    expect(entries).toEqual(
      ['b.example', 'a.example'].map((key) => ({
        ...{ key, display: key, rule: 'block', note: 'spam', createdBy: 'key_7' },
        ...{ id: expect.stringMatching(/^dr_[0-9a-z]{26}$/), createdAt: Date.now() },
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
    expect(await add('block', ['a.example'], { createdBy: 'u_2' })).toMatchObject({ unchanged: 1, total: 1 });
    expect((await page('block', 1)).entries).toEqual([first]);
    expect(await add('block', ['a.example'], { note: 'ham' })).toMatchObject({ added: 0, unchanged: 1, total: 1 });
    expect((await page('block', 1)).entries).toEqual([{ ...first, note: 'ham' }]);
  });

  it('with nothing that is new writes nothing towards Postgres', async () => {
    const { organisation, add } = await createRules();
    await add('block', ['a.example'], { note: 'spam' });
    const before = organisation.dump().outbox?.length;
    await add('block', ['a.example'], { note: 'spam' });
    await add('block', []);
    expect(organisation.dump().outbox).toHaveLength(before ?? 0);
  });

  it('goes up to the cap, both lists together, and not one further; then nothing is applied', async () => {
    const { organisation, add, page, remove } = await createRules();
    for (let from = 0; from < RULES_MAX - 1_000; from += 1_000) await add('block', subjects(from, 1_000));
    await add('allow', subjects(RULES_MAX - 1_000, 999));
    const before = organisation.dump();
    const full = { ok: false, held: RULES_MAX - 1, added: 2 };
    expect(await add('block', ['new.example', 'newer.example', 'd0.example'])).toEqual(full);
    expect(organisation.dump()).toEqual({ ...before, operation: expect.anything() });
    expect(await add('allow', ['new.example'])).toMatchObject({ added: 1, total: 1_000 });
    // Full: what moves or stays takes no room, and another kind has its own.
    expect(await add('allow', ['d0.example', 'new.example'])).toMatchObject({ added: 0, moved: 1, unchanged: 1 });
    expect(await add('block', ['d0.example', 'more.example'])).toMatchObject({ ok: false, held: RULES_MAX, added: 1 });
    expect(await add('block', [{ key: 'hash', display: '' }], { kind: 'address' })).toMatchObject({ added: 1 });
    expect(await remove('allow', ['d0.example'])).toMatchObject({ removed: 1 });
    expect(await add('block', ['more.example'])).toMatchObject({ added: 1, total: RULES_MAX - 1_000 });
    expect((await page('block', 1)).count).toBe(RULES_MAX - 1_000);
  });
});

describe('removing rules', () => {
  it('takes them from the list that is named, and tells the others apart', async () => {
    const { add, remove, keys } = await createRules();
    await add('block', ['a.example', 'b.example']);
    await add('allow', ['c.example']);
    expect(await remove('block', ['a.example', 'c.example', 'never.example'])).toEqual({
      ...{ removed: 1, notFound: 2, unknownIds: [], total: 1 },
    });
    expect([await keys('block'), await keys('allow')]).toEqual([['b.example'], ['c.example']]);
  });

  it('by id knows an id of the other list from one that nothing has', async () => {
    const { add, remove, page, keys } = await createRules();
    await add('block', ['a.example', 'b.example']);
    await add('allow', ['c.example']);
    const [b, c] = [(await page('block', 1)).entries[0]?.id ?? '', (await page('allow', 1)).entries[0]?.id ?? ''];
    const never = newId('dr', START_MS);
    expect(await remove('block', [b, c, never], 'id')).toEqual({
      ...{ removed: 1, notFound: 1, unknownIds: [never], total: 1 },
    });
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
      // The rule the next page begins behind is gone by then.
      await remove('block', [seen.at(-1) ?? '']);
      if (turn === 1) await add('allow', ['d0.example']);
    }
    expect(seen).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `d${n}.example`));
  });

  it('and the count are read through the index of the lists’ order', async () => {
    const { sql } = (await createRules()).organisation.storage;
    for (const table of ['domain_rule', 'address_rule']) {
      const plan = (query: string, ...values: (string | number)[]) =>
        sql.exec<{ detail: string }>(`explain query plan ${query}`, ...values).toArray();
      const index = expect.stringMatching(`^SEARCH ${table} USING (COVERING )?INDEX ${table}_list `);
      expect(
        plan(`select * from ${table} where rule = ? and id < ? order by id desc limit ?`, 'block', 'x', 5),
      ).toEqual([expect.objectContaining({ detail: index })]);
      expect(plan(`select count(*) from ${table} where rule = ?`, 'block')).toEqual([
        expect.objectContaining({ detail: index }),
      ]);
    }
  });
});

describe('forgetting an address', () => {
  it('removes its rule, of whichever list, and tells how many there were', async () => {
    const { organisation, add, keys } = await createRules();
    await add('block', [{ key: 'h1', display: 'a•••@acme.example' }], { kind: 'address' });
    await add('allow', [{ key: 'h2', display: 'b•••@acme.example' }], { kind: 'address' });
    expect(await organisation.object.forget('h2')).toEqual({ rules: 1 });
    expect(await organisation.object.forget('h2')).toEqual({ rules: 0 });
    expect(await organisation.object.forget('h3')).toEqual({ rules: 0 });
    expect([await keys('block', 'address'), await keys('allow', 'address')]).toEqual([['h1'], []]);
  });

  it('of a deleted organisation does nothing', async () => {
    const { organisation } = await createRules();
    await organisation.object.destroy();
    expect(await organisation.object.forget('h1')).toEqual({ rules: 0 });
  });
});

/** The rules a projection of these changes would hold, in no order. */
function project(rows: readonly { kind: string; record: string }[], kind: RuleKind): RuleRecord[] {
  const held = new Map<string, RuleRecord>();
  for (const row of rows.filter((each) => each.kind === `${kind}_rules`)) {
    const { rule, note, put, removed } = JSON.parse(row.record) as ProjectedChange;
    for (const record of put) held.set(record.key, { ...record, rule: rule ?? 'block', note });
    for (const key of removed) held.delete(key);
  }
  return [...held.values()];
}

const KEY = fc.integer({ min: 0, max: 7 }).map((n) => `d${n}.example`);
const RULE = fc.constantFrom<Rule>('block', 'allow');
const NOTE = fc.constantFrom(null, 'one', 'two');
const STEP = fc.oneof(
  fc.record({ does: fc.constant('add' as const), rule: RULE, keys: fc.uniqueArray(KEY), note: NOTE }),
  fc.record({ does: fc.constant('remove' as const), rule: RULE, keys: fc.uniqueArray(KEY) }),
  fc.record({ does: fc.constant('evict' as const) }),
);

describe('any sequence of changes', () => {
  it('leaves the lists, their order and all counts as a plain model has them, and so the projection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { maxLength: 25 }), async (steps) => {
        const { organisation, add, remove, page } = await createRules();
        const model: Record<Rule, { key: string; note: string | null }[]> = { block: [], allow: [] };
        const without = (rule: Rule, keys: readonly string[]) => model[rule].filter(({ key }) => !keys.includes(key));
        for (const step of steps) {
          if (step.does === 'evict') {
            organisation.evict();
            continue;
          }
          const { rule, keys } = step;
          const other = rule === 'block' ? 'allow' : 'block';
          const listed = model[rule].filter(({ key }) => keys.includes(key));
          if (step.does === 'remove') {
            model[rule] = without(rule, keys);
            expect(await remove(rule, keys)).toEqual({
              ...{ removed: listed.length, notFound: keys.length - listed.length, unknownIds: [] },
              total: model[rule].length,
            });
          } else {
            const moved = model[other].length - without(other, keys).length;
            model[other] = without(other, keys);
            for (const entry of listed) entry.note = step.note ?? entry.note;
            const fresh = keys.filter((key) => !listed.some((entry) => entry.key === key));
            for (const key of fresh) model[rule].unshift({ key, note: step.note });
            expect(await add(rule, keys, { note: step.note })).toEqual({
              ok: true,
              ...{ added: fresh.length - moved, moved, unchanged: listed.length, total: model[rule].length },
            });
          }
        }
        const entries: RuleRecord[] = [];
        for (const rule of ['block', 'allow'] as const) {
          const listed = await page(rule, 50);
          expect(listed.count).toBe(model[rule].length);
          expect(listed.entries.map(({ key, note }) => ({ key, note }))).toEqual(model[rule]);
          entries.push(...listed.entries);
        }
        const rows = organisation.dump().outbox as { kind: string; record: string }[];
        const byKey = (records: RuleRecord[]) => records.toSorted((a, b) => (a.key < b.key ? -1 : 1));
        expect(byKey(project(rows, 'domain'))).toEqual(byKey(entries));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a rebuild', () => {
  const records = (count: number): RuleRecord[] =>
    Array.from({ length: count }, (_, n) => ({
      ...{ key: `d${n}.example`, display: `d${n}.example`, id: newId('dr', START_MS + n) },
      ...{ rule: n % 2 === 0 ? 'block' : 'allow', note: n % 3 === 0 ? '"x"\n' : null, createdAt: n, createdBy: 'u_1' },
    }));

  it('restores the lists from their projection, and goes on counting where it stood', async () => {
    const { organisation, add, page } = await createRules();
    const all = records(600);
    const rules = { domain: { version: 41, records: all }, address: { version: 0, records: [] } };
    const { settings } = organisation;
    for (let i = 0; i < 2; i += 1) await organisation.object.rebuild({ settings, keys: [], usage: null, rules });
    for (const rule of ['block', 'allow'] as const)
      expect((await page(rule, 600)).entries).toEqual(all.filter((record) => record.rule === rule).toReversed());
    await add('block', ['new.example']);
    const rows = organisation.dump().outbox as { kind: string; record: string }[];
    const last = rows.findLast(({ kind }) => kind === 'domain_rules');
    expect(JSON.parse(last?.record ?? '')).toMatchObject({ version: 42, put: [{ key: 'new.example' }] });
  });

  it('never brings back what was removed here, nor undoes what was added', async () => {
    const { organisation, add, remove, keys } = await createRules();
    const { settings } = organisation;
    await add('block', ['a.example']);
    await remove('block', ['a.example']);
    await add('block', ['b.example']);
    const stale = { version: 1, records: records(1) };
    const rules = { domain: stale, address: { version: 0, records: [] } };
    await organisation.object.rebuild({ settings, keys: [], usage: null, rules });
    expect([await keys('block'), await keys('allow')]).toEqual([['b.example'], []]);
  });
});
