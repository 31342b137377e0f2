import { t } from '@lingui/core/macro';
import type { OpenInvitation } from '../../api/people.ts';
import type { AuditLog } from '../../api/schema.ts';
import { formatRow } from '../../lib/format.ts';
import { capital, label, word } from '../../lib/vocabulary.ts';
import { SERVICES } from '../connections/services.ts';
import { RULE_LIST } from './target-link.ts';

type Entry = AuditLog['entries'][number];

interface EntryWords {
  readonly name: string;
  /** Stands below it; empty: nothing does. */
  readonly more: string;
}

const ACTION_NAMES: Readonly<Record<string, string>> = {
  'key.created': t`Key created`,
  'key.changed': t`Key changed`,
  'key.rotated': t`Key rotated`,
  'key.revoked': t`Key revoked`,
  'member.added': t`Member added`,
  'member.changed': t`Member changed`,
  'member.removed': t`Member removed`,
  'invitation.made': t`Invitation made`,
  'invitation.withdrawn': t`Invitation withdrawn`,
  'organisation.created': t`Organisation created`,
  'organisation.changed': t`Organisation changed`,
  'policy.saved': t`Policy saved`,
  'rules.added': t`Rules added`,
  'rules.removed': t`Rules removed`,
  'connection.created': t`Connection created`,
  'connection.changed': t`Connection changed`,
  'connection.deleted': t`Connection deleted`,
  'losses.changed': t`Losses changed`,
  'address.exported': t`Address exported`,
  'address.forgotten': t`Address forgotten`,
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
  if (email !== undefined) return { name: email, more: role === undefined ? '' : t`As ${word(role)}` };
  return {
    name: role === undefined ? t`An invitation` : t`An invitation as ${word(role)}`,
    more: `…${target.slice(-6)}`,
  };
}

const LISTS: Readonly<Record<string, string>> = {
  'domain blocklist': t`Domain block list`,
  'domain allowlist': t`Domain allow list`,
  'address blocklist': t`Address block list`,
  'address allowlist': t`Address allow list`,
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
        name: serviceOf(summary) ?? t`A connection`,
        more: formatRow([capital(summary.split(': ')[1] ?? ''), `…${target.slice(-6)}`].filter((part) => part !== '')),
      };
    case 'organisation':
      return { name: more === '' ? t`The organisation` : more, more: '' };
    case 'address':
      return { name: t`An address`, more };
    case 'losses':
      return { name: t`Losses`, more };
    default:
      return { name: target, more };
  }
}
