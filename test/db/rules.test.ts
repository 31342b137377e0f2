import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ProjectedChange, RuleKind, RuleRecord } from '../../src/domain/rules/rules.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { deleteOrganisation, upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { applyRuleChanges, forgetRules, listProjectedRules } from '../../src/storage/postgres/rules.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, settingsRecord } from '../support/records.ts';
import { domainRecord, put, remove } from '../support/rule-changes.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

async function createOrganisation(): Promise<Id<'org'>> {
  const settings = settingsRecord();
  await upsertOrganisations(db, [settings]);
  return settings.id;
}

/** A kind's rules as Postgres has them, by key. */
async function held(organisationId: Id<'org'>, kind: RuleKind = 'domain') {
  const { version, records } = (await listProjectedRules(db, organisationId))[kind];
  return { version, records: records.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
}

describe('the projection of rules', () => {
  it('holds every field of both kinds, apart', async () => {
    const id = await createOrganisation();
    const domain = domainRecord('a.example', { rule: 'allow', note: 'Ünïted\n“x” 🙂' });
    const address = domainRecord('hash', { display: '🙂•••@a.example', id: newId('ar', START_MS) });
    await applyRuleChanges(db, 'domain', [put(id, 1, [domain])]);
    await applyRuleChanges(db, 'address', [put(id, 1, [address])]);
    expect(await held(id, 'domain')).toEqual({ version: 1, records: [domain] });
    expect(await held(id, 'address')).toEqual({ version: 1, records: [address] });
  });

  it('writes a thousand entries as one change', async () => {
    const id = await createOrganisation();
    const records = Array.from({ length: 1_000 }, (_, n) => domainRecord(`d${String(n).padStart(4, '0')}.example`));
    await applyRuleChanges(db, 'domain', [put(id, 1, records)]);
    expect(await held(id)).toEqual({ version: 1, records });
  });

  it('takes a rule from one list to the other, with its new id', async () => {
    const id = await createOrganisation();
    const moved = domainRecord('a.example', { rule: 'allow' });
    await applyRuleChanges(db, 'domain', [put(id, 1, [domainRecord('a.example'), domainRecord('b.example')])]);
    await applyRuleChanges(db, 'domain', [put(id, 2, [moved])]);
    expect((await held(id)).records).toMatchObject([moved, { key: 'b.example', rule: 'block' }]);
  });

  it('is the same after a change came twice, late, or after a newer one', async () => {
    const id = await createOrganisation();
    const [first, second] = [put(id, 1, [domainRecord('a.example')]), remove(id, 2, ['a.example'])];
    await applyRuleChanges(db, 'domain', [first]);
    await applyRuleChanges(db, 'domain', [first]);
    expect((await held(id)).records).toHaveLength(1);
    await applyRuleChanges(db, 'domain', [second]);
    await applyRuleChanges(db, 'domain', [first]);
    await applyRuleChanges(db, 'domain', [first, second]);
    expect(await held(id)).toEqual({ version: 2, records: [] });
  });

  it('is what the changes come to, in whatever pieces and however often they are sent', async () => {
    const key = fc.integer({ min: 0, max: 4 }).map((n) => `d${n}.example`);
    const keys = fc.uniqueArray(key, { minLength: 1 });
    const change = fc.record({ does: fc.constantFrom('block', 'allow', 'remove'), keys });
    // Sending resumes after the last confirmed change, which may lie far before the last one that arrived.
    const steps = fc.array(fc.record({ from: fc.nat(12), count: fc.integer({ min: 1, max: 6 }) }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), steps, async (wanted, sends) => {
        const id = await createOrganisation();
        const model = new Map<string, RuleRecord>();
        const changes = wanted.map(({ does, keys: named }, index): ProjectedChange => {
          if (does === 'remove') {
            for (const each of named) model.delete(each);
            return remove(id, index + 1, named);
          }
          const records = named.map((each) => domainRecord(each, { rule: does as 'block', note: `v${index}` }));
          for (const record of records) model.set(record.key, record);
          return put(id, index + 1, records);
        });
        let arrived = 0;
        for (const { from, count } of sends) {
          const at = Math.min(from, arrived);
          await applyRuleChanges(db, 'domain', changes.slice(at, at + count));
          arrived = Math.max(arrived, Math.min(at + count, changes.length));
        }
        await applyRuleChanges(db, 'domain', changes.slice(arrived));
        const expected = [...model.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
        expect(await held(id)).toEqual({ version: changes.length, records: expected });
      }),
      { numRuns: 30 },
    );
  });

  it('is made once by writers side by side', async () => {
    const id = await createOrganisation();
    const changes = [put(id, 1, [domainRecord('a.example')]), remove(id, 2, ['a.example'])];
    await applyRuleChanges(db, 'domain', changes.slice(0, 1));
    await Promise.all(Array.from({ length: 10 }, (_, n) => applyRuleChanges(db, 'domain', changes.slice(n % 2))));
    expect(await held(id)).toEqual({ version: 2, records: [] });
  });

  it('never writes a deleted organisation again', async () => {
    const id = await createOrganisation();
    await applyRuleChanges(db, 'domain', [put(id, 1, [domainRecord('a.example')])]);
    await deleteRowsOf(db, id);
    await deleteOrganisation(db, id);
    await applyRuleChanges(db, 'domain', [put(id, 2, [domainRecord('b.example')])]);
    expect(await held(id)).toEqual({ version: 0, records: [] });
  });

  it('keeps organisations apart: of the same domain, and of a forgotten address', async () => {
    const [mine, other] = [await createOrganisation(), await createOrganisation()];
    for (const id of [mine, other]) {
      await applyRuleChanges(db, 'domain', [put(id, 1, [domainRecord('a.example')])]);
      await applyRuleChanges(db, 'address', [put(id, 1, [domainRecord('h1'), domainRecord('h2')])]);
    }
    await applyRuleChanges(db, 'domain', [remove(mine, 2, ['a.example'])]);
    await forgetRules(db, [{ organisationId: mine, hash: 'h1' }]);
    expect([(await held(mine)).records.length, (await held(other)).records.length]).toEqual([0, 1]);
    expect((await held(mine, 'address')).records.map(({ key }) => key)).toEqual(['h2']);
    expect((await held(other, 'address')).records.map(({ key }) => key)).toEqual(['h1', 'h2']);
    await deleteRowsOf(db, mine);
    expect((await held(mine, 'address')).records).toEqual([]);
    expect((await held(other, 'address')).records).toHaveLength(2);
  });
});
