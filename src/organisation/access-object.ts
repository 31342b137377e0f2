import type { KeyRecord } from '../domain/access/key-record.ts';
import type { MemberRecord } from '../domain/access/member-records.ts';
import type { OrganisationSettings } from '../domain/metering/organisation-settings.ts';
import { withAlerts, withPrivacy } from '../domain/metering/organisation-settings.ts';
import type { Id } from '../kernel/ids.ts';
import { audit } from './audit.ts';
import { BulkObject } from './bulk-object.ts';
import { changeKey, createKey, endKey, rotateKey } from './keys.ts';
import {
  acceptInvitation,
  changeMember,
  dropPerson,
  invite,
  putMember,
  removeMember,
  withdrawInvitation,
} from './members.ts';
import type { ChangeDeps } from './once.ts';
import type { PeopleTimers } from './people-timers.ts';
import { type AccessPort, type Input, type Output, readable } from './ports.ts';
import * as keys from './sql/access.ts';
import { listAudit } from './sql/audit.ts';
import * as members from './sql/members.ts';

/** The calls about an organisation's people, their keys, and the log of who changed what. */
export abstract class AccessObject extends BulkObject implements AccessPort {
  protected abstract readonly people: PeopleTimers;
  /** Throws where the object holds no organisation. */
  protected abstract change(): ChangeDeps;
  protected abstract require(): OrganisationSettings;
  protected abstract save(settings: OrganisationSettings): OrganisationSettings;

  /** In one transaction: an organisation that a person makes never stands without its admin. */
  protected fill(settings: OrganisationSettings, admin: MemberRecord | undefined): void {
    const filled = () =>
      this.transact(() => {
        this.save(settings);
        const actor = admin?.userId ?? 'operator';
        audit(this.change(), { actor, action: 'organisation.created', target: settings.id, summary: '' });
        if (admin !== undefined) putMember(this.change(), admin, admin.userId);
      });
    if (admin === undefined) filled();
    else this.people.changing(filled);
  }

  async memberOf(call: Input<'memberOf'>): Output<'memberOf'> {
    const { userId } = readable(call);
    const found = this.isDeleted() ? null : members.findMember(this.sql, userId);
    return found === null ? null : { role: found.role, keyId: found.keyId };
  }

  async listMembers(call: Input<'listMembers'>): Output<'listMembers'> {
    readable(call);
    return this.people.members();
  }

  async putMember(call: Input<'putMember'>): Output<'putMember'> {
    const { member, actor } = readable(call);
    return this.people.changing(() => this.transact(() => putMember(this.change(), member, actor)));
  }

  async changeMember(call: Input<'changeMember'>): Output<'changeMember'> {
    const { userId, role, actor } = readable(call);
    return this.people.changing(() => this.transact(() => changeMember(this.change(), userId, role, actor)));
  }

  async removeMember(call: Input<'removeMember'>): Output<'removeMember'> {
    const { userId, actor } = readable(call);
    return this.people.changing(() => this.transact(() => removeMember(this.change(), userId, actor)));
  }

  async dropPerson(call: Input<'dropPerson'>): Output<'dropPerson'> {
    const { email } = readable(call);
    const holdsNone = this.isDeleted() || !this.people.knows(email);
    if (!holdsNone) this.people.changing(() => this.transact(() => dropPerson(this.change(), email)));
    return null;
  }

  async listInvitations(call: Input<'listInvitations'>): Output<'listInvitations'> {
    readable(call);
    return this.people.invitations();
  }

  async invite(call: Input<'invite'>): Output<'invite'> {
    const { invitation } = readable(call);
    return this.people.changing(() => this.transact(() => invite(this.change(), invitation)));
  }

  async withdrawInvitation(call: Input<'withdrawInvitation'>): Output<'withdrawInvitation'> {
    const { id, actor } = readable(call);
    return this.people.changing(() => this.transact(() => withdrawInvitation(this.change(), id, actor)));
  }

  async acceptInvitation(call: Input<'acceptInvitation'>): Output<'acceptInvitation'> {
    const { id, person } = readable(call);
    return this.people.changing(() => this.transact(() => acceptInvitation(this.change(), id, person)));
  }

  async pageKeys(page: Input<'pageKeys'>): Output<'pageKeys'> {
    return keys.pageKeys(this.sql, readable(page), this.now());
  }

  async findKey(call: Input<'findKey'>): Output<'findKey'> {
    return keys.findKey(this.sql, readable(call).id);
  }

  async createKey(call: Input<'createKey'>): Output<'createKey'> {
    return this.transact(() => createKey(this.change(), readable(call)));
  }

  async changeKey(change: Input<'changeKey'>): Output<'changeKey'> {
    return this.transact(() => changeKey(this.change(), readable(change)));
  }

  async rotateKey(rotation: Input<'rotateKey'>): Output<'rotateKey'> {
    const { v: _, ...call } = readable(rotation);
    return this.transact(() => rotateKey(this.change(), call));
  }

  async endKey(call: Input<'endKey'>): Output<'endKey'> {
    const { id, actor } = readable(call);
    return this.transact(() => endKey(this.change(), id, actor));
  }

  async changeOrganisation(change: Input<'changeOrganisation'>): Output<'changeOrganisation'> {
    const { actor, name, privacy: asked, alerts: wanted } = readable(change);
    const organisation = this.require();
    const privacy = asked === undefined ? organisation.privacy : withPrivacy(organisation.privacy ?? null, asked);
    const alerts = wanted === undefined ? organisation.alerts : withAlerts(organisation.alerts ?? null, wanted);
    const changed = {
      ...organisation,
      name: name ?? organisation.name,
      privacy: privacy ?? null,
      alerts: alerts ?? null,
    };
    const parts = [
      changed.name === organisation.name ? null : 'renamed',
      JSON.stringify(changed.privacy) === JSON.stringify(organisation.privacy ?? null) ? null : 'privacy',
      JSON.stringify(changed.alerts) === JSON.stringify(organisation.alerts ?? null) ? null : 'alerts',
    ].filter((part) => part !== null);
    if (parts.length === 0) return organisation;
    return this.transact(() => {
      const summary = parts.join(', ');
      audit(this.change(), { actor, action: 'organisation.changed', target: organisation.id, summary });
      return this.save({ ...changed, version: organisation.version + 1 });
    });
  }

  async listAudit(page: Input<'listAudit'>): Output<'listAudit'> {
    return listAudit(this.sql, readable(page));
  }

  async noteAudit(call: Input<'noteAudit'>): Output<'noteAudit'> {
    const { note } = readable(call);
    this.transact(() => audit(this.change(), note));
    return null;
  }

  /** Of the operator API, like the two below. */
  async insertKey(key: KeyRecord): Promise<boolean> {
    return this.transact(() => {
      const deps = this.change();
      const inserted = keys.insertKey(this.sql, key);
      if (inserted) {
        deps.project('api_key', key.id, key);
        const summary = `role ${key.role}, ${key.mode}`;
        audit(deps, { actor: 'operator', action: 'key.created', target: key.id, summary });
      }
      return inserted;
    });
  }

  async revokeKey(id: Id<'key'>): Promise<KeyRecord | null> {
    return this.transact(() => {
      const deps = this.change();
      const wasLive = keys.findKey(this.sql, id)?.revokedAt === null;
      const key = keys.revokeKey(this.sql, id, this.now());
      if (key) deps.project('api_key', key.id, key);
      if (wasLive) audit(deps, { actor: 'operator', action: 'key.revoked', target: id, summary: '' });
      return key;
    });
  }

  async listKeys(): Output<'listKeys'> {
    return keys.listKeys(this.sql);
  }
}
