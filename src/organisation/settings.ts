import { type Author, isDashboardKey, type KeyRecord } from '../domain/access/keys.ts';
import type { InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
import {
  type AlertsChange,
  type OrganisationSettings,
  type PrivacyChange,
  withAlerts,
  withPrivacy,
} from '../domain/metering/organisation-settings.ts';
import type { Limits, Usage } from '../domain/metering/usage.ts';
import type { ProjectedRules, RuleKind } from '../domain/rules/rules.ts';
import { audit } from './changes.ts';
import type { ObjectCore } from './core.ts';
import { putMember } from './members.ts';
import { insertKey, revokeKey } from './keys.ts';
import * as store from './sql/members.ts';
import { readMeter, writeMeter } from './sql/metering.ts';
import { rebuildRules } from './rules.ts';
import type { Sql } from './sql/sql.ts';

export interface OrganisationChange extends Author {
  readonly name?: string;
  readonly privacy?: PrivacyChange;
  readonly alerts?: AlertsChange;
  readonly secondFactor?: boolean;
}

/** What an operator may change. */
export interface Configuration {
  readonly name?: string;
  readonly limits?: Partial<Limits>;
}

/** Fills an empty object in one transaction, so that an organisation made by a person always has its admin. */
export function create(core: ObjectCore, settings: OrganisationSettings, admin: MemberRecord | undefined): void {
  if (core.settings !== null) return;
  core.transact(() => {
    core.save(settings);
    const actor = admin?.userId ?? 'operator';
    audit(core.changeDeps(), { actor, action: 'organisation.created', target: settings.id, summary: '' });
    if (admin !== undefined) putMember(core.changeDeps(), admin, { actor: admin.userId });
  });
}

/** Null means no organisation is here. */
export function configure(core: ObjectCore, change: Configuration): OrganisationSettings | null {
  const organisation = core.live;
  if (organisation === null) return null;
  const limits = { ...organisation.limits, ...change.limits };
  const parts = [...(change.name === undefined ? [] : ['renamed']), ...Object.keys(change.limits ?? {})];
  const saved = core.save({ ...organisation, ...change, limits, version: organisation.version + 1 });
  const summary = parts.join(', ');
  audit(core.changeDeps(), { actor: 'operator', action: 'organisation.changed', target: organisation.id, summary });
  return saved;
}

export function changeOrganisation(core: ObjectCore, change: OrganisationChange): OrganisationSettings {
  const { actor, keyId, name, privacy: asked, alerts: wanted } = change;
  const organisation = core.require();
  const privacy = asked === undefined ? organisation.privacy : withPrivacy(organisation.privacy, asked);
  const alerts = wanted === undefined ? organisation.alerts : withAlerts(organisation.alerts, wanted);
  const secondFactor = change.secondFactor ?? organisation.secondFactor;
  const changed = { ...organisation, name: name ?? organisation.name, privacy, alerts, secondFactor };
  const parts = [
    changed.name === organisation.name ? null : 'renamed',
    JSON.stringify(changed.privacy) === JSON.stringify(organisation.privacy) ? null : 'privacy',
    JSON.stringify(changed.alerts) === JSON.stringify(organisation.alerts) ? null : 'alerts',
    changed.secondFactor === organisation.secondFactor
      ? null
      : `second factor ${secondFactor ? 'required' : 'no longer required'}`,
  ].filter((part) => part !== null);
  if (parts.length === 0) return organisation;
  return core.change((deps) => {
    audit(deps, { actor, keyId, action: 'organisation.changed', target: organisation.id, summary: parts.join(', ') });
    return core.save({ ...changed, version: organisation.version + 1 });
  });
}

/** Input of a rebuild. Policies and losses are restored before, page by page. */
export interface OrganisationSnapshot {
  readonly settings: OrganisationSettings;
  readonly keys: readonly KeyRecord[];
  readonly usage: Usage | null;
  readonly rules: Readonly<Record<RuleKind, ProjectedRules>>;
  readonly members: readonly MemberRecord[];
  readonly invitations: readonly InvitationRecord[];
}

/** A part of a rebuild: inserts what is missing. */
export function restore<T>(core: ObjectCore, records: readonly T[], enter: (sql: Sql, record: T) => void): null {
  core.requireRestorable();
  core.transact(() => {
    for (const record of records) enter(core.sql, record);
  });
  return null;
}

/** Fills the object from its projection. Existing counts stay, because they are newer. */
export function rebuild(core: ObjectCore, snapshot: OrganisationSnapshot): void {
  core.requireRestorable();
  core.transact(() => {
    fill(core.sql, snapshot, core.now());
    if (core.live === null || core.live.version < snapshot.settings.version) core.save(snapshot.settings);
  });
}

function fill(sql: Sql, { keys, usage, rules, members, invitations }: OrganisationSnapshot, now: number): void {
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
  for (const invitation of invitations) store.putInvitation(sql, { ...invitation, mailTry: 0 });
}

/** A member with their dashboard key. The projection lacks the time since when one is an admin. */
function restoreMember(sql: Sql, member: MemberRecord, keys: OrganisationSnapshot['keys']): void {
  const key = keys.find((each) => each.userId === member.userId && each.revokedAt === null && isDashboardKey(each));
  if (key !== undefined && store.findMember(sql, member.userId) === null)
    store.putMember(sql, { ...member, keyId: key.id, adminSince: member.role === 'admin' ? member.createdAt : null });
}
