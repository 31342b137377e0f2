import type { Role } from '../../api/session.ts';

export const ROLES: readonly { readonly value: Role; readonly label: string; readonly may: string }[] = [
  { value: 'viewer', label: 'Viewer', may: 'Read-only, except members, keys and audit.' },
  { value: 'member', label: 'Member', may: 'Can also verify, upload and edit lists.' },
  { value: 'admin', label: 'Admin', may: 'Can change everything.' },
];

export const roleLabel = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;
