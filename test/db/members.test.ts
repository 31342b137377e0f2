import { afterAll, describe, expect, it } from 'vitest';
import type { InvitationRecord, MemberRecord } from '../../src/domain/access/member-records.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import {
  deletePeople,
  findInvitations,
  listMemberships,
  listPeople,
  writePeople,
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

const member = (change: Partial<MemberRecord> = {}): MemberRecord => ({
  userId: newId('u', START_MS),
  email: 'ada@acme.example',
  name: 'Ada',
  role: 'admin',
  createdAt: START_MS,
  createdBy: null,
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

describe('the directory of people', () => {
  it('holds what was written last, however often it is written', async () => {
    const id = await organisation('Acme');
    const [ada, bob] = [member(), member({ email: 'bob@acme.example', name: null })];
    const [first, second] = [invitation(), invitation({ email: 'cyd@acme.example' })];
    await writePeople(db, id, { members: [ada], invitations: [first] });
    const people = { members: [{ ...ada, role: 'viewer' as const }, bob], invitations: [second] };
    for (let i = 0; i < 2; i += 1) await writePeople(db, id, people);
    const found = await listPeople(db, id);
    expect(new Set(found.members)).toEqual(new Set(people.members));
    expect(found.invitations).toEqual([second]);
  });

  it('tells a person’s organisations by id and by address, and those that invite an address now', async () => {
    const [one, two] = [await organisation('One'), await organisation('Two')];
    const ada = member({ email: 'ada@two.example' });
    const asked = invitation({ email: 'dee@two.example' });
    const late = invitation({ email: asked.email, expiresAt: START_MS });
    await writePeople(db, one, { members: [ada], invitations: [asked] });
    await writePeople(db, two, { members: [{ ...ada, role: 'member' }], invitations: [late] });
    const expected = [one, two].toSorted((a, b) => (a < b ? -1 : 1));
    for (const of of [{ userId: ada.userId }, { email: ada.email }]) {
      const found = await listMemberships(db, of);
      expect(found.map(({ organisationId }) => organisationId)).toEqual(expected);
      expect(found).toContainEqual({
        organisationId: one,
        organisationName: 'One',
        userId: ada.userId,
        role: 'admin',
      });
    }
    const open = await findInvitations(db, asked.email, START_MS);
    expect(open.map(({ id, organisationName }) => [id, organisationName])).toEqual([[asked.id, 'One']]);
  });

  it('loses one organisation’s people alone', async () => {
    const [gone, left] = [await organisation('Gone'), await organisation('Left')];
    for (const id of [gone, left]) await writePeople(db, id, { members: [member()], invitations: [invitation()] });
    await deletePeople(db, gone);
    expect(await listPeople(db, gone)).toEqual({ members: [], invitations: [] });
    expect((await listPeople(db, left)).members).toHaveLength(1);
  });
});
