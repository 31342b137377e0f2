import { afterAll, describe, expect, it } from 'vitest';
import type { ScreeningRecord } from '../../src/domain/screening/record.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import {
  forgetScreenings,
  insertScreenings,
  listScreenings as listPage,
  type ScreeningFilter,
} from '../../src/storage/postgres/screening.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const listScreenings = async (org: Id<'org'>, filter: ScreeningFilter, limit: number, before: Id<'sc'> | null) =>
  (await listPage(db, org, filter, limit, before)).screenings;

function screening(change: Partial<ScreeningRecord> = {}): ScreeningRecord {
  const createdAt = change.createdAt ?? START_MS;
  return {
    id: newId('sc', createdAt),
    organisationId: newId('org', START_MS),
    mode: 'live',
    keyId: null,
    createdAt,
    addressHash: 'ab'.repeat(32),
    display: 'a•••@gmial.com',
    costMicros: 100,
    latencyMs: 12,
    screening: {
      typo_suggestion: 'a•••@gmail.com',
      typo_source: 'domain',
      name_match: 'not_checked',
      fake_name: 'not_checked',
      domain_check: 'not_checked',
      placeholder: false,
      recommendation: 'review',
      reasons: ['typo_domain'],
      degraded: false,
    },
    ...change,
  };
}
const write = (...records: ScreeningRecord[]) =>
  insertScreenings(
    db,
    records.map((record) => JSON.stringify(record)),
  );
const all = { mode: 'live', keyId: null } as const;

describe('screenings in Postgres', () => {
  it('come back as they were, also when written twice, in a month that had none', async () => {
    const old = screening({ createdAt: START_MS - 65 * DAY_MS });
    const young = screening({ organisationId: old.organisationId });
    await write(old, young);
    await write(young);
    expect(await listScreenings(old.organisationId, all, 10, null)).toEqual([young, old]);
    expect(await listScreenings(old.organisationId, all, 10, young.id)).toEqual([old]);
  });

  it('belong to one organisation, one mode and one key', async () => {
    const keyId: Id<'key'> = newId('key', START_MS);
    const mine = screening({ keyId });
    const { organisationId } = mine;
    await write(mine, screening(), screening({ organisationId, mode: 'test' }), screening({ organisationId }));
    expect(await listScreenings(organisationId, { mode: 'live', keyId }, 10, null)).toEqual([mine]);
    expect(await listScreenings(organisationId, all, 10, null)).toHaveLength(2);
  });

  it('lose an address’s hash, mask and correction when it is forgotten, and no other’s', async () => {
    const hash = 'cd'.repeat(32);
    const gone = screening({ addressHash: hash });
    const { organisationId } = gone;
    const kept = screening({ organisationId });
    await write(gone, kept);
    await forgetScreenings(db, [{ organisationId, hash }]);
    const rows = await listScreenings(organisationId, all, 10, null);
    expect(rows.find(({ id }) => id === kept.id)).toEqual(kept);
    expect(rows.find(({ id }) => id === gone.id)).toEqual({
      ...gone,
      addressHash: null,
      display: '•••',
      screening: { ...gone.screening, typo_suggestion: null },
    });
    await deleteRowsOf(db, organisationId);
    expect(await listScreenings(organisationId, all, 10, null)).toEqual([]);
  });
});
