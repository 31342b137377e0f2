import type { Id } from '../../kernel/ids.ts';
import type { KeyMode, Role } from './key-format.ts';
import type { KeyOrigin } from './roles.ts';

/** A key as it is kept, by its hash alone. Times in epoch milliseconds. */
export interface KeyRecord {
  readonly id: Id<'key'>;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly last4: string;
  readonly name: string;
  readonly role: Role;
  readonly mode: KeyMode;
  readonly origin: KeyOrigin;
  readonly operator: boolean;
  /** The user who created it; null for a service key. */
  readonly userId: Id<'u'> | null;
  /** Names the service secret that signed it. */
  readonly secretVersion: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** What a request may know of its own key. */
export type KeyIdentity = Pick<KeyRecord, 'id' | 'name' | 'role' | 'mode' | 'origin' | 'operator' | 'userId'>;
