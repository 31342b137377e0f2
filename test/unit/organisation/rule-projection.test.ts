import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectedChange, Rule, RuleKind, RuleRecord } from '../../../src/domain/rules/rules.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { START_MS } from '../../support/records.ts';
import { createRules } from '../../support/rules.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon();
});

describe('a change on its way to Postgres', () => {
  it('states once what its entries share', async () => {
    const { organisation, add, remove } = await createRules();
    await add('allow', [{ key: 'h1', display: 'a•••@acme.example' }], { kind: 'address', note: 'one' });
    const both = ['h1', 'h2'].map((key) => ({ key, display: 'a•••@acme.example' }));
    await add('allow', both, { kind: 'address', note: 'two' });
    await remove('allow', ['h1'], 'key', 'address');
    const rows = organisation.dump().outbox as { kind: string; record: string }[];
    const changes = rows.filter(({ kind }) => kind === 'address_rules').map(({ record }) => JSON.parse(record));
    const change = { organisationId: organisation.settings.id, removed: [], put: [] };
    const entry = {
      key: expect.any(String),
      display: 'a•••@acme.example',
      id: expect.stringMatching(/^ar_/),
      createdAt: expect.any(Number),
      createdBy: 'u_1',
    };
    expect(changes).toEqual([
      { ...change, version: 1, rule: 'allow', note: 'one', put: [entry] },
      { ...change, version: 2, rule: 'allow', note: 'two', put: [entry, entry] },
      { ...change, version: 3, rule: null, note: null, removed: ['h1'] },
    ]);
  });
});

/** The rules that Postgres would hold after these changes, unordered. */
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
const NOTE = fc.constantFrom(null, '', 'one', 'two');
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
              removed: listed.length,
              notFound: keys.length - listed.length,
              unknown: [],
              total: model[rule].length,
            });
          } else {
            const moved = model[other].length - without(other, keys).length;
            model[other] = without(other, keys);
            for (const entry of listed) entry.note = step.note === '' ? null : (step.note ?? entry.note);
            const fresh = keys.filter((key) => !listed.some((entry) => entry.key === key));
            for (const key of fresh) model[rule].unshift({ key, note: step.note || null });
            expect(await add(rule, keys, { note: step.note })).toEqual({
              ok: true,
              added: fresh.length - moved,
              moved,
              unchanged: listed.length,
              total: model[rule].length,
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
      key: `d${n}.example`,
      display: `d${n}.example`,
      id: newId('dr', START_MS + n),
      rule: n % 2 === 0 ? 'block' : 'allow',
      note: n % 3 === 0 ? '"x"\n' : null,
      createdAt: n,
      createdBy: 'u_1',
    }));

  const NOTHING = { keys: [], usage: null, members: [], invitations: [] };

  it('restores the lists from their projection, and continues counting', async () => {
    const { organisation, add, page } = await createRules();
    const all = records(600);
    const rules = { domain: { version: 41, records: all }, address: { version: 0, records: [] } };
    const { settings } = organisation;
    for (let i = 0; i < 2; i += 1) await organisation.object.rebuild({ ...NOTHING, settings, rules });
    for (const rule of ['block', 'allow'] as const)
      expect((await page(rule, 600)).entries).toEqual(all.filter((record) => record.rule === rule).toReversed());
    await add('block', ['new.example']);
    const rows = organisation.dump().outbox as { kind: string; record: string }[];
    const last = rows.findLast(({ kind }) => kind === 'domain_rules');
    expect(JSON.parse(last?.record ?? '')).toMatchObject({ version: 42, put: [{ key: 'new.example' }] });
  });

  it('never brings back what was removed here, and never undoes what was added', async () => {
    const { organisation, add, remove, keys } = await createRules();
    const { settings } = organisation;
    await add('block', ['a.example']);
    await remove('block', ['a.example']);
    await add('block', ['b.example']);
    const stale = { version: 1, records: records(1) };
    const rules = { domain: stale, address: { version: 0, records: [] } };
    await organisation.object.rebuild({ ...NOTHING, settings, rules });
    expect([await keys('block'), await keys('allow')]).toEqual([['b.example'], []]);
  });
});
