import type { Role } from '../../api/session.ts';

export const ROLES: readonly { readonly value: Role; readonly label: string; readonly may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'Looks at everything but people, keys and the audit log.' },
  { value: 'member', label: 'Member', may: 'Also checks addresses and files, and changes rules.' },
  { value: 'admin', label: 'Admin', may: 'Also changes policies, keys, connections, people and settings.' },
];

export const roleLabel = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;
