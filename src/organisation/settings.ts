import type { Actor } from '../domain/access/key-record.ts';
import type { MemberRecord } from '../domain/access/member-records.ts';
import {
  type AlertsChange,
  type OrganisationSettings,
  type PrivacyChange,
  withAlerts,
  withPrivacy,
} from '../domain/metering/organisation-settings.ts';
import type { Limits } from '../domain/metering/usage.ts';
import { audit } from './changes.ts';
import type { ObjectCore } from './core.ts';
import { putMember } from './members.ts';

export interface OrganisationChange {
  readonly actor: Actor;
  readonly name?: string;
  readonly privacy?: PrivacyChange;
  readonly alerts?: AlertsChange;
}

/** What an operator may change. */
export interface Configuration {
  readonly name?: string;
  readonly limits?: Partial<Limits>;
}

/** Fills an empty object. In one transaction: an organisation that a person makes never stands without its admin. */
export function create(core: ObjectCore, settings: OrganisationSettings, admin: MemberRecord | undefined): void {
  if (core.settings !== null) return;
  core.transact(() => {
    core.save(settings);
    const actor = admin?.userId ?? 'operator';
    audit(core.changeDeps(), { actor, action: 'organisation.created', target: settings.id, summary: '' });
    if (admin !== undefined) putMember(core.changeDeps(), admin, admin.userId);
  });
}

/** Null: no organisation is here. */
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
  const { actor, name, privacy: asked, alerts: wanted } = change;
  const organisation = core.require();
  const privacy = asked === undefined ? organisation.privacy : withPrivacy(organisation.privacy, asked);
  const alerts = wanted === undefined ? organisation.alerts : withAlerts(organisation.alerts, wanted);
  const changed = { ...organisation, name: name ?? organisation.name, privacy, alerts };
  const parts = [
    changed.name === organisation.name ? null : 'renamed',
    JSON.stringify(changed.privacy) === JSON.stringify(organisation.privacy) ? null : 'privacy',
    JSON.stringify(changed.alerts) === JSON.stringify(organisation.alerts) ? null : 'alerts',
  ].filter((part) => part !== null);
  if (parts.length === 0) return organisation;
  return core.change((deps) => {
    audit(deps, { actor, action: 'organisation.changed', target: organisation.id, summary: parts.join(', ') });
    return core.save({ ...changed, version: organisation.version + 1 });
  });
}
