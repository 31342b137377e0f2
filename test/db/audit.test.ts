import { afterAll, describe, expect, it } from 'vitest';
import { AUDIT_LIFETIME_MS, type AuditLine } from '../../src/domain/access/keys.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { insertAudit, listAuditLines } from '../../src/storage/postgres/projected-records.ts';
import { deleteExpiredRows } from '../../src/storage/postgres/retention.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const write = (organisationId: Id<'org'>, lines: readonly AuditLine[]) =>
  insertAudit(
    db,
    lines.map((each) => ({ ...each, organisationId })),
  );

const line = (at: number, change: Partial<AuditLine> = {}): AuditLine => ({
  id: newId('au', at),
  at,
  actor: 'operator',
  keyId: null,
  action: 'rules.added',
  target: 'domain blocklist',
  summary: '',
  entries: 1,
  ...change,
});

describe('audit logs', () => {
  it('hold each line with its highest count, in their order, page by page', async () => {
    const [mine, other] = [newId('org', START_MS), newId('org', START_MS)];
    const lines = [0, 1, 2].map((minute) => line(START_MS + minute * 60_000));
    await write(mine, lines);
    await write(other, [line(START_MS)]);
    const counted = lines.map((each) => ({ ...each, entries: 5 }));
    for (const again of [counted, counted, lines, [...counted, ...lines]]) await write(mine, again);
    const first = await listAuditLines(db, mine, 2, null);
    expect([...first, ...(await listAuditLines(db, mine, 2, first.at(-1)?.id ?? null))]).toEqual(counted);
  });

  it('end after their time, and with their organisation', async () => {
    const [mine, other] = [newId('org', START_MS), newId('org', START_MS)];
    const [old, young] = [line(START_MS - AUDIT_LIFETIME_MS - 1), line(START_MS)];
    for (const id of [mine, other])
      await write(id, [
        { ...old, id: newId('au', old.at) },
        { ...young, id: newId('au', young.at) },
      ]);
    expect((await deleteExpiredRows(db, START_MS)).auditLines).toBeGreaterThanOrEqual(2);
    expect((await listAuditLines(db, mine, 10, null)).map(({ at }) => at)).toEqual([START_MS]);
    await deleteRowsOf(db, mine);
    expect(await listAuditLines(db, mine, 10, null)).toEqual([]);
    expect(await listAuditLines(db, other, 10, null)).toHaveLength(1);
  });
});
