import type { Id } from '../../kernel/ids.ts';
import type { KeyMode, Role } from './key-format.ts';
import type { KeyOrigin } from './roles.ts';

/** Who does something: a person, a key that belongs to none, or who runs the service. */
export type Actor = Id<'u'> | Id<'key'> | 'operator';

/** A key as it is kept, by its hash alone. Times in epoch milliseconds. */
export interface KeyRecord {
  readonly id: Id<'key'>;
  /** SHA-256 of the key, hex. A person's dashboard key has no secret, and a hash that no text has. */
  readonly hash: string;
  readonly last4: string;
  readonly name: string;
  readonly role: Role;
  readonly mode: KeyMode;
  readonly origin: KeyOrigin;
  readonly operator: boolean;
  /** The person it belongs to, whose membership it needs; null for a service key. */
  readonly userId: Id<'u'> | null;
  /** Names the service secret that signed it. */
  readonly secretVersion: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
  /** Refused from then on; null: it does not expire. */
  readonly expiresAt: number | null;
  /** The secret before the last rotation, which is good until `previousUntil`. */
  readonly previousHash: string | null;
  readonly previousLast4: string | null;
  readonly previousUntil: number | null;
  readonly revokedAt: number | null;
}

/** A key as a list shows it. Hours of the last request: with either secret, and with the one before the last rotation. */
export type ListedKey = KeyRecord & { readonly lastUsedAt: number | null; readonly previousUsedAt: number | null };

/** What a request may know of its own key. */
export type KeyIdentity = Pick<KeyRecord, 'id' | 'name' | 'role' | 'mode' | 'origin' | 'operator' | 'userId'>;

/** The person whose key it is, else the key. */
export const actorOf = ({ id, userId }: Pick<KeyRecord, 'id' | 'userId'>): Actor => userId ?? id;

/** The hash of a person's dashboard key, which has no secret: no SHA-256 is like it. */
export const dashboardHash = (id: Id<'key'>): string => `dashboard ${id}`;

export const isDashboardKey = ({ id, hash }: Pick<KeyRecord, 'id' | 'hash'>): boolean => hash === dashboardHash(id);

/** Of a key whose secret was never replaced. */
export const NEVER_ROTATED = { previousHash: null, previousLast4: null, previousUntil: null } as const;

/** Left out: every key. `ended`: revoked, or out of time. */
export interface KeyFilter {
  readonly state?: 'active' | 'ended' | undefined;
  readonly role?: KeyRecord['role'] | undefined;
  readonly mode?: KeyRecord['mode'] | undefined;
}

/** Keys of an organisation that are not revoked. */
export const KEYS_MAX = 1_000;
