import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ProjectedChange } from '../../src/domain/rules/rules.ts';
import { deleteRemains } from '../../src/services/erasure.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { applyRuleChanges, listProjectedRules } from '../../src/storage/postgres/rules.ts';
import { openTestServer } from '../support/database.ts';
import { settingsRecord } from '../support/records.ts';
import { domainRecord, put, remove } from '../support/rule-changes.ts';

const { TEST_DATABASE_URL = '' } = process.env;
const { db, close } = await openTestServer(TEST_DATABASE_URL);
afterAll(close);

async function createOrganisation() {
  const settings = settingsRecord();
  await upsertOrganisations(db, [settings]);
  return settings.id;
}

async function numberOf(database: Database, query: ReturnType<typeof sql>): Promise<number> {
  const { rows } = (await database.execute(query)) as { rows: { n: number }[] };
  return rows[0]?.n ?? 0;
}

/** Has Postgres still at work on changes that their sender has given up on: they are committed once `next` waits for them. */
async function whileStillWriting(changes: readonly ProjectedChange[], next: () => Promise<unknown>): Promise<void> {
  await db
    .transaction(async (late) => {
      await applyRuleChanges(late, 'domain', changes);
      const pid = await numberOf(late, sql`select pg_backend_pid() as n`);
      const waiting = sql`select count(*)::int as n from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`;
      const done = next();
      await vi.waitUntil(async () => (await numberOf(db, waiting)) > 0, { timeout: 10_000 });
      return { done };
    })
    .then(({ done }) => done);
}

const ruleCount = (id: string) =>
  numberOf(db, sql`select count(*)::int as n from domain_rule where organisation_id = ${id}`);

describe('a change that is written while an earlier one still is', () => {
  it('removes what that one put', async () => {
    const id = await createOrganisation();
    const changes = [put(id, 1, [domainRecord('a.example')]), remove(id, 2, ['a.example'])];
    await whileStillWriting(changes.slice(0, 1), () => applyRuleChanges(db, 'domain', changes));
    expect((await listProjectedRules(db, id)).domain).toEqual({ version: 2, records: [] });
  });

  it('does not undo it where it is the older one', async () => {
    const id = await createOrganisation();
    const [first, second] = [put(id, 1, [domainRecord('a.example')]), remove(id, 2, ['a.example'])];
    await whileStillWriting([first, second], () => applyRuleChanges(db, 'domain', [first]));
    expect((await listProjectedRules(db, id)).domain).toEqual({ version: 2, records: [] });
  });
});

describe('an organisation that is deleted while its rules are written', () => {
  it('removes all of them', async () => {
    const id = await createOrganisation();
    const stub = { dropOrganisation: async () => undefined };
    const objects = { operators: () => stub, now: Date.now, counters: { add: () => undefined } };
    const blobs = { list: async () => ({ objects: [], truncated: false }), delete: async () => undefined };
    const deps = { db, objects, blobs, kv: { delete: async () => undefined } } as never;
    await whileStillWriting([put(id, 1, [domainRecord('a.example')])], () => deleteRemains(deps, id));
    expect(await ruleCount(id)).toBe(0);
  });
});
