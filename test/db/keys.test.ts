import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { listProjectedKeys, type ProjectedKey, upsertKeys } from '../../src/storage/postgres/projected-records.ts';
import { openTestDatabase } from '../support/database.ts';
import { keyRecord, START_MS } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const projected = (change: Partial<ProjectedKey> = {}): ProjectedKey => ({
  ...keyRecord(change),
  organisationId: change.organisationId ?? newId('org', START_MS),
});
const listed = async ({ organisationId }: ProjectedKey) =>
  (await listProjectedKeys(db, organisationId)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
const withoutOrganisation = ({ organisationId: _, ...key }: ProjectedKey) => key;

describe('upsertKeys', () => {
  it('enters keys as they are', async () => {
    const key = projected();
    const others = [
      projected({ organisationId: key.organisationId, role: 'admin', operator: true, origin: 'service' }),
      projected({
        organisationId: key.organisationId,
        mode: 'test',
        userId: newId('u', START_MS),
        revokedAt: START_MS + 5,
      }),
    ];
    await upsertKeys(db, [key, ...others]);
    const expected = [key, ...others].map(withoutOrganisation).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(await listed(key)).toEqual(expected);
  });

  it('enters a revocation, a new name and a rotation, and changes nothing of what a key has for good', async () => {
    const key = projected();
    await upsertKeys(db, [key]);
    const change = {
      name: 'other',
      role: 'admin',
      hash: 'ab'.repeat(32),
      last4: 'nEw1',
      previousHash: key.hash,
      previousLast4: key.last4,
      previousUntil: START_MS + 9,
      expiresAt: START_MS + 10,
      revokedAt: START_MS + 1,
    } as const;
    await upsertKeys(db, [{ ...key, ...change, operator: true, mode: 'test', createdBy: 'operator' }]);
    expect(await listed(key)).toEqual([{ ...withoutOrganisation(key), ...change }]);
  });

  it('never undoes a revocation, and never moves it', async () => {
    const key = projected({ revokedAt: START_MS + 1 });
    await upsertKeys(db, [key]);
    await upsertKeys(db, [{ ...key, revokedAt: null }]);
    await upsertKeys(db, [{ ...key, revokedAt: START_MS + 9 }]);
    expect(await listed(key)).toMatchObject([{ revokedAt: START_MS + 1 }]);
  });

  it('takes a key’s creation and revocation from one batch', async () => {
    const key = projected();
    await upsertKeys(db, [key, projected(), { ...key, revokedAt: START_MS + 1 }]);
    expect(await listed(key)).toMatchObject([{ revokedAt: START_MS + 1 }]);
  });
});

describe('an organisation’s keys', () => {
  it('are listed and deleted without another’s', async () => {
    const [own, other] = [projected(), projected()];
    await upsertKeys(db, [own, other]);
    expect(await listed(own)).toEqual([withoutOrganisation(own)]);
    await deleteRowsOf(db, own.organisationId);
    expect(await listed(own)).toEqual([]);
    expect(await listed(other)).toEqual([withoutOrganisation(other)]);
  });
});
