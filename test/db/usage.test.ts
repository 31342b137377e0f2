import { afterAll, describe, expect, it } from 'vitest';
import { emptyUsage, type Usage } from '../../src/domain/metering/usage.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { findUsage, type ProjectedUsage, upsertUsage } from '../../src/storage/postgres/projected-records.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const newOrganisation = () => newId('org', START_MS);
const usageOf = (verify: number, month = '2026-11'): Usage => {
  const empty = emptyUsage(month);
  return { ...empty, calls: { ...empty.calls, verify }, spendMicros: verify * 1_000 };
};
const at = (organisationId: Id<'org'>, time: number, usage: Usage): ProjectedUsage => ({
  organisationId,
  usage,
  at: time,
});

describe('upsertUsage', () => {
  it('enters a month’s counts and brings them up to date', async () => {
    const organisation = newOrganisation();
    await upsertUsage(db, [at(organisation, 1, usageOf(5))]);
    expect(await findUsage(db, organisation)).toEqual(usageOf(5));
    await upsertUsage(db, [at(organisation, 2, usageOf(8))]);
    await upsertUsage(db, [at(organisation, 2, usageOf(8))]);
    expect(await findUsage(db, organisation)).toEqual(usageOf(8));
  });

  it('changes nothing for an older moment', async () => {
    const organisation = newOrganisation();
    await upsertUsage(db, [at(organisation, 9, usageOf(8))]);
    await upsertUsage(db, [at(organisation, 8, usageOf(5))]);
    expect(await findUsage(db, organisation)).toEqual(usageOf(8));
  });

  it.each([
    ['in order', [1, 2, 3]],
    ['out of order', [3, 1, 2]],
  ])('takes the newest of several moments in one batch, %s', async (_, times) => {
    const organisation = newOrganisation();
    await upsertUsage(
      db,
      times.map((time) => at(organisation, time, usageOf(time * 10))),
    );
    expect(await findUsage(db, organisation)).toEqual(usageOf(30));
  });

  it('keeps months and organisations apart in one batch', async () => {
    const [first, second] = [newOrganisation(), newOrganisation()];
    await upsertUsage(db, [
      at(first, 1, usageOf(1, '2026-10')),
      at(first, 2, usageOf(2, '2026-11')),
      at(second, 1, usageOf(3, '2026-10')),
    ]);
    expect(await findUsage(db, first)).toEqual(usageOf(2, '2026-11'));
    expect(await findUsage(db, second)).toEqual(usageOf(3, '2026-10'));
  });
});

describe('findUsage', () => {
  it('gives the newest month, whenever it was written', async () => {
    const organisation = newOrganisation();
    await upsertUsage(db, [at(organisation, 1, usageOf(2, '2027-01'))]);
    await upsertUsage(db, [at(organisation, 2, usageOf(1, '2026-12'))]);
    expect(await findUsage(db, organisation)).toEqual(usageOf(2, '2027-01'));
  });

  it('is null for an organisation without counts', async () => {
    expect(await findUsage(db, newOrganisation())).toBeNull();
  });
});

describe('deleteUsage', () => {
  it('removes every month of one organisation and of no other', async () => {
    const [gone, stays] = [newOrganisation(), newOrganisation()];
    await upsertUsage(db, [at(gone, 1, usageOf(1, '2026-10')), at(gone, 1, usageOf(2)), at(stays, 1, usageOf(3))]);
    await deleteRowsOf(db, gone);
    expect(await findUsage(db, gone)).toBeNull();
    expect(await findUsage(db, stays)).toEqual(usageOf(3));
  });
});
