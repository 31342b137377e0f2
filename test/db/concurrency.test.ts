import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyUsage } from '../../src/domain/metering/usage.ts';
import { findOrganisation, upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { findUsage, listProjectedKeys, upsertKeys, upsertUsage } from '../../src/storage/postgres/projected-records.ts';
import { openTestDatabase } from '../support/database.ts';
import { keyRecord, START_MS, settingsRecord, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

/** Numbers from 0, all of them, in an order that is the same in every run but not ascending. 7 shares no divisor with 20. */
const shuffled = Array.from({ length: 20 }, (_, i) => (i * 7) % 20);

/** What a drain and a flush, or two objects after a restart, may do at the same time. */
describe('writers side by side', () => {
  it('leave each trace once, whatever their batches share', async () => {
    const { id: organisationId } = settingsRecord();
    const records = Array.from({ length: 200 }, () => traceRecord({ organisationId }));
    // Each batch begins at another row of the same outbox, as drains that start at different times do.
    await Promise.all(shuffled.map((i) => writeTraces(db, records.slice(i * 5, i * 5 + 100))));
    const result = await db.execute(
      sql`select count(*)::int as n from trace where organisation_id = ${organisationId}`,
    );
    expect((result as { rows: { n: number }[] }).rows).toEqual([{ n: 195 }]);
  });

  it('leave the newest settings, in whatever order they arrive', async () => {
    const settings = settingsRecord();
    await Promise.all(shuffled.map((i) => upsertOrganisations(db, [{ ...settings, name: `v${i}`, version: i + 1 }])));
    expect(await findOrganisation(db, settings.id)).toMatchObject({ name: 'v19', version: 20 });
  });

  it('leave the newest counts', async () => {
    const { id: organisationId } = settingsRecord();
    const usage = (spendMicros: number) => ({ ...emptyUsage('2026-11'), spendMicros });
    await Promise.all(shuffled.map((i) => upsertUsage(db, [{ organisationId, usage: usage(i), at: START_MS + i }])));
    expect(await findUsage(db, organisationId)).toEqual(usage(19));
  });

  it('leave a revoked key revoked, also when its creation comes last', async () => {
    const { id: organisationId } = settingsRecord();
    const key = { ...keyRecord(), organisationId };
    const revoked = { ...key, revokedAt: START_MS };
    await Promise.all(shuffled.map((i) => upsertKeys(db, [i === 7 ? revoked : key])));
    expect(await listProjectedKeys(db, organisationId)).toMatchObject([{ revokedAt: START_MS }]);
  });
});
