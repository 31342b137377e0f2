import type { AuditLog } from '../../api/schema.ts';

type Entry = AuditLog['entries'][number];

/** A place of the organisation: its screen, and what the screen's address says. */
interface TargetPlace {
  readonly screen: 'policy' | 'keys' | 'members' | 'rules' | 'connections' | 'settings';
  readonly search: Readonly<Record<string, string>>;
}

/** The target of changed rules, by kind and side. */
export const RULE_LIST = /^(domain|address) (block|allow)list$/;

/** Of the settings, those that a summary names as they do. */
const PARTS = ['alerts', 'privacy'] as const;

/** Where the target of an entry can be seen; null: nowhere. */
export function placeOf({ action, target, summary }: Pick<Entry, 'action' | 'target' | 'summary'>): TargetPlace | null {
  const [subject] = action.split('.');
  switch (subject ?? '') {
    case 'policy': {
      const version = /^version (\d+)$/.exec(summary)?.[1];
      return { screen: 'policy', search: { policy: target, view: 'versions', ...(version && { version }) } };
    }
    case 'rules': {
      const [, kind, side] = RULE_LIST.exec(target) ?? [];
      return {
        screen: 'rules',
        search: { ...(side === 'allow' && { list: 'allow' }), ...(kind === 'address' && { of: 'addresses' }) },
      };
    }
    case 'key':
      return { screen: 'keys', search: { key: target } };
    case 'member':
    case 'invitation':
      return { screen: 'members', search: {} };
    case 'connection':
      return { screen: 'connections', search: {} };
    case 'losses':
      return { screen: 'settings', search: { part: 'mistakes' } };
    case 'organisation': {
      const part = PARTS.find((each) => each === summary.split(', ')[0]);
      return { screen: 'settings', search: part === undefined ? {} : { part } };
    }
    default:
      return null;
  }
}
