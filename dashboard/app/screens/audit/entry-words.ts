import type { OpenInvitation } from '../../api/queries.ts';
import type { AuditLog } from '../../api/schema.ts';
import { formatRow } from '../../lib/format.ts';
import { capital, label, word } from '../../lib/vocabulary.ts';
import { SERVICES } from '../connections/services.ts';

type Entry = AuditLog['entries'][number];

interface EntryWords {
  readonly name: string;
  /** Stands below it; empty: nothing does. */
  readonly more: string;
}

const ACTION_NAMES: Readonly<Record<string, string>> = {
  'losses.changed': 'Costs of mistakes changed',
};

/** One that is not here shows its own words: `key.created` as `Key created`. */
export const actionName = (action: string): string => ACTION_NAMES[action] ?? label(action.replace('.', '_'));

/** A mail service by its name, in a summary that begins with its id: `resend: new secret`. */
const serviceOf = (summary: string): string | undefined =>
  Object.entries(SERVICES).find(([kind]) => summary.split(':')[0] === kind)?.[1].name;

/** An invitation by its address, else by its role, else by its id. */
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

/** What an entry is about and what is said of it. `open`: the invitations that are open, which alone keep their address. */
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

/** A place of the organisation: its screen, and what the screen's address says. */
interface TargetPlace {
  readonly screen: 'policy' | 'keys' | 'members' | 'rules' | 'connections' | 'settings';
  readonly search: Readonly<Record<string, string>>;
}

/** The target of changed rules, by kind and side. */
const RULE_LIST = /^(domain|address) (block|allow)list$/;

/** The settings that a summary calls by the same name. */
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
