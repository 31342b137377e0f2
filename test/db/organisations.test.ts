import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { OrganisationSettings } from '../../src/domain/metering/organisation-settings.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { appUser, organisation } from '../../src/storage/postgres/directory-schema.ts';
import {
  deleteOrganisation,
  deleteUsersByEmail,
  findOrganisation,
  hasUser,
  insertUser,
  listOrganisations,
  type User,
  upsertOrganisations,
} from '../../src/storage/postgres/organisations.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, settingsRecord } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);
beforeEach(async () => {
  await db.delete(organisation);
  await db.delete(appUser);
});

const limits = {
  verificationQuota: 1,
  screeningAllowance: -1,
  enrichmentBudgetMicros: 1e12,
  providerBudgetMicros: 5,
  ratePerMinute: 1e6,
};

describe('upsertOrganisations', () => {
  it('enters settings as they are', async () => {
    const settings = settingsRecord({ limits, name: 'Ünïted “Ltd”' });
    await upsertOrganisations(db, [settings]);
    expect(await findOrganisation(db, settings.id)).toEqual(settings);
  });

  it('brings everything that may change up to date', async () => {
    const settings = settingsRecord();
    await upsertOrganisations(db, [settings]);
    const newer = { ...settings, name: 'Renamed', limits, version: 2 };
    await upsertOrganisations(db, [newer]);
    expect(await findOrganisation(db, settings.id)).toEqual(newer);
  });

  it('never changes whose it is and when it was made', async () => {
    const settings = settingsRecord();
    await upsertOrganisations(db, [settings]);
    await upsertOrganisations(db, [{ ...settings, accountId: newId('acct', 0), createdAt: 0, version: 2 }]);
    expect(await findOrganisation(db, settings.id)).toEqual({ ...settings, version: 2 });
  });

  it.each([
    ['an older version', 4],
    ['the same version', 5],
  ])('of %s changes nothing', async (_, version) => {
    const settings = settingsRecord({ version: 5 });
    await upsertOrganisations(db, [settings]);
    await upsertOrganisations(db, [{ ...settings, name: 'Late', version }]);
    expect(await findOrganisation(db, settings.id)).toEqual(settings);
  });

  it.each([
    ['in order', [1, 2, 3]],
    ['out of order', [3, 1, 2]],
  ])('takes the newest of several versions in one batch, %s, beside others', async (_, versions) => {
    const [settings, other] = [settingsRecord(), settingsRecord()];
    const batch = versions.map((version) => ({ ...settings, name: `v${version}`, version }));
    await upsertOrganisations(db, [...batch, other]);
    expect(await findOrganisation(db, settings.id)).toMatchObject({ name: 'v3', version: 3 });
    expect(await findOrganisation(db, other.id)).toEqual(other);
  });
});

describe('listOrganisations', () => {
  /** Reads all pages; `between` runs after each. */
  async function readPages(limit: number, between: () => Promise<void> = async () => undefined) {
    const pages: OrganisationSettings[][] = [];
    for (let before: Id<'org'> | null = null; ;) {
      const page: OrganisationSettings[] = await listOrganisations(db, limit, before);
      pages.push(page);
      await between();
      if (page.length < limit) return pages;
      before = page.at(-1)?.id ?? null;
    }
  }
  const made = (count: number, from = START_MS) =>
    Array.from({ length: count }, (_, i) => settingsRecord({ id: newId('org', from + i) }));

  it('gives each once, newest first, in pages of the size asked for', async () => {
    const all = made(10);
    await upsertOrganisations(db, all);
    const pages = await readPages(4);
    expect(pages.map((page) => page.length)).toEqual([4, 4, 2]);
    expect(pages.flat()).toEqual(all.toReversed());
  });

  it('ends with an empty page when the last was full', async () => {
    await upsertOrganisations(db, made(4));
    expect((await readPages(2)).map((page) => page.length)).toEqual([2, 2, 0]);
    await db.delete(organisation);
    expect(await readPages(2)).toEqual([[]]);
  });

  it('is stable while others are entered and removed', async () => {
    const all = made(9);
    await upsertOrganisations(db, all);
    let later = START_MS + 1_000;
    const pages = await readPages(2, async () => {
      await upsertOrganisations(db, made(3, later));
      await deleteOrganisation(db, newId('org', 0));
      later += 1_000;
    });
    expect(pages.flat()).toEqual(all.toReversed());
  });

  it('continues after a cursor whose organisation is gone', async () => {
    const all = made(4);
    await upsertOrganisations(db, all);
    const [, second] = await listOrganisations(db, 2, null);
    await deleteOrganisation(db, second?.id ?? newId('org', 0));
    expect(await listOrganisations(db, 5, second?.id ?? null)).toEqual(all.slice(0, 2).toReversed());
  });
});

const userOf = (change: Partial<User> = {}): User => ({
  id: newId('u', START_MS),
  organisationId: newId('org', START_MS),
  email: 'jane@acme.example',
  name: null,
  createdAt: START_MS,
  ...change,
});

describe('users', () => {
  it('belong to their own organisation only', async () => {
    const user = userOf();
    await insertUser(db, user);
    expect(await hasUser(db, user.organisationId, user.id)).toBe(true);
    expect(await hasUser(db, newId('org', START_MS), user.id)).toBe(false);
    expect(await hasUser(db, user.organisationId, newId('u', START_MS))).toBe(false);
  });

  it('are removed by their normalised address, in every organisation, and all others stay', async () => {
    const same = [userOf(), userOf(), userOf()];
    // `_` and `%` stand for themselves.
    const others = ['jane@acme.example.org', 'xjane@acme.example', 'j_ne@acme.example', '%'].map((email) =>
      userOf({ email }),
    );
    for (const user of [...same, ...others]) await insertUser(db, user);
    expect(await deleteUsersByEmail(db, 'jane@acme.example')).toBe(3);
    for (const user of others) expect(await hasUser(db, user.organisationId, user.id)).toBe(true);
    expect(await deleteUsersByEmail(db, '%')).toBe(1);
    expect(await deleteUsersByEmail(db, 'j_ne@acme.example')).toBe(1);
    expect(await deleteUsersByEmail(db, 'jane@acme.example')).toBe(0);
  });
});

describe('deleteOrganisation', () => {
  it('removes it with its users, and no other’s; a repeat does no harm', async () => {
    const [gone, stays] = [settingsRecord(), settingsRecord()];
    await upsertOrganisations(db, [gone, stays]);
    const [leaver, stayer] = [userOf({ organisationId: gone.id }), userOf({ organisationId: stays.id })];
    await insertUser(db, leaver);
    await insertUser(db, stayer);
    for (let i = 0; i < 2; i += 1) await deleteOrganisation(db, gone.id);
    expect(await findOrganisation(db, gone.id)).toBeNull();
    expect(await hasUser(db, gone.id, leaver.id)).toBe(false);
    expect(await findOrganisation(db, stays.id)).toEqual(stays);
    expect(await hasUser(db, stays.id, stayer.id)).toBe(true);
  });
});
