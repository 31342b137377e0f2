import type { AuditFilter } from '../domain/access/audit.ts';
import type { Role } from '../domain/access/key-format.ts';
import type { Actor, KeyFilter, KeyRecord, ListedKey } from '../domain/access/key-record.ts';
import type { InvitationRecord, MemberRecord } from '../domain/access/member-records.ts';
import type { AlertsChange, PrivacyChange } from '../domain/metering/organisation-settings.ts';
import type { Id } from '../kernel/ids.ts';

/** What the calls about keys, members and the audit log carry, and what they answer. */

export interface KeyCreation {
  readonly key: KeyRecord;
  /** The key that asked for it: once that one is revoked, it makes none. */
  readonly by: Id<'key'>;
}

export interface KeyPage extends KeyFilter {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before: Id<'key'> | null;
}

export interface KeyChange {
  readonly id: Id<'key'>;
  readonly actor: Actor;
  readonly name?: string;
  /** Null: it does not expire. */
  readonly expiresAt?: number | null;
}

export interface KeyRotation extends Pick<KeyRecord, 'id' | 'hash' | 'last4' | 'secretVersion'> {
  readonly actor: Actor;
  /** How long the secret until now stays good. */
  readonly overlapMs: number;
}

/** `dashboard`: the key has no secret and ends with its person's membership. `ended`: it is revoked, or has expired. */
export type KeyRefusal = 'unknown' | 'dashboard' | 'ended' | 'full' | 'revoked_maker';
export type KeyAnswer =
  | { readonly ok: true; readonly key: ListedKey }
  | { readonly ok: false; readonly refusal: KeyRefusal };

export type MemberRefusal = 'unknown' | 'last_admin' | 'full';
export type MemberAnswer =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly refusal: MemberRefusal };

export type InvitationRefusal = 'member' | 'full' | 'too_many';
export type InvitationAnswer =
  | { readonly ok: true; readonly invitation: InvitationRecord }
  | { readonly ok: false; readonly refusal: InvitationRefusal };

/** `unknown`: withdrawn, accepted before by somebody else, never made, or out of time. `other_address`: meant for another person. */
export type AcceptAnswer =
  | { readonly ok: true; readonly member: MemberRecord }
  | { readonly ok: false; readonly refusal: 'unknown' | 'other_address' | 'full' };

export interface AuditPage extends AuditFilter {
  readonly limit: number;
  readonly before: Id<'au'> | null;
}

export interface OrganisationChange {
  readonly actor: Actor;
  readonly name?: string;
  readonly privacy?: PrivacyChange;
  readonly alerts?: AlertsChange;
}

/** A member's role, and the key that their requests from the dashboard have. */
export interface Membership {
  readonly role: Role;
  readonly keyId: Id<'key'>;
}
