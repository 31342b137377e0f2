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
  withoutKey,
  withoutMail,
} from './members.ts';
import type { ChangeDeps } from './once.ts';
import type { AccessPort, Input, Output } from './ports.ts';
import * as keys from './sql/access.ts';
import { listAudit } from './sql/audit.ts';
import * as members from './sql/members.ts';

/** The calls about an organisation's people, their keys, and the log of who changed what. */
export abstract class AccessObject extends BulkObject implements AccessPort {
  /** Has the mails to those who are invited sent. */
  protected abstract mailInvitations(): void;
  /** Throws where the object holds no organisation. */
  protected abstract change(): ChangeDeps;
  protected abstract require(): OrganisationSettings;
  protected abstract save(settings: OrganisationSettings): OrganisationSettings;

  /** In one transaction: an organisation that a person makes never stands without its admin. */
  protected fill(settings: OrganisationSettings, admin: MemberRecord | undefined): void {
    this.transact(() => {
      this.save(settings);
      const actor = admin?.userId ?? 'operator';
      audit(this.change(), { actor, action: 'organisation.created', target: settings.id, summary: '' });
      if (admin !== undefined) putMember(this.change(), admin, admin.userId);
    });
  }

  async memberOf(call: Input<'memberOf'>): Output<'memberOf'> {
    const { userId } = call;
    const found = this.isDeleted() ? null : members.findMember(this.sql, userId);
    return found === null ? null : { role: found.role, keyId: found.keyId };
  }

  async listMembers(): Output<'listMembers'> {
    return members.listMembers(this.sql).map(withoutKey);
  }

  async putMember(call: Input<'putMember'>): Output<'putMember'> {
    const { member, actor } = call;
    return this.transact(() => putMember(this.change(), member, actor));
  }

  async changeMember(call: Input<'changeMember'>): Output<'changeMember'> {
    const { userId, role, actor } = call;
    return this.transact(() => changeMember(this.change(), userId, role, actor));
  }

  async removeMember(call: Input<'removeMember'>): Output<'removeMember'> {
    const { userId, actor } = call;
    return this.transact(() => removeMember(this.change(), userId, actor));
  }

  async dropPerson(call: Input<'dropPerson'>): Output<'dropPerson'> {
    const { email } = call;
    if (members.hasPerson(this.sql, email)) this.transact(() => dropPerson(this.change(), email));
    return null;
  }

  async listInvitations(): Output<'listInvitations'> {
    return members.listInvitations(this.sql, this.now()).map(withoutMail);
  }

  async invite(call: Input<'invite'>): Output<'invite'> {
    const { invitation } = call;
    const answer = this.transact(() => invite(this.change(), invitation));
    this.mailInvitations();
    return answer;
  }

  async withdrawInvitation(call: Input<'withdrawInvitation'>): Output<'withdrawInvitation'> {
    const { id, actor } = call;
    return this.transact(() => withdrawInvitation(this.change(), id, actor));
  }

  async acceptInvitation(call: Input<'acceptInvitation'>): Output<'acceptInvitation'> {
    const { id, person } = call;
    return this.transact(() => acceptInvitation(this.change(), id, person));
  }

  async pageKeys(page: Input<'pageKeys'>): Output<'pageKeys'> {
    return keys.pageKeys(this.sql, page, this.now());
  }

  async findKey(call: Input<'findKey'>): Output<'findKey'> {
    return keys.findKey(this.sql, call.id);
  }

  async createKey(call: Input<'createKey'>): Output<'createKey'> {
    return this.transact(() => createKey(this.change(), call));
  }

  async changeKey(change: Input<'changeKey'>): Output<'changeKey'> {
    return this.transact(() => changeKey(this.change(), change));
  }

  async rotateKey(rotation: Input<'rotateKey'>): Output<'rotateKey'> {
    return this.transact(() => rotateKey(this.change(), rotation));
  }

  async endKey(call: Input<'endKey'>): Output<'endKey'> {
    const { id, actor } = call;
    return this.transact(() => endKey(this.change(), id, actor));
  }

  async changeOrganisation(change: Input<'changeOrganisation'>): Output<'changeOrganisation'> {
    const { actor, name, privacy: asked, alerts: wanted } = change;
    const organisation = this.require();
    const privacy = asked === undefined ? organisation.privacy : withPrivacy(organisation.privacy, asked);
    const alerts = wanted === undefined ? organisation.alerts : withAlerts(organisation.alerts, wanted);
    const changed = { ...organisation, name: name ?? organisation.name, privacy, alerts };
    const parts = [
      changed.name === organisation.name ? null : 'renamed',
      JSON.stringify(changed.privacy) === JSON.stringify(organisation.privacy) ? null : 'privacy',
      JSON.stringify(changed.alerts) === JSON.stringify(organisation.alerts) ? null : 'alerts',
    ].filter((part) => part !== null);
    if (parts.length === 0) return organisation;
    return this.transact(() => {
      const summary = parts.join(', ');
      audit(this.change(), { actor, action: 'organisation.changed', target: organisation.id, summary });
      return this.save({ ...changed, version: organisation.version + 1 });
    });
  }

  async listAudit(page: Input<'listAudit'>): Output<'listAudit'> {
    return listAudit(this.sql, page);
  }

  async noteAudit(call: Input<'noteAudit'>): Output<'noteAudit'> {
    const { note } = call;
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
