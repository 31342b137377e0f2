import { isDashboardKey } from '../domain/access/key-record.ts';
import type { MemberRecord } from '../domain/access/member-records.ts';
import type { OrganisationSnapshot } from './calls.ts';
import { insertKey, revokeKey } from './sql/access.ts';
import { findMember, putInvitation, putMember } from './sql/members.ts';
import { readMeter, writeMeter } from './sql/metering.ts';
import { rebuildRules } from './sql/rules.ts';
import type { Sql } from './sql/sql.ts';

/** Fills the object from its projection. Existing counts stay, because they are newer than the projection's. */
export function rebuild(
  sql: Sql,
  { keys, usage, rules, members, invitations }: OrganisationSnapshot,
  now: number,
): void {
  const meter = readMeter(sql, now);
  const isUntouched = Object.values(meter.usage.calls).every((count) => count === 0);
  if (usage?.month === meter.usage.month && isUntouched) writeMeter(sql, { ...meter, usage });
  for (const key of keys) {
    insertKey(sql, key);
    if (key.revokedAt !== null) revokeKey(sql, key.id, key.revokedAt);
  }
  rebuildRules(sql, 'domain', rules.domain);
  rebuildRules(sql, 'address', rules.address);
  for (const member of members) restoreMember(sql, member, keys);
  for (const invitation of invitations) putInvitation(sql, { ...invitation, mailTry: 0 });
}

/** A member with the dashboard key that is among the organisation's keys. */
function restoreMember(sql: Sql, member: MemberRecord, keys: OrganisationSnapshot['keys']): void {
  const key = keys.find((each) => each.userId === member.userId && each.revokedAt === null && isDashboardKey(each));
  if (key !== undefined && findMember(sql, member.userId) === null) putMember(sql, { ...member, keyId: key.id });
}
