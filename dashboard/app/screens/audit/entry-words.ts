import type { OpenInvitation } from '../../api/queries.ts';
import type { AuditLog } from '../../api/schema.ts';
import { formatRow } from '../../lib/format.ts';
import { capital, label, word } from '../../lib/vocabulary.ts';
import { SERVICES } from '../connections/services.ts';

type Entry = AuditLog['entries'][number];

interface EntryWords {
  readonly name: string;
  /** Second line; may be empty. */
  readonly more: string;
}

const ACTION_NAMES: Readonly<Record<string, string>> = {
  'losses.changed': 'Costs of mistakes changed',
};

/** Other actions are derived: `key.created` becomes `Key created`. */
export const actionName = (action: string): string => ACTION_NAMES[action] ?? label(action.replace('.', '_'));

/** Names the mail service of a summary that starts with its id: `resend: new secret`. */
const serviceOf = (summary: string): string | undefined =>
  Object.entries(SERVICES).find(([kind]) => summary.split(':')[0] === kind)?.[1].name;

/** An invitation's address, else role, else id. */
function invitationWords({ target, summary }: Entry, open: readonly OpenInvitation[]): EntryWords {
  const role = /^role (\w+)$/.exec(summary)?.[1];
  const email = open.find(({ id }) => id === target)?.email;
  if (email !== undefined) return { name: email, more: role === undefined ? '' : `As ${word(role)}` };
  return {
    name: role === undefined ? 'An invitation' : `An invitation as ${word(role)}`,
    more: `…${target.slice(-6)}`,
  };
}

const LISTS: Readonly<Record<string, string>> = {
  'domain blocklist': 'Domain block list',
  'domain allowlist': 'Domain allow list',
  'address blocklist': 'Address block list',
  'address allowlist': 'Address allow list',
};

/** Target and details of an entry. Only open invitations (`open`) keep their address. */
export function entryWords(entry: Entry, open: readonly OpenInvitation[]): EntryWords {
  const { action, target, summary } = entry;
  const more = capital(summary);
  const [list = ''] = RULE_LIST.exec(target) ?? [];
  if (list !== '') return { name: LISTS[list] ?? capital(list), more };
  const [group = ''] = action.split('.');
  switch (group) {
    case 'invitation':
      return invitationWords(entry, open);
    case 'connection':
      return {
        name: serviceOf(summary) ?? 'A connection',
        more: formatRow([capital(summary.split(': ')[1] ?? ''), `…${target.slice(-6)}`].filter((part) => part !== '')),
      };
    case 'organisation':
      return { name: more === '' ? 'The organisation' : more, more: '' };
    case 'address':
      return { name: 'An address', more };
    case 'losses':
      return { name: 'Costs of mistakes', more };
    default:
      return { name: target, more };
  }
}

/** A screen and its search parameters. */
interface TargetPlace {
  readonly screen: 'policy' | 'keys' | 'members' | 'rules' | 'connections' | 'settings';
  readonly search: Readonly<Record<string, string>>;
}

/** Targets of changed rules: kind and side. */
const RULE_LIST = /^(domain|address) (block|allow)list$/;

/** Settings whose summaries start with these words. */
const PARTS = ['alerts', 'privacy'] as const;

/** The screen that shows an entry's target; null if none does. */
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
