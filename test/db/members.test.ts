import { afterAll, describe, expect, it } from 'vitest';
import type { InvitationRecord, MemberRecord, People } from '../../src/domain/access/member-records.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import {
  findInvitations,
  listMemberships,
  listPeople,
  writeInvitations,
  writeMembers,
} from '../../src/storage/postgres/members.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, settingsRecord } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

async function organisation(name: string): Promise<Id<'org'>> {
  const settings = settingsRecord({ name });
  await upsertOrganisations(db, [settings]);
  return settings.id;
}

const write = async (organisationId: Id<'org'>, { members, invitations }: People) => {
  const of = <T extends object>(records: readonly T[]) => records.map((record) => ({ ...record, organisationId }));
  await writeMembers(db, of(members));
  await writeInvitations(db, of(invitations));
};

const member = (change: Partial<MemberRecord> = {}): MemberRecord => ({
  userId: newId('u', START_MS),
  email: 'ada@acme.example',
  name: 'Ada',
  role: 'admin',
  createdAt: START_MS,
  createdBy: 'operator',
  ...change,
});

const invitation = (change: Partial<InvitationRecord> = {}): InvitationRecord => ({
  id: newId('inv', START_MS),
  email: 'bob@acme.example',
  role: 'viewer',
  createdAt: START_MS,
  expiresAt: START_MS + DAY_MS,
  createdBy: 'operator',
  ...change,
});

const peopleOf = async (id: Id<'org'>) => {
  const { members, invitations } = await listPeople(db, id);
  return { members: new Set(members), invitations: new Set(invitations) };
};

describe('the directory of people', () => {
  it('holds what was written last of each, however often it is written', async () => {
    const id = await organisation('Acme');
    const [ada, bob] = [member(), member({ email: 'bob@acme.example', name: null })];
    const [first, second] = [invitation(), invitation({ email: 'cyd@acme.example' })];
    await write(id, { members: [ada], invitations: [first] });
    const people = { members: [{ ...ada, role: 'viewer' as const }, bob], invitations: [second] };
    for (let i = 0; i < 2; i += 1) await write(id, people);
    expect(await peopleOf(id)).toEqual({
      members: new Set(people.members),
      invitations: new Set([first, second]),
    });
  });

  it('loses who is gone, in one organisation alone, and has who comes back', async () => {
    const [here, there] = [await organisation('Here'), await organisation('There')];
    const [ada, bob] = [member(), member({ email: 'bob@acme.example' })];
    const [first, second] = [invitation(), invitation()];
    await write(here, { members: [ada, bob], invitations: [first, second] });
    await write(there, { members: [ada], invitations: [] });
    const gone = { organisationId: here, isGone: true } as const;
    for (let i = 0; i < 2; i += 1) {
      await writeMembers(db, [{ ...gone, userId: ada.userId }]);
      await writeInvitations(db, [{ ...gone, id: first.id }]);
    }
    expect(await peopleOf(here)).toEqual({ members: new Set([bob]), invitations: new Set([second]) });
    expect((await listPeople(db, there)).members).toEqual([ada]);
    // Within one statement the last record of each person counts.
    await writeMembers(db, [
      { ...gone, userId: bob.userId },
      { ...bob, organisationId: here },
      { ...ada, organisationId: here },
      { ...gone, userId: ada.userId },
    ]);
    expect((await listPeople(db, here)).members).toEqual([bob]);
  });

  it('tells a person’s organisations by id and by address, and those that invite an address now', async () => {
    const [one, two] = [await organisation('One'), await organisation('Two')];
    const ada = member({ email: 'ada@two.example' });
    const asked = invitation({ email: 'dee@two.example' });
    const late = invitation({ email: asked.email, expiresAt: START_MS });
    await write(one, { members: [ada], invitations: [asked] });
    await write(two, { members: [{ ...ada, role: 'member' }], invitations: [late] });
    const expected = [one, two].toSorted((a, b) => (a < b ? -1 : 1));
    for (const of of [{ userId: ada.userId }, { email: ada.email }]) {
      const found = await listMemberships(db, of);
      expect(found.map(({ organisationId }) => organisationId)).toEqual(expected);
      expect(found).toContainEqual({
        organisationId: one,
        organisationName: 'One',
        userId: ada.userId,
        role: 'admin',
        needsSecondFactor: false,
      });
    }
    const open = await findInvitations(db, asked.email, START_MS);
    expect(open.map(({ id, organisationName }) => [id, organisationName])).toEqual([[asked.id, 'One']]);
  });

  it('loses one organisation’s people alone', async () => {
    const [gone, left] = [await organisation('Gone'), await organisation('Left')];
    for (const id of [gone, left]) await write(id, { members: [member()], invitations: [invitation()] });
    await deleteRowsOf(db, gone);
    expect(await listPeople(db, gone)).toEqual({ members: [], invitations: [] });
    expect((await listPeople(db, left)).members).toHaveLength(1);
  });
});
