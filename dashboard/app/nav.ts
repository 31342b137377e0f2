import type { Role } from './api/session.ts';
import type { IconName } from './parts/icons.tsx';

export interface NavEntry {
  /** Below `/$organisation/`. */
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  /** The lowest role that sees it. */
  readonly role?: Role;
}

export interface NavGroup {
  readonly label: string;
  readonly entries: readonly NavEntry[];
}

/** The sidebar, in its order. A screen adds its line here and its route in `router.tsx`. */
export const NAV: readonly NavGroup[] = [
  {
    label: 'Verify',
    entries: [
      { path: 'overview', label: 'Overview', icon: 'overview' },
      { path: 'try', label: 'Check', icon: 'try' },
      { path: 'lists', label: 'Lists', icon: 'lists' },
      { path: 'log', label: 'Log', icon: 'log' },
    ],
  },
  {
    label: 'Decide',
    entries: [
      { path: 'policy', label: 'Policy', icon: 'policy' },
      { path: 'rules', label: 'Block & allow', icon: 'rules' },
      { path: 'learning', label: 'Learning', icon: 'learning' },
    ],
  },
  {
    label: 'Manage',
    entries: [
      { path: 'keys', label: 'Keys', icon: 'keys', role: 'admin' },
      { path: 'connections', label: 'Connections', icon: 'connections', role: 'admin' },
      { path: 'members', label: 'Members', icon: 'members', role: 'admin' },
      { path: 'settings', label: 'Settings', icon: 'settings' },
      { path: 'audit', label: 'Audit', icon: 'audit', role: 'admin' },
    ],
  },
];
