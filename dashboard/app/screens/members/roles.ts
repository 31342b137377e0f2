import { t } from '@lingui/core/macro';
import type { Role } from '../../api/session.ts';

export const ROLES: readonly { readonly value: Role; readonly label: string; readonly may: string }[] = [
  { value: 'viewer', label: t`Viewer`, may: t`Looks at everything but people, keys and the audit log.` },
  { value: 'member', label: t`Member`, may: t`Also checks addresses and files, and changes rules.` },
  { value: 'admin', label: t`Admin`, may: t`Also changes policies, keys, connections, people and settings.` },
];

export const roleLabel = (role: Role): string => ROLES.find(({ value }) => value === role)?.label ?? role;
