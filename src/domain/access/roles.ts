import type { Role } from './key-format.ts';

const RANK: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** Whether a key of role `has` may do what needs `needs`. */
export const roleAllows = (has: Role, needs: Role): boolean => RANK[has] >= RANK[needs];

/** How a key came to be: the dashboard (`auto`), a user (`manual`), a machine (`service`). */
export type KeyOrigin = 'auto' | 'manual' | 'service';

/**
 * Manual and service keys below admin read only the rows they wrote; dashboard and admin keys read the whole
 * organisation.
 */
export const seesWholeOrganisation = (key: { readonly role: Role; readonly origin: KeyOrigin }): boolean =>
  key.origin === 'auto' || key.role === 'admin';
