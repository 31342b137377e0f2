import { isDashboardKey, type KeyRecord } from '../domain/access/key-record.ts';
import type { InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import type { Usage } from '../domain/metering/usage.ts';
import type { ProjectedRules, RuleKind } from '../domain/rules/types.ts';
import type { ObjectCore } from './core.ts';
import { insertKey, revokeKey } from './sql/access.ts';
import { findMember, putInvitation, putMember } from './sql/members.ts';
import { readMeter, writeMeter } from './sql/metering.ts';
import { rebuildRules } from './sql/rules.ts';
import type { Sql } from './sql/sql.ts';

/** What an object is rebuilt from. Its policies and losses are restored before, page by page. */
export interface OrganisationSnapshot {
  readonly settings: OrganisationSettings;
  readonly keys: readonly KeyRecord[];
  readonly usage: Usage | null;
  readonly rules: Readonly<Record<RuleKind, ProjectedRules>>;
  readonly members: readonly MemberRecord[];
  readonly invitations: readonly InvitationRecord[];
}

/** A part of a rebuild: enters what is missing. */
export function restore<T>(core: ObjectCore, records: readonly T[], enter: (sql: Sql, record: T) => void): null {
  core.requireRestorable();
  core.transact(() => {
    for (const record of records) enter(core.sql, record);
  });
  return null;
}

/** Fills the object from its projection. Existing counts stay, because they are newer than the projection's. */
export function rebuild(core: ObjectCore, snapshot: OrganisationSnapshot): void {
  core.requireRestorable();
  core.transact(() => {
    enter(core.sql, snapshot, core.now());
    if (core.live === null || core.live.version < snapshot.settings.version) core.save(snapshot.settings);
  });
}

function enter(sql: Sql, { keys, usage, rules, members, invitations }: OrganisationSnapshot, now: number): void {
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
