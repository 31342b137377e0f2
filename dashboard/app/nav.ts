import { t } from '@lingui/core/macro';
import type { Role } from './api/session.ts';
import type { IconName } from './parts/icons.tsx';

export interface NavEntry {
  /** Below `/$organisation/`. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** The least role that it is for. */
  readonly role?: Role;
}

export interface NavGroup {
  readonly label: string;
  readonly entries: readonly NavEntry[];
}

/** The sidebar, in its order. A screen adds its line here and its route in `router.tsx`. */
export const NAV: readonly NavGroup[] = [
  {
    label: t`Use`,
    entries: [
      { path: 'overview', label: t`Overview`, icon: 'overview' },
      { path: 'try', label: t`Try it`, icon: 'try' },
      { path: 'lists', label: t`Lists`, icon: 'lists' },
      { path: 'log', label: t`Log`, icon: 'log' },
    ],
  },
  {
    label: t`Decide`,
    entries: [
      { path: 'policy', label: t`Policy`, icon: 'policy' },
      { path: 'rules', label: t`Rules`, icon: 'rules' },
      { path: 'learning', label: t`Learning`, icon: 'learning' },
    ],
  },
  {
    label: t`Manage`,
    entries: [
      { path: 'keys', label: t`Keys`, icon: 'keys', role: 'admin' },
      { path: 'connections', label: t`Connections`, icon: 'connections', role: 'admin' },
      { path: 'members', label: t`Members`, icon: 'members', role: 'admin' },
      { path: 'settings', label: t`Settings`, icon: 'settings' },
      { path: 'audit', label: t`Audit`, icon: 'audit', role: 'admin' },
    ],
  },
];
